/* The executor: runs a plan over one signal, segment by segment, in lanes. */
#ifndef GF_RUN_EXECUTE_H
#define GF_RUN_EXECUTE_H

#include "chain/binding.h"
#include "io/io.h"
#include "plan/plan.h"
#include "run/engine.h"
#include "table/table.h"

/* Results of a run other than its output. */
struct gf_run_results {
    struct gf_table table;                   /* set if the chain ends in a table; the chain owns its arrays */
    /* Samples of audio at full scale after stages that compute, in the output and in tees. */
    int64_t clipped, tee_clipped[GF_CHAIN_TEES];
};

/*
 * Runs the chain on the current signal. Results go to `writer` and `tees` (in the order of the
 * chain; NULL: none), which must have begun. Tables of the chain change if a stage sets them from
 * its measurement.
 */
int gf_execute(struct gf_engine *e, struct gf_plan *plan, struct gf_binding *binding, struct gf_reader *reader,
               struct gf_writer *writer, struct gf_writer *const *tees, struct gf_run_results *results,
               struct gf_error *err) GF_MUST_CHECK;

#endif
