/* Other libraries that do what a case does, on the same data in a GPU's memory. */
#ifndef GF_BENCH_PEERS_PEER_H
#define GF_BENCH_PEERS_PEER_H

#include "kernels/base/op.h"

/* What a peer is asked to do. Rows follow each other without gaps. */
struct gf_peer_call {
    struct gf_block src, dst, beside;    /* in the GPU's memory */
    const struct gf_operation *op;
    const void *params;                  /* of the operation */
    int number;                          /* of the case */
    const float *masks;                  /* the pool of masks, in the GPU's memory */
    void *stream;                        /* cudaStream_t */
};

/* Returns 0, or -1 if the library is not there or does not do it. */
typedef int gf_peer_run(const struct gf_peer_call *c);

struct gf_bench_peer {
    const char *name;                    /* library and function, as "NPP FilterGauss_8u_C1R"; NULL: none */
    const char *form;                    /* the one form that it does; NULL: all of the case, if run() agrees */
    gf_peer_run *run;
};

/* The bytes from one row of a block to the next. */
static inline int gf_peer_step(const struct gf_block *b)
{
    return (int)(b->pitch_samples * (int64_t)gf_type_bytes(b->type));
}

#endif
