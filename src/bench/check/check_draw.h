/*
 * The state of `gpufilter-bench --check`, and random calls of operations: numbers, sizes, samples,
 * programs.
 */
#ifndef GF_BENCH_CHECK_CHECK_DRAW_H
#define GF_BENCH_CHECK_CHECK_DRAW_H

#include "bench/bench_case.h"
#include "device/device.h"
#include "kernels/base/op.h"

#define GF_CHECK_ROOM (INT64_C(8) << 20) /* bytes of each buffer: more than the largest call needs */
#define GF_CHECK_POISON 0xA5             /* the byte that fills a result before the call */
#define GF_CHECK_CARRY (GF_MAX_CHANNELS * 300)   /* numbers of state that a call can carry */

/*
 * Layout of the pools of random calls: noise first, then weights and tables that some groups put
 * there.
 */
#define GF_CHECK_MASKS 40000
#define GF_CHECK_WHOLE_MASKS (GF_CHECK_MASKS - 1000)     /* from here: masks of integers with one divisor */
#define GF_CHECK_TABLES (1 << 19)
#define GF_CHECK_NOISE (4 * 4096)        /* values of noise; the weights of resize follow */
#define GF_CHECK_SPECTRA 1024            /* at the end: windows of 64 and of 128 frames */
#define GF_CHECK_SCALES (2048 + GF_CHECK_SPECTRA)        /* before them: the scales of non-local means */
#define GF_CHECK_RINGS (3 * 8 * 128 + GF_CHECK_SCALES)   /* before them: the tables of loudness */
#define GF_CHECK_WINDOWS 2048            /* before those: the tables of windows of 128 and of 256 frames */

enum gf_check_side { GF_CHECK_BEFORE, GF_CHECK_ON_CPU, GF_CHECK_ON_GPU, GF_CHECK_SIDES };

/* The state of a run of --check. Buffers on the GPU mirror those of the host. */
struct gf_check {
    uint64_t random;                     /* state of the random numbers */
    bool on_gpu;                         /* the current calls run on the GPU too */
    bool thorough;                       /* compare the GPU's results with the reference too, not only with the CPU's */
    bool aligned;                        /* blocks get rows without gaps, at a multiple of 512 bytes */
    float *masks, *tables;               /* the pools of the current calls */
    unsigned char *src, *cpu, *gpu;      /* what a call reads, and the result of each device */
    unsigned char *second;               /* the second source, of an operation that has one */
    size_t second_bytes;                 /* 0: the operation has no second source */
    double carried[GF_CHECK_SIDES][GF_CHECK_CARRY];      /* carried state: before a call, and after it on each device */
    size_t carried_bytes;                /* 0: the operation carries no state */
    int64_t compared;                    /* values that have been compared with a reference in the current check */
    char problem[400];                   /* the first problem of the current check; empty: none */
    struct gf_error failure;             /* the error of the last call that failed */
    struct gf_device device;             /* the GPU, if gpu_open */
    bool gpu_open;
    char gpu_why[300];                   /* why there is no GPU */
    void *gpu_src, *gpu_dst, *gpu_second, *gpu_carried;
};

void gf_draw_seed(struct gf_check *check, uint64_t seed);
/* Draws an integer from 0 to n - 1. */
uint32_t gf_draw(struct gf_check *check, uint32_t n);
/* Draws a number from 0 to 1. */
double gf_draw_unit(struct gf_check *check);

enum { GF_DRAW_SIZES = 11 };

extern const int64_t gf_draw_sizes[GF_DRAW_SIZES][2];        /* width and units */

enum gf_fill { GF_FILL_NOISE, GF_FILL_NEAR_0, GF_FILL_NEAR_1, GF_FILL_FLAT, GF_FILL_WILD, GF_FILLS };

/* A random call. */
struct gf_trial {
    const struct gf_form *form;
    int64_t width, units;
    struct gf_point load, store;
    struct gf_io io;
    bool smooth;                         /* no rounding decides the result, so that a reference can be compared */
    enum gf_fill fill;
    bool src_adjacent, dst_adjacent;     /* units of the planes follow each other without gaps */
};

/* Draws a part of a signal. */
struct gf_span gf_draw_span(struct gf_check *check, int64_t units);
/* Returns the span with up to so many more units on both sides, within the signal. */
struct gf_span gf_check_grow(struct gf_span s, int64_t before, int64_t after, int64_t units);
/* Draws a form of samples, often `f` itself. */
const struct gf_form *gf_draw_form(struct gf_check *check, const struct gf_form *f);
/* Draws the layout of a block in a buffer. */
struct gf_block gf_draw_block(struct gf_check *check, const struct gf_form *f, int channels, unsigned char *bytes,
                              int64_t width, struct gf_span span);
/* Returns the bytes of a buffer to the end of a block, with some to spare. */
size_t gf_check_block_bytes(const struct gf_block *b);
/* Fills check->src with samples of the block's type. */
void gf_draw_samples(struct gf_check *check, const struct gf_block *b, size_t bytes, enum gf_fill how);
/*
 * Draws a program of so many steps. *use points to it, or is NULL. Returns true if a reference can
 * be compared after it.
 */
bool gf_draw_program(struct gf_check *check, struct gf_point *p, int channels, int steps, const struct gf_point **use);
/* Draws the size and the programs of a call. */
void gf_draw_trial(struct gf_check *check, struct gf_trial *t, const struct gf_form *f, bool programs);

#endif
