/* Sums of weighted bytes along a row, for separable masks on a CPU with vectors of 64 bytes. */
#ifndef GF_KERNELS_CONV_BYTES_ALONG_H
#define GF_KERNELS_CONV_BYTES_ALONG_H

#include <stdbool.h>
#include <stdint.h>

#define GF_CONV_BYTES_ALONG 64           /* sums that are computed together; rows of sums are whole blocks of them */
#define GF_CONV_BYTES_BEYOND 32          /* bytes that can be read beyond the last block of a line */

/* Returns true for 3, 5 or 7 taps and up to four channels, if this processor has the instructions. */
bool gf_conv_bytes_along_runs(int64_t step, int taps);
/*
 * Sets out[i] to the sum over k of weights[k] · line[i + k·step] / one, for n sums and those up to the end of
 * the last block. Sums equal those of gf_conv_bytes_along() from the floats of gf_load_pixels().
 */
void gf_conv_bytes_load_along(const uint8_t *line, int64_t step, const float *weights, int taps, float one, float *out,
                              int64_t n);

#endif
