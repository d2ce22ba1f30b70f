/* Sums of weighted samples between rows of bytes, for separable masks on a CPU. */
#ifndef GF_KERNELS_CONV_BYTES_SUMS_H
#define GF_KERNELS_CONV_BYTES_SUMS_H

#include <stdint.h>

#define GF_CONV_BYTES_BLOCK 32           /* samples that are computed together; rows of floats are whole blocks */
#define GF_CONV_BYTES_ROWS 4             /* rows of a result that are computed together and load each tap once */

/* The final step of a result: sample + amount · d if |d| > threshold, otherwise the sample; d = sample - sum. */
struct gf_conv_bytes_sharpen {
    const uint8_t *from[GF_CONV_BYTES_ROWS];     /* the samples of each row */
    float one;                                   /* the stored value of 1.0 in them */
    float amount, threshold;
};

/*
 * Sets out[i] to the sum over k of weights[k] · line[i + k·step], for n outputs and those up to the end of the last
 * block.
 */
void gf_conv_bytes_along(const float *line, int64_t step, const float *weights, int taps, float *out, int64_t n);
/*
 * Computes `rows` rows of n bytes, at most GF_CONV_BYTES_ROWS. Row r is the sum over k of weights[k] · tap[r + k],
 * times `one` (the stored value of 1.0), rounded as gf_store_pixels() does. `sharpen` is NULL for sums without a
 * final step.
 */
void gf_conv_bytes_down(const float *const *tap, const float *weights, int taps, float one,
                        const struct gf_conv_bytes_sharpen *sharpen, uint8_t *const *out, int rows, int64_t n);

#endif
