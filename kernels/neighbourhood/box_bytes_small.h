/* Means of small squares from packed bytes to packed bytes, for box_bytes.c. */
#ifndef GF_KERNELS_BOX_BYTES_SMALL_H
#define GF_KERNELS_BOX_BYTES_SMALL_H

#include "kernels/base/op.h"

#define GF_BOX_BYTES_SMALL_RADIUS 7      /* the sum of 15 by 15 bytes has 16 bits */

size_t gf_box_bytes_small_scratch(void);
/* Computes means as gf_box_bytes_run() does, for a radius from 1 to GF_BOX_BYTES_SMALL_RADIUS. */
void gf_box_bytes_small_run(const struct gf_io *io, int radius, enum gf_border border, void *scratch);

#endif
