/* Chains that divide a recording: stages before the cut see all of it, stages after it see one part after another. */
#ifndef GF_BATCH_SPLIT_CHAIN_H
#define GF_BATCH_SPLIT_CHAIN_H

#include "batch/output_names.h"
#include "chain/chain.h"
#include "run/worker.h"

/* The parts of a chain with such a stage, with which `rest` begins. All zero: it has none. */
struct gf_split_chain {
    const char *stage;
    struct gf_chain front, rest;
};

/*
 * Divides *chain, which is the rest then, if it has such a stage. Fails if the outputs
 * have no number in their name. `kinds` has the bits 1 << KIND of the inputs; 0: unknown.
 */
int gf_split_chain_divide(struct gf_split_chain *t, const struct gf_output_names *names, int inputs, unsigned kinds,
                          const struct gf_chain **chain, struct gf_error *err) GF_MUST_CHECK;
/*
 * Lets *reader deliver the parts. `watch` collects properties of the input. *front becomes what the stages before the
 * cut are bound to; NULL if there are none.
 */
int gf_split_chain_open(const struct gf_split_chain *t, struct gf_worker *w, struct gf_reader **reader,
                        struct gf_watch *watch, const struct gf_binding **front, struct gf_error *err) GF_MUST_CHECK;

#endif
