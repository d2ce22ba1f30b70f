/* One input to one output, with a worker that may have done others before. */
#ifndef GF_BATCH_ONE_INPUT_H
#define GF_BATCH_ONE_INPUT_H

#include "batch/merged_table.h"
#include "batch/output_names.h"
#include "run/worker.h"

#include <stdatomic.h>

/* Options that are the same for every file. */
struct gf_one_input_options {
    const struct gf_read_options *read;
    const struct gf_write_options *write;
    bool explain, verbose;
    bool name_files;                 /* with the first two, which input and which output it is about */
    struct gf_notices *notices;      /* of the run */
    struct gf_ledger *ledger;        /* the files that it reads and has written */
    atomic_bool *plan_printed;       /* once a run, of several files */
    struct gf_merged_table *merged_table; /* where tables go that are to be one; NULL: they have outputs of their own */
    const struct gf_output_names *names; /* of all inputs and outputs */
    /* Returns true to skip output `index`, called `name`; called only if its extension may have changed. */
    bool (*passes_over)(void *context, int index, const char *name);
    void *context;
};

/* Runs all signals of input `index`, and counts them in *signals. */
int gf_one_input_run(struct gf_worker *w, const struct gf_one_input_options *options, int index, int64_t *signals,
                     struct gf_error *err) GF_MUST_CHECK;

#endif
