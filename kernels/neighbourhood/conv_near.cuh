/* Convolution on a GPU with masks of 3 and 5: one channel of bytes or floats, straight from memory to registers. */
#ifndef GF_KERNELS_CONV_NEAR_CUH
#define GF_KERNELS_CONV_NEAR_CUH

#include "kernels/base/cuda_check.cuh"
#include "kernels/neighbourhood/conv.h"

/* Returns true if gf_conv_near() can run such a call. */
bool gf_conv_is_near(const struct gf_io *io, const struct gf_conv *conv);
int gf_conv_near(const struct gf_work *work, const struct gf_io *io, const struct gf_conv *conv, struct gf_error *err);

#endif
