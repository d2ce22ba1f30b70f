/* Processes one input with a worker: reads it, runs the chain, and writes its output. */
#ifndef GF_BATCH_ONE_INPUT_H
#define GF_BATCH_ONE_INPUT_H

#include "batch/joined.h"
#include "batch/merged_table.h"
#include "batch/output_names.h"
#include "run/divided.h"
#include "run/worker.h"

#include <stdatomic.h>

/* Options that are the same for every file. */
struct gf_one_input_options {
    const struct gf_read_options *read;
    const struct gf_write_options *write;
    bool explain, verbose;
    bool name_files;                 /* verbose prints the names of input and output */
    struct gf_notices *notices;      /* of the run */
    struct gf_ledger *ledger;        /* files that the run reads and has written */
    atomic_bool *plan_printed;       /* for several files, the plan is printed only once */
    struct gf_merged_table *merged_table; /* collects tables for one output; NULL: each has its own output */
    const struct gf_output_names *names; /* of all inputs and outputs */
    const struct gf_divided *before_joining;    /* the parts of the stages before a joining stage, */
    const struct gf_divided *divided;          /* and of those after it, or of all */
    struct gf_joined *joined;        /* with --join, the only input consists of these; NULL: it is one file */
    /*
     * Returns true to skip output `index`, called `name`;
     * called only if its extension may have changed.
     */
    bool (*should_skip)(void *context, int index, const char *name);
    void *context;
};

/* Runs all signals of input `index`, and counts them in *signals. */
int gf_one_input_run(struct gf_worker *w, const struct gf_one_input_options *options, int index, int64_t *signals,
                     struct gf_error *err) GF_MUST_CHECK;

#endif
