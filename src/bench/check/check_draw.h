/* Draws random calls of operations: numbers, sizes, fills and programs. */
#ifndef GF_BENCH_CHECK_CHECK_DRAW_H
#define GF_BENCH_CHECK_CHECK_DRAW_H

#include "bench/bench_case.h"
#include "device/device.h"
#include "kernels/base/op.h"

#define GF_ROOM (INT64_C(8) << 20)       /* bytes of a buffer: more than the largest trial needs */
#define GF_POISON 0xA5

/* The pools: noise, and behind it what some operations have weights or tables of their own in. */
#define GF_MASKS 40000
#define GF_WHOLE_MASKS (GF_MASKS - 1000) /* masks that are whole numbers divided by one */
#define GF_TABLES (1 << 19)
#define GF_NOISE_TABLES (4 * 4096)       /* behind it what resizing is done with */
#define GF_SPECTRA 512                   /* at the very end: windows of 64 and of 128 frames */
#define GF_RINGS (3 * 8 * 128 + GF_SPECTRA)      /* and before them the rings of loudness */

extern float *gf_masks, *gf_tables;

void gf_seed(uint64_t seed);
uint32_t gf_any(uint32_t n);             /* one of n, from 0 on */
double gf_unit_random(void);

enum { GF_SIZES = 11 };

extern const int64_t gf_sizes[GF_SIZES][2];          /* width and units */

enum gf_fill { GF_FILL_NOISE, GF_FILL_NEAR_0, GF_FILL_NEAR_1, GF_FILL_FLAT, GF_FILL_WILD, GF_FILLS };

struct gf_trial {
    const struct gf_form *form;
    int64_t width, units;
    struct gf_point load, store;
    struct gf_io io;
    bool smooth;                         /* slow arithmetic can be compared */
    enum gf_fill fill;
    bool aligned;                        /* rows of the source begin where fours of samples can be read */
};

extern unsigned char *gf_src_bytes, *gf_cpu_bytes, *gf_gpu_bytes;
extern unsigned char *gf_beside_bytes;   /* where an operation's second source lies, if it has one */
extern size_t gf_beside_size;            /* 0: it has none */
extern bool gf_aligned;                  /* blocks are laid out in rows without gaps, from a multiple of 512 on */

struct gf_span gf_part_of(int64_t units);
struct gf_span gf_grown(struct gf_span s, int64_t before, int64_t after, int64_t units);
const struct gf_form *gf_other_form(const struct gf_form *f);
struct gf_block gf_block_of(const struct gf_form *f, int channels, unsigned char *bytes, int64_t width, struct gf_span span);
size_t gf_block_bytes(const struct gf_block *b);
void gf_fill_block(const struct gf_block *b, size_t bytes, enum gf_fill how);
bool gf_make_program(struct gf_point *p, int channels, int steps, const struct gf_point **use);
void gf_start_trial(struct gf_trial *t, const struct gf_form *f, bool programs);
void gf_finish_trial(struct gf_trial *t, bool on_gpu, const struct gf_operation *op, const void *params, struct gf_span in, struct gf_span out,
                     int64_t out_width, const struct gf_form *to, double slack);

#endif
