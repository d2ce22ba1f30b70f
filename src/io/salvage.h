/*
 * --salvage for inputs that end too early: it keeps complete
 * images of a sequence, and the existing frames of audio.
 */
#ifndef GF_IO_SALVAGE_H
#define GF_IO_SALVAGE_H

#include "io/io.h"
#include "io/source.h"

/* Reads the current image into memory, unless the reader is random access. */
int gf_salvage_hold(struct gf_reader *r, int64_t max_bytes, struct gf_error *err) GF_MUST_CHECK;
/* Read units of the image in memory: in order, and at an offset. */
int64_t gf_salvage_read(struct gf_reader *r, void *units, int64_t count);
void gf_salvage_read_at(const struct gf_reader *r, int64_t start, void *units, int64_t count);
/* Releases the image in memory. */
void gf_salvage_release(struct gf_reader *r);
/*
 * Returns true, after a warning, if an image could not be read because the input ends. Damage
 * remains an error. `images` is the number of complete images before it.
 */
bool gf_salvage_drops(const struct gf_reader *r, const struct gf_source *s, int64_t images, struct gf_error *err);

/* Fails for audio that ends after `frames` of `stated`, which is 0 if the file states no length. */
int gf_salvage_fail_frames(const struct gf_reader *r, int64_t frames, int64_t stated, struct gf_error *err);
/* Warns about the frames that are missing; fails if there is none to salvage. */
int gf_salvage_frames(const struct gf_reader *r, int64_t frames, int64_t stated, struct gf_error *err) GF_MUST_CHECK;
/*
 * Audio that is damaged after `frames` of `stated`: fails, or with --salvage warns that the rest is left out.
 * Fails if there is none to salvage.
 */
int gf_salvage_damaged(const struct gf_reader *r, int64_t frames, int64_t stated, struct gf_error *err) GF_MUST_CHECK;
/*
 * Audio with an end, but only `frames` of `stated` before it; 0 means that it is damaged at its beginning.
 * Fails, or with --salvage warns.
 */
int gf_salvage_moved(const struct gf_reader *r, int64_t frames, int64_t stated, struct gf_error *err) GF_MUST_CHECK;

#endif
