/* The struct that one_input.c and its parts share. */
#ifndef GF_BATCH_ONE_INPUT_PARTS_H
#define GF_BATCH_ONE_INPUT_PARTS_H

#include "batch/one_input_files.h"
#include "io/watch.h"

/* The state of processing one input. */
struct gf_one_input {
    const struct gf_one_input_options *options;
    struct gf_worker *worker;
    struct gf_reader *reader;
    bool ended;                          /* the reader has no further signal */
    struct gf_output_files files;
    struct gf_watch watch;               /* properties of its samples */
    int64_t signals;
    struct gf_error unmet;               /* the first table that missed a required value */
};

/*
 * Buffers a pipe of unknown length if a stage needs its length. Returns 0, -1 on failure, or 1 if
 * nothing remains to be done for this input.
 */
int gf_one_input_learn_length(struct gf_one_input *f, struct gf_error *err) GF_MUST_CHECK;

#endif
