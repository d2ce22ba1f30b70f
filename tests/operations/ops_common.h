/* What trials of operations share: random numbers, formats and cases, and one call of a body on each device. */
#ifndef GF_OPS_COMMON_H
#define GF_OPS_COMMON_H

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

/* ---- ops_common.c ---- */

void gf_seed(uint64_t seed);
uint32_t gf_any(uint32_t n);             /* one of n, from 0 on */
double gf_unit_random(void);

/* How samples are stored. */
struct gf_form {
    const char *name;
    enum gf_type type;
    int bits;
    uint32_t maxval;
    int channels;
    bool planar;
};

enum { GF_FORMS = 17, GF_SIZES = 11 };

extern const struct gf_form gf_forms[GF_FORMS];
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

/* ---- ops_call.c ---- */

extern struct gf_device gf_gpu;
extern bool gf_gpu_open;
extern char gf_gpu_why[300];             /* there is none */
extern double gf_carried[3][GF_MAX_CHANNELS * 300];  /* state: as it was before a call, and behind it on a CPU and on a GPU */
extern size_t gf_carried_bytes;          /* 0: the operation carries none */
extern char gf_trouble[400];             /* of the group at hand; empty: none */
extern struct gf_error gf_failure;

void gf_open_gpu(void);
void gf_close_gpu(void);
void gf_complain(const char *what, const struct gf_operation *op, const struct gf_io *io, int c, int64_t x, int64_t y, double got, double wanted);
bool gf_same_value(double a, double b);
void gf_check_poison(const struct gf_operation *op, const struct gf_block *d, const unsigned char *bytes, size_t size);
int gf_run_cpu(const struct gf_operation *op, const struct gf_io *io, const void *params);
int gf_run_gpu(const struct gf_operation *op, struct gf_io *io, const void *params, size_t src_size, size_t dst_size);
void gf_try_call(bool on_gpu, const struct gf_operation *op, const struct gf_io *io, const void *params, size_t src_size, size_t dst_size,
                 double slack);

#endif
