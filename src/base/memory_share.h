/* Divides the memory ceiling among its users. */
#ifndef GF_BASE_MEMORY_SHARE_H
#define GF_BASE_MEMORY_SHARE_H

#include <stdint.h>

/*
 * --memory is the ceiling for all work. Weights, tables and second images are subtracted first. If
 * a pipe is kept, or tables are collected, that share is subtracted too. Workers then divide the
 * rest among them. The other shares are ceilings within a worker's part.
 */
enum gf_memory_user {
    /* ---- shares of the memory of a machine or a GPU ---- */
    GF_MEMORY_HOST,              /* all work, if --memory is not given */
    GF_MEMORY_GPU,               /* all work on a GPU; the driver needs the rest */
    GF_MEMORY_BENCH,             /* --bench on a CPU */
    GF_MEMORY_BENCH_GPU,         /* --bench on a GPU */
    /* ---- shares of --memory, or of a worker's part of it ---- */
    GF_MEMORY_WEIGHTS,           /* weights, tables and spectra of a chain */
    GF_MEMORY_SIDES,             /* second images that stay in memory */
    GF_MEMORY_LEFT,              /* signals between passes; larger ones go to disk */
    GF_MEMORY_UNPACKING,         /* unpacking a second image */
    GF_MEMORY_METADATA,          /* metadata of an input: texts, profiles, EXIF */
    GF_MEMORY_JOINED,            /* images that a stage joins; larger ones go to disk */
    GF_MEMORY_PIPE,              /* a pipe that is kept because its length is needed */
    GF_MEMORY_TABLES,            /* numbers of tables that are merged into one */
    GF_MEMORY_RECORDING,         /* audio from or to a pipe, in a format that libsndfile needs whole */
    GF_MEMORY_FLAC,              /* FLAC for a pipe, until its header is known */
    GF_MEMORY_BANDS              /* bands of a PNG, or runs of FLAC, that are compressed in parallel */
};

/*
 * Returns the user's share of `bytes`. If `bytes` is 0 (no
 * --memory), returns the user's maximum, or 0 without one.
 */
int64_t gf_memory_share(enum gf_memory_user user, int64_t bytes);
/* Returns the user's share and subtracts it from `bytes`, unless `bytes` is 0. */
int64_t gf_memory_take(enum gf_memory_user user, int64_t *bytes);
/* Returns a worker's part, if each of several devices has `bytes`. */
int64_t gf_memory_for_worker(int64_t bytes, int devices, int workers);

#endif
