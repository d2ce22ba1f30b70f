/* Convolution with one mask, and the masks that have a name. */
#ifndef GF_FILTERS_CONVOLVE_H
#define GF_FILTERS_CONVOLVE_H

#include "chain/stage.h"
#include "kernels/base/border.h"
#include "kernels/neighbourhood/fftmask.h"

/* The last row has no name. */
extern const struct gf_named_mask gf_convolve_masks[];

/*
 * Adds a convolution with the mask / divide. The center is at (columns / 2, rows / 2). Colors
 * are filtered as stored; alpha is copied.
 */
int gf_convolve_bind(const struct gf_mask *mask, double divide, enum gf_border border, const struct gf_format *in,
                     struct gf_build *build, struct gf_error *err) GF_MUST_CHECK;

/*
 * Adds the turns and spectra of a mask to the pool, at an even place: weights by rows, from the last one on if it is
 * turned.
 */
int gf_convolve_add_spectra(const struct gf_fftmask *m, const float *weights, bool turned, struct gf_build *build,
                            int64_t *at, struct gf_error *err) GF_MUST_CHECK;

#endif
