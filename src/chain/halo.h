/* The halo of a chain: the input around a piece of its result that the piece depends on. */
#ifndef GF_CHAIN_HALO_H
#define GF_CHAIN_HALO_H

#include "chain/binding.h"

struct gf_halo {
    int64_t before, after;               /* units */
    int64_t left, right;                 /* columns */
    int64_t step;                        /* pieces, and pieces with their halo, begin at multiples of this many units */
};

/* Finds the halo. It fails, and names the stage, if a piece with its halo would not give the bytes of the whole. */
int gf_halo_of(const struct gf_binding *binding, struct gf_halo *halo, struct gf_error *err) GF_MUST_CHECK;

#endif
