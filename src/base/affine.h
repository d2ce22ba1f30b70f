/* Affine maps between positions in two images. */
#ifndef GF_BASE_AFFINE_H
#define GF_BASE_AFFINE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Maps (x, y) to (cx + x·xx + y·xy, cy + x·yx + y·yy). The first pixel of an image covers 0 to 1. */
struct gf_affine {
    double xx, xy, cx, yx, yy, cy;
    bool unknown;                /* positions follow no such map, as after a perspective; the numbers say nothing */
};

/* How the axes of two images lie to each other. */
enum gf_axes {
    GF_AXES_SAME,                /* only scaled and shifted */
    GF_AXES_MIRRORED,            /* one or both are reversed */
    GF_AXES_TURNED,              /* rows became columns, mirrored or not */
    GF_AXES_OBLIQUE
};

struct gf_affine gf_affine_identity(void);
/* Returns the map that applies `first`, then `then`. */
struct gf_affine gf_affine_join(const struct gf_affine *first, const struct gf_affine *then);
/* Returns the inverse of a map that has one, as all maps of images have. */
struct gf_affine gf_affine_invert(const struct gf_affine *m);
enum gf_axes gf_affine_axes(const struct gf_affine *m);
void gf_affine_apply(const struct gf_affine *m, double *x, double *y);
/* Sets *x and *y to the lengths that a step of 1 along each axis has after the map. */
void gf_affine_steps(const struct gf_affine *m, double *x, double *y);

#ifdef __cplusplus
}
#endif
#endif
