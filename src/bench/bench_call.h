/* A call of an operation, of any size, for --bench and --devices -v: made of a case, with the blocks and pools that it needs. */
#ifndef GF_BENCH_BENCH_CALL_H
#define GF_BENCH_BENCH_CALL_H

#include "base/error.h"
#include "base/signal.h"
#include "kernels/base/op.h"

struct gf_resize_axis;

/* A call that only lacks memory: blocks without data, parameters, what stands in the pools. */
struct gf_bench_call {
    const struct gf_operation *op;
    struct gf_block src, dst;
    struct gf_point load;
    bool loads;                  /* there is a program */
    bool records;                /* what comes out are records of what comes in */
    bool beside;                 /* what comes in is its second source, too */
    int64_t src_units;
    void *params;                /* parameters of the operation; gf_bench_call_release() frees them */
    float *masks, *tables;       /* to be freed by gf_bench_call_release() */
    int64_t mask_count, table_count;
    size_t src_bytes, dst_bytes, carry_bytes;
    bool failed;                 /* there was no memory */
    double moved;                /* bytes that are read and written at least */
};

/* The kinds of input samples. */
enum gf_bench_fill {
    GF_BENCH_BYTES,              /* u8, noise */
    GF_BENCH_FLOATS,             /* f32, noise of 8 bits in [0, 1) */
    GF_BENCH_COUNTS              /* u64, noise of 16 bits */
};

/* The form of a case. */
struct gf_bench_form {
    bool cuda;                   /* for bodies on a GPU */
    int channels;
    bool floats;                 /* planes of them, where bytes would be */
};

struct gf_bench_case {
    const char *name;            /* of the operation, or of its lesson */
    const char *what;            /* is done, for people */
    const struct gf_operation *op;
    enum gf_bench_fill fill;
    bool floats_out;
    bool sound;                  /* units of one sample; else squares */
    bool measures;               /* what comes out is not samples */
    void (*set)(struct gf_bench_call *m);
};

/* A picture of so many columns and rows, or as many frames of sound. */
int gf_bench_call_make(const struct gf_bench_case *c, int64_t width, int64_t rows, const struct gf_bench_form *form,
                       struct gf_bench_call *m, struct gf_error *err) GF_MUST_CHECK;
/* The call with its memory. */
struct gf_io gf_bench_call_io(const struct gf_bench_call *m, void *src, void *dst);
void gf_bench_call_release(struct gf_bench_call *m);
/* Writes `bytes` bytes of what such a case reads. */
void gf_bench_fill_noise(enum gf_bench_fill fill, void *to, size_t bytes);

/* The sides of a square of one of the sizes. */
void gf_bench_square(int64_t samples, int64_t *width, int64_t *rows);

/* One channel, for bodies on a GPU, or on a CPU. */
extern const struct gf_bench_form gf_bench_form_cuda, gf_bench_form_cpu;

/* For those that set cases: room in the pools, NULL where there is no memory; the samples of a block; its shape, whose bytes it returns. */
float *gf_bench_call_masks(struct gf_bench_call *m, int64_t count);
float *gf_bench_call_tables(struct gf_bench_call *m, int64_t count);
void gf_bench_block_type(struct gf_block *b, enum gf_type type, int channels, bool planar);
size_t gf_bench_block_shape(struct gf_block *b, int64_t width, int64_t units);
/* One direction of a change of size, its table in the pool. */
void gf_bench_resize_axis(struct gf_bench_call *m, struct gf_resize_axis *axis, int64_t in, int64_t out);

#endif
