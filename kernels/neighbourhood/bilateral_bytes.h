/* Bilateral means of one channel from packed bytes to packed bytes, for the C body of bilateral. */
#ifndef GF_KERNELS_BILATERAL_BYTES_H
#define GF_KERNELS_BILATERAL_BYTES_H

#include "kernels/neighbourhood/bilateral.h"

/* Pixels that gf_bilateral_windows() computes at a time. */
#define GF_BILATERAL_WINDOWS 32

/* Returns true if blocks and parameters are such that processors with the instructions go from bytes to bytes. */
bool gf_bilateral_bytes_fits(const struct gf_io *io, const struct gf_bilateral *b);
/* Returns true if this processor has them, and the weights are such, too. */
bool gf_bilateral_bytes_runs(const struct gf_work *work, const struct gf_bilateral *b);
size_t gf_bilateral_bytes_scratch(const struct gf_io *io, const struct gf_bilateral *b);
void gf_bilateral_bytes_run(const struct gf_work *work, const struct gf_io *io, const struct gf_bilateral *b,
                            void *scratch);

/*
 * Computes GF_BILATERAL_WINDOWS pixels of one channel as the floats of any call. Sample (i, j) of the square of pixel k
 * is windows[(j * side + i) * GF_BILATERAL_WINDOWS + k].
 */
void gf_bilateral_windows(const float *windows, const struct gf_bilateral *b, const float *near, float *to);

#endif
