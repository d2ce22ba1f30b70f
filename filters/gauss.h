/* Gaussians: the weights of a short one, and a wide one that is computed on a coarser grid. */
#ifndef GF_FILTERS_GAUSS_H
#define GF_FILTERS_GAUSS_H

#include "chain/stage.h"
#include "kernels/base/border.h"

/* Writes exp(-x²/2σ²) for x from -radius to radius, scaled to sum 1. The least ones are 0. */
void gf_gauss_weights(float *weights, int radius, double sigma);

/* Returns true if gf_gauss_wide() supports this sigma, border and format. */
bool gf_gauss_is_wide(double sigma, enum gf_border border, const struct gf_format *in);

/*
 * Adds a blur whose cost does not grow with sigma. A cubic B-spline weighs rows and columns onto
 * a grid of about sigma / 4 pixels a step; the grid is blurred, and the same spline weighs it
 * back. Each spline also widens the image, by a third of a step squared; the blur on the grid is
 * narrower by that. A line of samples differs from a true Gaussian by at most 1.1e-4 of the
 * range, and an image by at most twice that.
 */
int gf_gauss_wide(double sigma, enum gf_border border, const struct gf_format *in, struct gf_build *build,
                  struct gf_error *err) GF_MUST_CHECK;

#endif
