/* A call of an operation, made of a case for a picture of any size: its blocks, pools and parameters. */
#ifndef GF_BENCH_BENCH_CALL_H
#define GF_BENCH_BENCH_CALL_H

#include "base/error.h"
#include "base/signal.h"
#include "bench/bench_case.h"
#include "kernels/base/op.h"

/* The kinds of input samples. */
enum gf_bench_fill {
    GF_BENCH_BYTES,              /* noise, whatever the type */
    GF_BENCH_FLAT,               /* one value everywhere */
    GF_BENCH_FLOATS,             /* f32, noise of 8 bits in [0, 1) */
    GF_BENCH_DOUBLES,            /* f64, likewise */
    GF_BENCH_COUNTS              /* u64, noise of 16 bits */
};

/* A call that only lacks memory: blocks without data, parameters, what stands in the pools. */
struct gf_bench_call {
    const struct gf_operation *op;
    struct gf_block src, dst;
    struct gf_point load;
    bool loads;                  /* there is a program */
    bool records;                /* what comes out are records of what comes in */
    bool beside;                 /* what comes in is its second source, too */
    int64_t src_units;
    int number;                  /* of the case */
    enum gf_bench_fill fill;
    void *params;                /* parameters of the operation; gf_bench_call_release() frees them */
    float *masks, *tables;       /* to be freed by gf_bench_call_release() */
    int64_t mask_count, table_count;
    size_t src_bytes, dst_bytes, carry_bytes;
    bool failed;                 /* there was no memory */
    double moved;                /* bytes that are read and written at least */
};

/* A case of a group, in one of its forms: the thing to call. */
struct gf_bench_pick {
    const struct gf_bench_group *group;
    const struct gf_bench_case *one;
    const struct gf_form *form;
};

/* The first form of a case. */
struct gf_bench_pick gf_bench_pick_first(const struct gf_bench_group *group, const struct gf_bench_case *one);

/*
 * Makes a call for a picture of so many columns and rows, or for as many frames of sound. Where the body of `can` does not take the form,
 * it becomes planes of floats; NULL: the form stays.
 */
int gf_bench_call_make(const struct gf_bench_pick *pick, int64_t width, int64_t rows, const struct gf_op_device *can,
                       struct gf_bench_call *m, struct gf_error *err) GF_MUST_CHECK;
/* The call with its memory. */
struct gf_io gf_bench_call_io(const struct gf_bench_call *m, void *src, void *dst);
void gf_bench_call_release(struct gf_bench_call *m);
/* Writes `bytes` bytes of what such a case reads. */
void gf_bench_fill_noise(enum gf_bench_fill fill, void *to, size_t bytes);

/* The sides of a square of one of the sizes. */
void gf_bench_square(int64_t samples, int64_t *width, int64_t *rows);

/* For those that set cases: room in the pools, NULL where there is no memory; the samples of a block; its shape, whose bytes it returns. */
float *gf_bench_call_masks(struct gf_bench_call *m, int64_t count);
float *gf_bench_call_tables(struct gf_bench_call *m, int64_t count);
void gf_bench_block_type(struct gf_block *b, enum gf_type type, int channels, bool planar);
size_t gf_bench_block_shape(struct gf_block *b, int64_t width, int64_t units);
/* Makes it one of a single channel. */
void gf_bench_call_gray(struct gf_bench_call *m);

#endif
