/* Point stages on the planes of video: the same line for each color, and curves of luma. */
#ifndef GF_FILTERS_PLANE_CURVES_H
#define GF_FILTERS_PLANE_CURVES_H

#include "chain/stage.h"

/* Binds a stage that turns each of red, green and blue, v, to a·v + b. */
int gf_plane_affine(const struct gf_plane *plane, double a, double b, struct gf_build *build,
                    struct gf_error *err) GF_MUST_CHECK;
/* Turns luma, v, to max(a·v + b, 0)^power. */
int gf_plane_curve(const struct gf_plane *plane, double a, double b, double power, struct gf_build *build,
                   struct gf_error *err) GF_MUST_CHECK;

#endif
