/* Separable masks from packed bytes to packed bytes, for the C body of conv. */
#ifndef GF_KERNELS_CONV_BYTES_H
#define GF_KERNELS_CONV_BYTES_H

#include "kernels/neighbourhood/conv.h"

/* Returns true if a call can be computed this way. The result has the same bits. */
bool gf_conv_bytes_fits(const struct gf_io *io, const struct gf_conv *conv);
size_t gf_conv_bytes_scratch(const struct gf_conv *conv);
void gf_conv_bytes_run(const struct gf_work *work, const struct gf_io *io, const struct gf_conv *conv);

#endif
