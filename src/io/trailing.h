/* The end of a recording: before it should be, or with another one behind it, as `cat A B` leaves it. */
#ifndef GF_IO_TRAILING_H
#define GF_IO_TRAILING_H

#include "io/io.h"
#include "io/source.h"

#define GF_TRAILING_BYTES 65536        /* that are looked at */

/* Whether another recording begins somewhere in these bytes. */
bool gf_trailing_begins(const unsigned char *bytes, size_t size);
/* Looks after byte `from` of a random source, otherwise ahead of its position; warns about what it finds. */
int gf_trailing_check(struct gf_reader *r, struct gf_source *s, int64_t from, struct gf_error *err) GF_MUST_CHECK;
/* Audio that ends too early: after `frames` of `promised`, 0 if the file does not say of how many; -1. */
int gf_fail_frames(const struct gf_reader *r, int64_t frames, int64_t promised, struct gf_error *err);
/* Warns about the frames that are missing; fails if there is none to salvage. */
int gf_salvage_frames(const struct gf_reader *r, int64_t frames, int64_t promised, struct gf_error *err) GF_MUST_CHECK;
/* Warns that a second recording is ignored. */
void gf_trailing_warn(const struct gf_reader *r);

#endif
