/*
 * Convolution on a GPU from bytes to bytes with masks of 3 and 5 that are integers or odd fractions
 * of them: integer sums.
 */
#ifndef GF_KERNELS_CONV_WHOLE_CUH
#define GF_KERNELS_CONV_WHOLE_CUH

#include "kernels/base/cuda_check.cuh"
#include "kernels/neighbourhood/conv.h"

/*
 * The weights of rows as signed bytes: the first four columns, and the fifth in the uppermost byte,
 * if there is one.
 */
struct gf_whole_mask {
    int divisor;                         /* odd */
    int sum;
    int row[5][2];
};

/* Report if gf_conv_whole() can run such a call, and compute its mask. */
bool gf_conv_is_whole(const struct gf_work *work, const struct gf_io *io, const struct gf_conv *conv,
                      struct gf_whole_mask *mask);
int gf_conv_whole(const struct gf_work *work, const struct gf_io *io, const struct gf_conv *conv,
                  const struct gf_whole_mask *mask,
                  struct gf_error *err);

#endif
