/* One call of a body on each device: what a CPU gives beside slow answers, what a GPU gives beside that, bit by bit. */
#ifndef GF_BENCH_CHECK_CHECK_COMPARE_H
#define GF_BENCH_CHECK_CHECK_COMPARE_H

#include "bench/check/check_draw.h"

extern struct gf_device gf_gpu;
extern bool gf_gpu_open;
extern char gf_gpu_why[300];             /* there is none */
extern double gf_carried[3][GF_MAX_CHANNELS * 300];  /* state: before a call, and after it on a CPU and on a GPU */
extern size_t gf_carried_bytes;          /* 0: the operation carries none */
extern double gf_rounding;               /* a part of the largest result that a GPU may be off; 0: not by a bit */
extern char gf_trouble[400];             /* of the group at hand; empty: none */
extern struct gf_error gf_failure;

void gf_open_gpu(void);
/* Makes other pools known to both devices. */
int gf_set_pools(float *masks, int64_t mask_count, float *tables, int64_t table_count);
void gf_close_gpu(void);
void gf_complain(const char *what, const struct gf_operation *op, const struct gf_io *io, int c, int64_t x, int64_t y, double got, double wanted);
bool gf_same_value(double a, double b);
void gf_check_poison(const struct gf_operation *op, const struct gf_block *d, const unsigned char *bytes, size_t size);
int gf_run_cpu(const struct gf_operation *op, const struct gf_io *io, const void *params);
int gf_run_gpu(const struct gf_operation *op, struct gf_io *io, const void *params, size_t src_size, size_t dst_size);
void gf_try_call(bool on_gpu, const struct gf_operation *op, const struct gf_io *io, const void *params, size_t src_size, size_t dst_size,
                 double slack);

#endif
