/* The executor: runs a plan over one signal, segment by segment, in lanes. */
#ifndef GF_RUN_EXECUTE_H
#define GF_RUN_EXECUTE_H

#include "chain/chain.h"
#include "io/io.h"
#include "plan/plan.h"
#include "run/engine.h"
#include "table/table.h"

/* What a run found. */
struct gf_run_results {
    struct gf_table table;                   /* of a chain that ends in one; its arrays belong to the chain */
    /* Samples of audio at full scale after stages that compute, in the output and in tees. */
    int64_t clipped, tee_clipped[GF_CHAIN_TEES];
};

/*
 * Reads the signal at hand, and writes what comes of it, to `writer` and to `tees`, which have begun, in the order of the
 * chain (NULL: it has none). Tables of the chain change where a stage settles on what it measured.
 */
int gf_execute(struct gf_engine *e, struct gf_plan *plan, struct gf_chain *chain, struct gf_reader *reader,
               struct gf_writer *writer, struct gf_writer *const *tees, struct gf_run_results *results,
               struct gf_error *err) GF_MUST_CHECK;

#endif
