/* Cutting out a rectangle: crop and autocrop. */
#ifndef GF_FILTERS_RECTANGLE_H
#define GF_FILTERS_RECTANGLE_H

#include "chain/stage.h"

struct gf_rectangle {
    int64_t x, y, width, height;
};

/* Adds the copy of a rectangle, which lies inside the image. */
int gf_rectangle_cut(const struct gf_rectangle *r, const struct gf_format *in, struct gf_build *build,
                     struct gf_error *err) GF_MUST_CHECK;
/* Adds that of its part in a plane of video; `in` is the format of the plane. */
int gf_rectangle_cut_plane(const struct gf_rectangle *r, const struct gf_plane *plane, const struct gf_format *in,
                           struct gf_build *build, struct gf_error *err) GF_MUST_CHECK;
/* Chroma can be cut at its own samples only, or at the end of the frame. */
enum gf_planes gf_rectangle_planes(const struct gf_rectangle *r, const struct gf_format *frame);

#endif
