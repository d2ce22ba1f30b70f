/* Convolution with one mask, for the stages that are no more than that; and the masks that have a name. */
#ifndef GF_FILTERS_CONVOLVE_H
#define GF_FILTERS_CONVOLVE_H

#include "chain/stage.h"
#include "kernels/base/border.h"

/* Ended by a row without a name. */
extern const struct gf_named_mask gf_convolve_masks[];

/* Adds a convolution with the mask, divided, its centre at (columns / 2, rows / 2). The colours as they are, alpha copied. */
int gf_convolve_bind(const struct gf_mask *mask, double divide, enum gf_border border, const struct gf_format *in,
                     struct gf_build *build, struct gf_error *err) GF_MUST_CHECK;

#endif
