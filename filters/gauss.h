/* Gaussians: the weights of a short one, and a wide one made on a coarser grid. */
#ifndef GF_FILTERS_GAUSS_H
#define GF_FILTERS_GAUSS_H

#include "chain/stage.h"
#include "kernels/base/border.h"

/* exp(-x²/2σ²) for x from -radius to radius, to sum 1. */
void gf_gauss_weights(float *weights, int radius, double sigma);

/* Whether gf_gauss_wide() can do it. */
bool gf_gauss_is_wide(double sigma, enum gf_border border, const struct gf_format *in);

/*
 * Adds a blur by sigma, at a cost that does not grow with it: every row and column is
 * weighed by a cubic B-spline onto a grid of about sigma / 4 pixels a step, blurred there,
 * and weighed back by the same spline. The splines widen too, by a third of a step squared
 * each, which the blur between them leaves out. Farther than 1.1e-4 of the range from a true
 * Gaussian no line of samples can come, so twice that for a picture.
 */
int gf_gauss_wide(double sigma, enum gf_border border, const struct gf_format *in, struct gf_build *build,
                  struct gf_error *err) GF_MUST_CHECK;

#endif
