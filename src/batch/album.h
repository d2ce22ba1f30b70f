/* Stages that measure all inputs of a run together: their inputs are read once before the run. */
#ifndef GF_BATCH_ALBUM_H
#define GF_BATCH_ALBUM_H

#include "batch/one_input.h"
#include "chain/chain.h"

/* Returns true if a chain has such a stage. */
bool gf_album_used(const struct gf_chain *chain);
/*
 * Lets such stages of a whole chain measure the inputs, if there are several. `joins` says that they are one for the
 * run.
 */
int gf_album_measure(struct gf_run_context *context, const struct gf_chain *chain, char *const *inputs, int count,
                     bool joins, const struct gf_one_input_options *options, struct gf_error *err) GF_MUST_CHECK;

#endif
