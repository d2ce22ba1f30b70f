/* The two fields of an interlaced frame: each is an image of every other row, in planes of its own. */
#ifndef GF_IO_INTERLACED_FIELDS_H
#define GF_IO_INTERLACED_FIELDS_H

#include "base/signal.h"

/* Why a frame of so many rows cannot be two fields; NULL: it can. */
const char *gf_interlaced_fields_problem(const struct gf_format *frame);
/* Copies samples [start, start + count) of a field, the top one or the bottom one, from its frame, which is in memory. */
void gf_interlaced_fields_split(const struct gf_format *field, bool bottom, const void *frame, int64_t start, void *samples, int64_t count);
/* Copies them to their places in the frame. */
void gf_interlaced_fields_weave(const struct gf_format *field, bool bottom, void *frame, int64_t start, const void *samples, int64_t count);

#endif
