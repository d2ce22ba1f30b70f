/* Who gets how much of the memory. */
#ifndef GF_BASE_MEMORY_SHARE_H
#define GF_BASE_MEMORY_SHARE_H

#include <stdint.h>

/*
 * --memory is the ceiling of all work. Weights and tables, and second images in memory, are taken off first. If a pipe has to be
 * kept, or tables are collected, the work has what that share leaves. Workers then divide the rest among them. The other shares
 * are ceilings inside what a worker has.
 */
enum gf_memory_user {
    /* of the memory of a machine or a GPU */
    GF_MEMORY_HOST,              /* all work, if --memory is not given */
    GF_MEMORY_GPU,               /* all work on a GPU; the driver needs some */
    GF_MEMORY_BENCH,             /* --bench on a CPU, and … */
    GF_MEMORY_BENCH_GPU,         /* … on a GPU */
    /* of --memory, or of a worker's part of it */
    GF_MEMORY_WEIGHTS,           /* weights, tables and spectra of a chain */
    GF_MEMORY_SIDES,             /* second images that stay in memory */
    GF_MEMORY_LEFT,              /* what a pass starts from and what it leaves; more goes to disk */
    GF_MEMORY_UNPACKING,         /* unpacking a second image */
    GF_MEMORY_PIPE,              /* a pipe that is kept because its length is needed */
    GF_MEMORY_TABLES,            /* numbers of tables that become one */
    GF_MEMORY_RECORDING,         /* a recording from or to a pipe, which libsndfile needs whole */
    GF_MEMORY_FLAC,              /* FLAC for a pipe, until its header is known */
    GF_MEMORY_BANDS              /* bands of a PNG that are compressed at once */
};

/* The share of `bytes`. 0 bytes stand for a --memory that was not given: then it is the most that the user ever gets, or 0. */
int64_t gf_memory_share(enum gf_memory_user user, int64_t bytes);
/* The same, taken off `bytes`, unless that is 0. */
int64_t gf_memory_take(enum gf_memory_user user, int64_t *bytes);
/* A worker's part of `bytes` on each of several devices. */
int64_t gf_memory_for_worker(int64_t bytes, int devices, int workers);

#endif
