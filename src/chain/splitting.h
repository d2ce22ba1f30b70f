/* A stage that splits: it divides a recording into several, which the stages after it see one after another. */
#ifndef GF_CHAIN_SPLITTING_H
#define GF_CHAIN_SPLITTING_H

#include <stdint.h>

#define GF_MOST_CUTS 1000

/*
 * Recordings end at these frames: multiples of `every`; or in silence of at least `least` frames, in which no sample
 * reaches `level`, between frames that are none; or, if these are 0, at those in `at`, which rise.
 */
struct gf_splitting {
    int64_t every, least;
    double level;                        /* 1 is full scale */
    int count;
    int64_t at[GF_MOST_CUTS];
};

#endif
