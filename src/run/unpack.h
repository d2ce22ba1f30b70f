/* Converts a signal to samples of another format in memory, by a plan without stages on the CPU. */
#ifndef GF_RUN_UNPACK_H
#define GF_RUN_UNPACK_H

#include "io/io.h"
#include "run/run_context.h"

/*
 * Reads the current signal of `r` to `samples` in the format `to`: upright, and as pixels if `to`
 * has no luma and chroma. It uses half of the memory in `limits`, because the samples need memory,
 * too.
 */
int gf_unpack(struct gf_reader *r, const struct gf_format *to, void *samples, const struct gf_run_context *context,
              const struct gf_limits *limits, struct gf_error *err) GF_MUST_CHECK;

#endif
