/* Convolution on a GPU, bytes to bytes, with masks of 3 and 5 that are whole numbers or odd parts of them: sums of integers. */
#ifndef GF_KERNELS_CONV_WHOLE_CUH
#define GF_KERNELS_CONV_WHOLE_CUH

#include "kernels/base/cuda_check.cuh"
#include "kernels/neighbourhood/conv.h"

/* The weights of rows, as signed bytes: the first four columns, and where there are five the last in the uppermost byte. */
struct gf_whole_mask {
    int divisor;                         /* odd */
    int sum;
    int row[5][2];
};

/* Whether such a call is one of these, and its mask; then gf_conv_whole() queues it. */
bool gf_conv_is_whole(const struct gf_work *work, const struct gf_io *io, const struct gf_conv *conv, struct gf_whole_mask *mask);
int gf_conv_whole(const struct gf_work *work, const struct gf_io *io, const struct gf_conv *conv, const struct gf_whole_mask *mask,
                  struct gf_error *err);

#endif
