/* Samples of packed bytes at transformed positions, for the C body of sample. */
#ifndef GF_KERNELS_SAMPLE_BYTES_H
#define GF_KERNELS_SAMPLE_BYTES_H

#include "kernels/geometry/sample.h"

/* Returns true if a call goes from packed bytes to packed bytes, with no program. */
bool gf_sample_bytes_fits(const struct gf_io *io, const struct gf_sample *s);
void gf_sample_bytes_run(const struct gf_io *io, const struct gf_sample *s);

#endif
