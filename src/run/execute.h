/* The executor: runs a plan over one signal, segment by segment, in lanes. */
#ifndef GF_RUN_EXECUTE_H
#define GF_RUN_EXECUTE_H

#include "io/io.h"
#include "run/engine.h"
#include "run/run.h"
#include "table/table.h"

/* Results of a run other than its output. */
struct gf_run_results {
    struct gf_table table;                   /* set if the chain ends in a table; the run owns its arrays */
    /* samples of audio at full scale after stages that compute, by exit of the chain */
    int64_t clipped[GF_CHAIN_EXITS];
};

/*
 * Runs the chain on the current signal. Results go to `writers`, by exit of the chain, which must have
 * begun; the first is NULL if the chain ends in a table.
 */
int gf_execute(struct gf_engine *e, struct gf_run *run, struct gf_reader *reader, struct gf_writer *const *writers,
               struct gf_run_results *results, struct gf_error *err) GF_MUST_CHECK;

#endif
