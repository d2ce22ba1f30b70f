/* The files that a chain writes on its way: one for each tee, whole or not there, like the output. */
#ifndef GF_BATCH_TEE_WRITERS_H
#define GF_BATCH_TEE_WRITERS_H

#include "run/worker.h"

struct gf_tee_writers {
    const struct gf_write_options *options;
    const char *input, *output;              /* of the file at hand; the output may be that of one picture */
    struct gf_notices *notices;
    struct gf_ledger *ledger;                /* the files that the run reads and has written */
    int number;                              /* of the input, for {n}; 0: the pictures of one input are counted */
    struct gf_writer *writer[GF_CHAIN_TEES];
    struct gf_meta meta[GF_CHAIN_TEES];
    char *root[GF_CHAIN_TEES];               /* the folder that each has to lie beneath, for writers; NULL: any */
    bool numbered[GF_CHAIN_TEES];            /* each picture has its own */
    int64_t clipped[GF_CHAIN_TEES];          /* samples of audio at full scale */
    int count;
};

/* Opens the writers of the bound chain that are not open yet; `signal` is the number of the image, from 1. */
int gf_tee_writers_open(struct gf_tee_writers *t, struct gf_worker *w, int64_t signal,
                        struct gf_error *err) GF_MUST_CHECK;
/* Makes the metadata of each for the signal in `r`, and warns about what it cannot store. */
int gf_tee_writers_make_metadata(struct gf_tee_writers *t, const struct gf_worker *w, const struct gf_reader *r,
                                 struct gf_error *err) GF_MUST_CHECK;
/* Before and after each signal. */
int gf_tee_writers_begin(struct gf_tee_writers *t, const struct gf_worker *w, struct gf_error *err) GF_MUST_CHECK;
int gf_tee_writers_end(struct gf_tee_writers *t, const struct gf_worker *w, const struct gf_run_results *results,
                       struct gf_error *err) GF_MUST_CHECK;
/* Warns about clipped audio in them: before the first output is put in its place. */
void gf_tee_writers_warn(const struct gf_tee_writers *t);
/* Returns true if a tee has a file for each image. */
bool gf_tee_writers_numbered(const struct gf_tee_writers *t);
/* Puts them in their places, once the output is in its own: those that each picture has for itself, in the end all. */
int gf_tee_writers_commit(struct gf_tee_writers *t, struct gf_worker *w, bool all, struct gf_error *err) GF_MUST_CHECK;
/* Forgets them: what was not committed leaves no trace. */
void gf_tee_writers_close(struct gf_tee_writers *t);

#endif
