/* Data of audio files beside samples and the tags that are kept: found in the input, named if the output loses it. */
#ifndef GF_FORMATS_AUDIO_EXTRAS_H
#define GF_FORMATS_AUDIO_EXTRAS_H

#include "io/formats/chunks.h"
#include "io/io.h"

#define GF_EXTRA_HEAD 12                 /* bytes of a chunk that tell what it holds */

/* Looks through a file or a pipe in memory, and adds to m->extra. m->text has the tags that are kept. */
int gf_audio_extras_find(struct gf_meta *m, const struct gf_seekable *in, struct gf_error *err) GF_MUST_CHECK;

/* Adds a thing, or `count` to the number of such things; 0: it is not counted. */
int gf_audio_extras_add(struct gf_meta *m, const char *name, int count, struct gf_error *err) GF_MUST_CHECK;
/*
 * Adds a tag that is lost, by its name in the file, unless it only names an encoder. Bytes that are not printable ASCII
 * become question marks.
 */
int gf_audio_extras_add_tag(struct gf_meta *m, const void *name, size_t size, struct gf_error *err) GF_MUST_CHECK;
/*
 * Adds what a RIFF chunk is, by its name and its bytes: its first ones, or with `all` the whole chunk, which then goes
 * to m->riff if another WAV may keep it.
 */
int gf_audio_extras_riff_chunk(struct gf_meta *m, const char *id, const unsigned char *b, size_t size, bool big, bool all,
                               struct gf_error *err) GF_MUST_CHECK;

/* Adds the tags of a LIST INFO that cannot be kept any more; `b` is its content. */
int gf_audio_extras_riff_info(struct gf_meta *m, const unsigned char *b, size_t size, bool big,
                              struct gf_error *err) GF_MUST_CHECK;

/* Adds the tags of a LIST INFO that have no place among ours; they stand from `at` to `end`. */
int gf_audio_extras_unknown_info(struct gf_meta *m, const struct gf_seekable *in, int64_t at, int64_t end, bool big,
                                 struct gf_error *err) GF_MUST_CHECK;

/* The parts of gf_audio_extras_find(): chunks of containers, ID3v2 at an offset, Vorbis comments of FLAC and Ogg. */
int gf_audio_extras_chunks(struct gf_meta *m, struct gf_chunks *c, struct gf_error *err) GF_MUST_CHECK;
int gf_audio_extras_id3(struct gf_meta *m, const struct gf_seekable *in, int64_t at, struct gf_error *err) GF_MUST_CHECK;
int gf_audio_extras_flac(struct gf_meta *m, const struct gf_seekable *in, int64_t at, struct gf_error *err) GF_MUST_CHECK;
int gf_audio_extras_ogg(struct gf_meta *m, const struct gf_seekable *in, struct gf_error *err) GF_MUST_CHECK;

#endif
