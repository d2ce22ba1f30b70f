/* Functions of other libraries that do the same as a case, on the same data in a GPU's memory. */
#ifndef GF_BENCH_PEERS_PEER_H
#define GF_BENCH_PEERS_PEER_H

#include "kernels/base/op.h"

/* A call of a peer. Rows have no gaps. */
struct gf_peer_call {
    struct gf_block src, dst, beside;    /* in the GPU's memory */
    const struct gf_operation *op;
    const void *params;                  /* parameters of the operation */
    int number;                          /* parameter of the case */
    const float *masks;                  /* the pool of masks, in the GPU's memory */
    void *stream;                        /* cudaStream_t */
};

/* Makes the call. Returns -1 if the library is missing or does not support it. */
typedef int gf_peer_run(const struct gf_peer_call *c);

struct gf_bench_peer {
    const char *name;                    /* library and function, as "NPP FilterGauss"; NULL: none */
    const char *form;                    /* the only form that it supports; NULL: run() decides */
    gf_peer_run *run;
};

/* Returns the bytes from one row of a block to the next. */
static inline int gf_peer_step(const struct gf_block *b)
{
    return (int)(b->pitch_samples * (int64_t)gf_type_bytes(b->type));
}

#endif
