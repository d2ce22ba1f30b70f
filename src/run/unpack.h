/* Unpacking: a signal becomes samples of another format in memory, by a plan without stages on the CPU. */
#ifndef GF_RUN_UNPACK_H
#define GF_RUN_UNPACK_H

#include "io/io.h"
#include "run/run_context.h"

/*
 * Reads the signal at hand in `r` to `samples`, as `to` describes them: upright, and without luma and chroma if `to` has
 * none. The work takes half of what `limits` allow, for the samples themselves need memory, too.
 */
int gf_unpack(struct gf_reader *r, const struct gf_format *to, void *samples, const struct gf_run_context *context,
              const struct gf_limits *limits, struct gf_error *err) GF_MUST_CHECK;

#endif
