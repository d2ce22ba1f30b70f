/* What the parts of one_input.c share. */
#ifndef GF_BATCH_ONE_INPUT_PARTS_H
#define GF_BATCH_ONE_INPUT_PARTS_H

#include "batch/one_input.h"
#include "batch/tee_writers.h"
#include "io/watch.h"

/* One input on its way to one output. */
struct gf_one_input {
    const struct gf_one_input_options *options;
    int index;                           /* its number among all inputs */
    struct gf_worker *worker;
    struct gf_reader *reader;
    struct gf_writer *writer;
    const struct gf_filled_name *output; /* the output's name before the input is opened */
    char *name;                          /* the writer's name; NULL: not known yet */
    bool numbered;                       /* each signal has its own output */
    bool passed_over;                    /* what would come out is not wanted */
    bool ended;                          /* the reader has no further signal */
    struct gf_meta meta;                 /* of the output */
    struct gf_tee_writers tees;
    struct gf_notices *notices;          /* of this input */
    struct gf_watch watch;               /* properties of its samples */
    int64_t signals;
    int64_t clipped;                     /* samples of audio at full scale, in the output */
    struct gf_error unmet;               /* of the first table that is not what was asked for */
};

/* Opens the output once the first signal tells what it will hold. */
int gf_one_input_open_writer(struct gf_one_input *f, struct gf_error *err) GF_MUST_CHECK;
/* Keeps a pipe that does not tell its length, where a stage has to know: 0, 1 where nothing more is to be done, -1. */
int gf_one_input_learn_length(struct gf_one_input *f, struct gf_error *err) GF_MUST_CHECK;
/*
 * Warns about options that no output of an input uses: `heeds` has the bits of enum gf_heeds of all of them. `name` is the
 * output, or the input of one table of many; `format` is what it becomes, for people.
 */
void gf_one_input_warn_ignored(struct gf_notices *n, const struct gf_write_options *options, unsigned heeds,
                               const char *name, const char *format);

#endif
