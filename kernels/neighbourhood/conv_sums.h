/* Sums of weighted samples, for the C body of conv. */
#ifndef GF_KERNELS_CONV_SUMS_H
#define GF_KERNELS_CONV_SUMS_H

#include <stdint.h>

#define GF_CONV_SUMS_BLOCK 64            /* outputs whose sums stay in registers; fewer at once are slow */
#define GF_CONV_SUMS_ROWS 3              /* rows that are computed together */

/*
 * Sets out[x] to the sum over k of weights[k] · tap[k][x], for n outputs, in chains of `chunk` taps. `out` must not
 * overlap the taps.
 */
void gf_conv_sums(const float *const *tap, const float *weights, int taps, int chunk, float *out, int64_t n);
/*
 * Does so for GF_CONV_SUMS_ROWS rows, with the same results: row r reads `taps` of them from tap[r] on. Rows share
 * most of their taps, which are loaded once.
 */
void gf_conv_sums_rows(const float *const *tap, const float *weights, int taps, int chunk, float *const *out,
                       int64_t n);
/* Replaces n sums in `to` by the sharpened samples. */
void gf_conv_sums_sharpen(float *to, const float *sample, float amount, float threshold, int64_t n);

#endif
