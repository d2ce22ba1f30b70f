/* Makes a call on each device, and compares the results with a reference and with each other. */
#ifndef GF_BENCH_CHECK_CHECK_COMPARE_H
#define GF_BENCH_CHECK_CHECK_COMPARE_H

#include "bench/check/check_draw.h"

/* Opens a GPU. If that fails, check->gpu_open stays false, and check->gpu_why says why. */
void gf_check_open_gpu(struct gf_check *check, int index);
void gf_check_close_gpu(struct gf_check *check);
/* Makes these the pools of both devices. */
int gf_check_set_pools(struct gf_check *check, float *masks, int64_t mask_count, float *tables, int64_t table_count);

/* Notes a problem with a value of the result, unless one has been noted. */
void gf_check_report(struct gf_check *check, const char *what, const struct gf_operation *op, const struct gf_io *io,
                     int c, int64_t x, int64_t y, double got, double wanted);
/* Returns true if both are the same bits, or both NaN. */
bool gf_check_same(double a, double b);
/*
 * Compares a sample of the result with its reference: within `slack`, and a step of what is stored.
 */
void gf_check_sample(struct gf_check *check, const struct gf_operation *op, const struct gf_io *io, int c, int64_t x,
                     int64_t y, double wanted, double slack);
/* Reports bytes around the block that were written. */
void gf_check_untouched(struct gf_check *check, const struct gf_operation *op, const struct gf_block *d,
                        const unsigned char *bytes, size_t size);

int gf_check_run_cpu(struct gf_check *check, const struct gf_operation *op, const struct gf_io *io, const void *params);
/* Makes the call in the GPU's memory, and points io->dst at the result in check->gpu. */
int gf_check_run_gpu(struct gf_check *check, const struct gf_operation *op, struct gf_io *io, const void *params,
                     size_t src_size, size_t dst_size);

/* Compares a result with the operation's reference. Does nothing if there is none. */
void gf_check_reference(struct gf_check *check, const struct gf_operation *op, const struct gf_io *io,
                        const void *params, double slack);
/* Makes a call and compares. With slack < 0 it compares the devices, but not with the reference. */
void gf_check_call(struct gf_check *check, const struct gf_operation *op, const struct gf_io *io, const void *params,
                   size_t src_size, size_t dst_size, double slack);
/*
 * Lays out the blocks of a random call, src with `in` and dst with `out` of the signal; fills src,
 * and makes the call.
 */
void gf_check_trial(struct gf_check *check, struct gf_trial *t, const struct gf_operation *op, const void *params,
                    struct gf_span in, struct gf_span out, int64_t out_width, const struct gf_form *to, double slack);

#endif
