/*
 * A call of an operation, made from a case for an image of any size: blocks, pools and parameters.
 */
#ifndef GF_BENCH_BENCH_CALL_H
#define GF_BENCH_BENCH_CALL_H

#include "base/error.h"
#include "base/signal.h"
#include "bench/bench_case.h"
#include "kernels/base/op.h"

/* Kinds of input samples. */
enum gf_bench_fill {
    GF_BENCH_BYTES,              /* bytes of noise, for any integer type */
    GF_BENCH_FLAT,               /* one value everywhere */
    GF_BENCH_FLOATS,             /* f32, noise of 8 bits in [0, 1) */
    GF_BENCH_DOUBLES,            /* f64, noise of 8 bits in [0, 1) */
    GF_BENCH_COUNTS              /* u64, noise of 16 bits */
};

/* A call without its memory: blocks without data, parameters, and the contents of the pools. */
struct gf_bench_call {
    const struct gf_operation *op;
    struct gf_block src, dst;
    struct gf_point load;
    bool loads;                  /* the call has a load program */
    bool records;                /* the result is records or counts, not samples */
    bool beside;                 /* the source is its second source too */
    const double *luma;          /* the brightness of 3 frames; NULL: the operation needs none */
    int frames;                  /* images of its window, all of which are the source; 0: none */
    struct gf_block *frame;      /* those images; freed by gf_bench_call_release() */
    int64_t src_units;
    int number;                  /* parameter of the case */
    enum gf_bench_fill fill;
    void *params;                /* parameters of the operation; freed by gf_bench_call_release() */
    float *masks, *tables;       /* freed by gf_bench_call_release() */
    int64_t mask_count, table_count;
    size_t src_bytes, dst_bytes, carry_bytes;
    bool failed;                 /* out of memory */
    double moved;                /* bytes that the call must read and write at least */
};

/* A case of a group in one of its forms. */
struct gf_bench_pick {
    const struct gf_bench_group *group;
    const struct gf_bench_case *one;
    const struct gf_form *form;
};

/* Picks the first form of a case. */
struct gf_bench_pick gf_bench_pick_first(const struct gf_bench_group *group, const struct gf_bench_case *one);

/*
 * Makes a call for an image of that size, or for width times rows frames of audio. If the body of
 * `can` does not support the form, planes of floats replace it; NULL: the form stays.
 */
int gf_bench_call_make(const struct gf_bench_pick *pick, int64_t width, int64_t rows, const struct gf_op_device *can,
                       struct gf_bench_call *m, struct gf_error *err) GF_MUST_CHECK;
/* Returns the call's blocks with their memory. */
struct gf_io gf_bench_call_io(const struct gf_bench_call *m, void *src, void *dst);
void gf_bench_call_release(struct gf_bench_call *m);
/* Fills memory with input samples. */
void gf_bench_fill_noise(enum gf_bench_fill fill, void *to, size_t bytes);

/* Computes the sides of a square of so many samples. */
void gf_bench_square(int64_t samples, int64_t *width, int64_t *rows);

/*
 * For functions that set cases. The first two add zeros to a pool and return them, or NULL without
 * memory; then come the type of a block, and its size, which returns its bytes.
 */
float *gf_bench_call_masks(struct gf_bench_call *m, int64_t count);
float *gf_bench_call_tables(struct gf_bench_call *m, int64_t count);
void gf_bench_block_type(struct gf_block *b, enum gf_type type, int channels, bool planar);
size_t gf_bench_block_shape(struct gf_block *b, int64_t width, int64_t units);
/* Gives the call a window of so many frames. */
void gf_bench_call_frames(struct gf_bench_call *m, int frames);
/* Reduces the call to one channel. */
void gf_bench_call_gray(struct gf_bench_call *m);

#endif
