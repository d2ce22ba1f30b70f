/* Inputs that end too early: --salvage keeps the whole images of a sequence, and the frames of audio that are there. */
#ifndef GF_IO_SALVAGE_H
#define GF_IO_SALVAGE_H

#include "io/io.h"
#include "io/source.h"

/* Reads the image at hand into memory, unless it can be read at any place anyway. */
int gf_salvage_hold(struct gf_reader *r, int64_t max_bytes, struct gf_error *err) GF_MUST_CHECK;
/* Units of it: in order, and at a place. */
int64_t gf_salvage_read(struct gf_reader *r, void *units, int64_t count);
void gf_salvage_read_at(const struct gf_reader *r, int64_t start, void *units, int64_t count);
/* Forgets it. */
void gf_salvage_release(struct gf_reader *r);
/*
 * True if an image could not be read because the input ends; warns then. Damage stays an error. `images` is the number of whole
 * images before it.
 */
bool gf_salvage_drops(const struct gf_reader *r, const struct gf_source *s, int64_t images, const struct gf_error *err);

/* Audio that ends too early: after `frames` of `stated`, 0 if the file does not say of how many; -1. */
int gf_salvage_fail_frames(const struct gf_reader *r, int64_t frames, int64_t stated, struct gf_error *err);
/* Warns about the frames that are missing; fails if there is none to salvage. */
int gf_salvage_frames(const struct gf_reader *r, int64_t frames, int64_t stated, struct gf_error *err) GF_MUST_CHECK;

#endif
