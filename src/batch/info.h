/* Lists what files are, for --info. */
#ifndef GF_BATCH_INFO_H
#define GF_BATCH_INFO_H

#include "batch/batch.h"

struct gf_info_options {
    const struct gf_read_options *read;
    const struct gf_write_options *write;    /* with `to`, or an output that is a file: a table of that format */
    int threads;                             /* -j; 0: one for each core */
    bool verbose;                            /* lines of several files have the texts of the metadata, too */
};

/*
 * Lists the inputs in their order, on b->names.text. Inputs that cannot be read have no line; each failure is printed
 * to standard error, and err has a summary.
 */
int gf_info_list(const struct gf_batch *b, const struct gf_info_options *o, struct gf_error *err) GF_MUST_CHECK;

#endif
