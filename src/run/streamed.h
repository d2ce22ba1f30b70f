/* A reader of the results of stages on a recording, which another thread computes as they are read. */
#ifndef GF_RUN_STREAMED_H
#define GF_RUN_STREAMED_H

#include "run/worker.h"

/*
 * Returns a reader that runs `chain` on one recording of `r` after another, on the CPU, and owns `r` and the memory of
 * the chain; without `sides` also its stages, otherwise these are those of the run, and second inputs are opened like
 * them. Nothing is rounded: the results are floats that remember the bits of the input. On failure the caller keeps
 * both.
 */
struct gf_reader *gf_streamed_open(const struct gf_run_context *context, const struct gf_limits *limits,
                                   struct gf_reader *r, struct gf_chain *chain, const struct gf_sides *sides,
                                   struct gf_error *err) GF_MUST_CHECK;
/* Return the worker of such a reader, which is planned for its current recording, and the writer of its results. */
const struct gf_worker *gf_streamed_worker(const struct gf_reader *r);
const struct gf_writer *gf_streamed_writer(const struct gf_reader *r);

#endif
