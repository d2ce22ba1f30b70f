/* The struct that one_input.c and its parts share. */
#ifndef GF_BATCH_ONE_INPUT_PARTS_H
#define GF_BATCH_ONE_INPUT_PARTS_H

#include "batch/one_input.h"
#include "batch/tee_writers.h"
#include "io/watch.h"

/* The state of processing one input. */
struct gf_one_input {
    const struct gf_one_input_options *options;
    int index;                           /* its number among all inputs */
    struct gf_worker *worker;
    struct gf_reader *reader;
    struct gf_writer *writer;
    const struct gf_filled_name *output; /* the output's name before the input is opened */
    char *name;                          /* the writer's name; NULL: not known yet */
    bool numbered;                       /* each signal has its own output */
    bool skipped;                        /* the output is up to date or kept, so the input is skipped */
    bool ended;                          /* the reader has no further signal */
    struct gf_meta meta;                 /* of the output */
    struct gf_tee_writers tees;
    struct gf_notices *notices;          /* of this input */
    struct gf_watch watch;               /* properties of its samples */
    int64_t signals;
    int64_t clipped;                     /* samples of audio at full scale, in the output */
    struct gf_error unmet;               /* the first table that missed a required value */
};

/* Opens the output, once the first signal determines its format. */
int gf_one_input_open_writer(struct gf_one_input *f, struct gf_error *err) GF_MUST_CHECK;
/*
 * Buffers a pipe of unknown length if a stage needs its length. Returns 0, -1 on failure, or 1 if
 * nothing remains to be done for this input.
 */
int gf_one_input_learn_length(struct gf_one_input *f, struct gf_error *err) GF_MUST_CHECK;
/*
 * Warns about options that no output of an input uses. `heeds` has the bits of enum gf_heeds of
 * all outputs. `name` is the output, or the input if all inputs go to one table. `format` names
 * the format of the output in messages.
 */
void gf_one_input_warn_ignored(struct gf_notices *n, const struct gf_write_options *options, unsigned heeds,
                               const char *name, const char *format);

#endif
