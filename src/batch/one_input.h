/* One input to one output, with a worker that may have done others before. */
#ifndef GF_BATCH_ONE_INPUT_H
#define GF_BATCH_ONE_INPUT_H

#include "batch/merged_table.h"
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
    const char *root;                /* the folder that the output has to lie beneath; NULL: any */
    bool numbered;                   /* the name has {n} for each image of the input */
    bool folder;                     /* outputs have their inputs' extensions, which may have to change */
    /* Asked then, once it is known what the output is called: 1, 0 where it is not to be made, -1. */
    int (*settle_name)(void *context, const char *name, enum gf_kind kind, bool table, struct gf_error *err);
    void *context;
};

/* Runs all signals of `input`, which is number `number` of several from 1, or 0; *signals is how many there were. */
int gf_one_input_run(struct gf_worker *w, const struct gf_one_input_options *options, const char *input,
                     const char *output, int number, int64_t *signals, struct gf_error *err) GF_MUST_CHECK;

#endif
