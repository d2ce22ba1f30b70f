/*
 * Finds data in audio files other than samples and known tags, so that a warning can name what the
 * output loses.
 */
#ifndef GF_FORMATS_AUDIO_EXTRAS_H
#define GF_FORMATS_AUDIO_EXTRAS_H

#include "io/formats/chunks.h"
#include "io/io.h"

#define GF_EXTRA_HEAD 12                 /* enough bytes of a chunk to recognize its content */
#define GF_MOST_EXTRAS 100               /* names of items; more would not fit into the warning */

/*
 * Searches a file, or a pipe held in memory, and fills m->extra. m->text must already have the tags
 * that are kept.
 */
int gf_audio_extras_find(struct gf_meta *m, const struct gf_seekable *in, struct gf_error *err) GF_MUST_CHECK;

/*
 * Adds an item by its name. `count` is added to the number of items of that name, up to INT_MAX; 0
 * means that they are not counted.
 */
int gf_audio_extras_add(struct gf_meta *m, const char *name, int count, struct gf_error *err) GF_MUST_CHECK;
/* Adds an item of another file, or adds its count to that of an equal one. */
int gf_audio_extras_copy(struct gf_meta *m, const struct gf_extra *e, const char *file,
                         struct gf_error *err) GF_MUST_CHECK;
/*
 * Adds a tag that is lost, by its name in the file. Tags that only name an encoder are ignored.
 * Bytes that are not printable ASCII become question marks.
 */
int gf_audio_extras_add_tag(struct gf_meta *m, const void *name, size_t size, struct gf_error *err) GF_MUST_CHECK;
/*
 * Adds a RIFF chunk, recognized by its name and its first bytes. If `all` is true, `b` has the
 * whole chunk, and m->riff keeps a copy if another WAV file may have it.
 */
int gf_audio_extras_riff_chunk(struct gf_meta *m, const char *id, const unsigned char *b, size_t size,
                               bool big, bool all, struct gf_error *err) GF_MUST_CHECK;

/* Adds the tags of a LIST INFO chunk that can no longer be kept. `b` is its content. */
int gf_audio_extras_riff_info(struct gf_meta *m, const unsigned char *b, size_t size, bool big,
                              struct gf_error *err) GF_MUST_CHECK;

/*
 * Adds the tags of a LIST INFO chunk that gf_tags does not list. They are stored from `at` to
 * `end`.
 */
int gf_audio_extras_unknown_info(struct gf_meta *m, const struct gf_seekable *in, int64_t at, int64_t end, bool big,
                                 struct gf_error *err) GF_MUST_CHECK;

/* Parts of gf_audio_extras_find(): ID3v2 at an offset, Vorbis comments of FLAC and Ogg. */
int gf_audio_extras_id3(struct gf_meta *m, const struct gf_seekable *in, int64_t at,
                        struct gf_error *err) GF_MUST_CHECK;
int gf_audio_extras_flac(struct gf_meta *m, const struct gf_seekable *in, int64_t at,
                         struct gf_error *err) GF_MUST_CHECK;
int gf_audio_extras_ogg(struct gf_meta *m, const struct gf_seekable *in, struct gf_error *err) GF_MUST_CHECK;

#endif
