/*
 * Splits an interlaced frame into its two fields, images
 * of every other row, and weaves them together again.
 */
#ifndef GF_IO_INTERLACED_FIELDS_H
#define GF_IO_INTERLACED_FIELDS_H

#include "base/signal.h"

/* Returns the reason why a frame cannot be split into fields; NULL: it can. */
const char *gf_interlaced_fields_problem(const struct gf_format *frame);
/* Copies samples [start, start + count) of the top or bottom field from its frame. */
void gf_interlaced_fields_split(const struct gf_format *field, bool bottom, const void *frame, int64_t start,
                                void *samples, int64_t count);
/* Copies samples [start, start + count) of a field to their positions in the frame. */
void gf_interlaced_fields_weave(const struct gf_format *field, bool bottom, void *frame, int64_t start,
                                const void *samples, int64_t count);

#endif
