/* A stage that splits: it divides a recording into several, which the stages after it see one after another. */
#ifndef GF_CHAIN_SPLITTING_H
#define GF_CHAIN_SPLITTING_H

#include <stdint.h>

#define GF_MOST_CUTS 1000

/* Recordings end at these frames: multiples of `every`, or, if that is 0, those in `at`, which rise. */
struct gf_splitting {
    int64_t every;
    int count;
    int64_t at[GF_MOST_CUTS];
};

#endif
