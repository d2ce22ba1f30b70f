/* The files that tee stages write. Like the output, each is complete or absent. */
#ifndef GF_BATCH_TEE_WRITERS_H
#define GF_BATCH_TEE_WRITERS_H

#include "run/worker.h"

struct gf_tee_writers {
    const struct gf_write_options *options;
    const char *input, *output;              /* of the current file; the output may be that of one image */
    struct gf_notices *notices;
    struct gf_ledger *ledger;                /* files that the run reads and has written */
    int number;                              /* of the input, for {n}; 0: {n} counts the images of one input */
    struct gf_writer *writer[GF_CHAIN_TEES];
    struct gf_meta meta[GF_CHAIN_TEES];
    char *root[GF_CHAIN_TEES];               /* the folder that must contain each file; NULL: any folder */
    bool numbered[GF_CHAIN_TEES];            /* each image has a file of its own */
    int64_t clipped[GF_CHAIN_TEES];          /* samples of audio at full scale */
    int count;
};

/*
 * Opens the writers of the bound chain that are not open
 * yet; `signal` is the number of the image, from 1.
 */
int gf_tee_writers_open(struct gf_tee_writers *t, struct gf_worker *w, int64_t signal,
                        struct gf_error *err) GF_MUST_CHECK;
/* Makes the metadata of each for the signal in `r`, and warns about what it cannot store. */
int gf_tee_writers_make_metadata(struct gf_tee_writers *t, const struct gf_worker *w, const struct gf_reader *r,
                                 struct gf_error *err) GF_MUST_CHECK;
/* Begin and end a signal. */
int gf_tee_writers_begin(struct gf_tee_writers *t, const struct gf_worker *w, struct gf_error *err) GF_MUST_CHECK;
int gf_tee_writers_end(struct gf_tee_writers *t, const struct gf_worker *w, const struct gf_run_results *results,
                       struct gf_error *err) GF_MUST_CHECK;
/* Warns about clipped audio. Call it before the first output is committed. */
void gf_tee_writers_warn(const struct gf_tee_writers *t);
/* Returns true if a tee has a file for each image. */
bool gf_tee_writers_numbered(const struct gf_tee_writers *t);
/* Commits the files after the output: only those for a single image, or all if `all` is set. */
int gf_tee_writers_commit(struct gf_tee_writers *t, struct gf_worker *w, bool all, struct gf_error *err) GF_MUST_CHECK;
/* Closes all writers. Files that were not committed leave no trace. */
void gf_tee_writers_close(struct gf_tee_writers *t);

#endif
