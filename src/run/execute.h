/* The executor: runs a plan over one signal, segment by segment, in lanes. */
#ifndef GF_RUN_EXECUTE_H
#define GF_RUN_EXECUTE_H

#include "chain/binding.h"
#include "io/io.h"
#include "plan/plan.h"
#include "run/engine.h"
#include "table/table.h"

/* The samples of a second input. */
struct gf_side_samples {
    const void *data;
    const struct gf_spool *spool;            /* the file that `data` is mapped from; NULL: none */
    /* unique in the process, so that owners of a copy can tell if it is still current */
    uint64_t number;
};

/* What a plan needs to run, and what changes meanwhile. */
struct gf_run {
    struct gf_plan *plan;
    const struct gf_binding *binding, *plane[2];     /* of the signal, and of its luma and chroma; NULL: none */
    int64_t signal;                                  /* number of the image in its input, from 0 */
    struct gf_side side[GF_CHAIN_SIDES];             /* second inputs in the order of the binding, */
    struct gf_side_samples samples[GF_CHAIN_SIDES];  /* and their samples */
    /* stages that measure write to these tables, one for each binding; NULL: there are none, the binding's are used */
    float *tables[3];
    struct gf_findings findings;
};

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
