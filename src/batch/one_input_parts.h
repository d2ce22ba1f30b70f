/* What the parts of one_input.c share. */
#ifndef GF_FILE_PARTS_H
#define GF_FILE_PARTS_H

#include "batch/one_input.h"
#include "batch/tee_writers.h"
#include "io/watch.h"

/* One input on its way to one output. */
struct gf_file {
    const struct gf_file_options *options;
    const char *output;
    struct gf_worker *worker;
    struct gf_reader *reader;
    struct gf_writer *writer;
    char *numbered;                      /* the name of the writer, where each signal has its own */
    char *renamed;                       /* or in a folder: with an ending that does */
    bool passed_over;                    /* what would come out is not wanted */
    bool ended;                          /* the reader has no further signal */
    struct gf_meta meta;                 /* of the output */
    struct gf_tees tees;
    struct gf_notices *notices;          /* of this input */
    struct gf_watch watch;               /* properties of its samples */
    int64_t signals;
    struct gf_error unmet;               /* of the first table that is not what was asked for */
};

/* Opens the output once the first signal tells what it will hold. */
int gf_file_open_writer(struct gf_file *f, struct gf_error *err) GF_MUST_CHECK;
/* Keeps a pipe that does not tell its length, where a stage has to know: 0, 1 where nothing more is to be done, -1. */
int gf_file_learn_length(struct gf_file *f, struct gf_error *err) GF_MUST_CHECK;

#endif
