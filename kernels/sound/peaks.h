/* Peaks between samples: the highest level around each frame, by interpolation. */
#ifndef GF_KERNELS_PEAKS_H
#define GF_KERNELS_PEAKS_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_PEAKS_SUMS 16                 /* partial sums of an interpolated value; taps are a multiple of it */

/*
 * The result has twice the channels of the source. The first half are those of the source, unchanged. Channel
 * channels + c has the peak of channel c at each frame: the largest absolute value of its sample and of the
 * per - 1 values after it, which rows 1 to per - 1 of the table interpolate. A value is the sum of `taps`
 * frames from n - taps/2 + 1 on, zero outside the signal, in the order of struct gf_resample. Samples that are
 * not finite count as 0; interpolated values that are not finite do not count. Planes in, planes out, with
 * adjacent frames and no programs.
 */
struct gf_peaks {
    int channels;
    int taps, per;
    int64_t table;                       /* per rows of `taps` weights, in the pool of tables */
};

extern const struct gf_operation gf_op_peaks;
gf_op_body gf_peaks_cpu, gf_peaks_cuda;

#ifdef __cplusplus
}
#endif
#endif
