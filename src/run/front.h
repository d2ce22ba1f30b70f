/* A reader of the results of stages: those before a stage that needs several images together, or looks at them. */
#ifndef GF_RUN_FRONT_H
#define GF_RUN_FRONT_H

#include "run/worker.h"

/*
 * Returns a reader that runs `chain` on each image of `r`, and owns `r`, whose current image is its first. The stage
 * `following` looks at the result, if it does so. Nothing is rounded: the images are
 * floats, unless stages only move samples. It uses some of the memory of the worker. On failure the caller keeps `r`.
 */
struct gf_reader *gf_front_open(struct gf_worker *like, struct gf_reader *r, const struct gf_chain *chain,
                                const struct gf_chain_word *following, struct gf_error *err) GF_MUST_CHECK;
/* Return the worker of such a reader, which is planned for its current image, and the writer of its images. */
const struct gf_worker *gf_front_worker(const struct gf_reader *r);
const struct gf_writer *gf_front_writer(const struct gf_reader *r);

#endif
