/* Cutting out a rectangle, of images and of planes of video. */
#include "filters/rectangle.h"

#include "kernels/geometry/move.h"

static int add_move(const struct gf_rectangle *r, struct gf_format *out, struct gf_build *build, struct gf_error *err)
{
    const struct gf_move move = { .xx = 1, .yy = 1, .cx = r->x, .cy = r->y };

    out->width = r->width;
    out->units = r->height;
    return gf_build_op(build, &gf_op_move, &move, (struct gf_need) { .shift = r->y }, out, err);
}

int gf_rectangle_cut(const struct gf_rectangle *r, const struct gf_format *in, struct gf_build *build,
                     struct gf_error *err)
{
    struct gf_format out = *in;

    gf_video_shift(&out, r->y);
    return add_move(r, &out, build, err);
}

int gf_rectangle_cut_plane(const struct gf_rectangle *r, const struct gf_plane *plane, const struct gf_format *in,
                           struct gf_build *build, struct gf_error *err)
{
    const struct gf_rectangle part = { r->x >> plane->sub_x, r->y >> plane->sub_y,
                                       gf_chroma_side(r->width, plane->sub_x),
                                       gf_chroma_side(r->height, plane->sub_y) };
    struct gf_format out = *in;

    return add_move(&part, &out, build, err);
}

enum gf_planes gf_rectangle_planes(const struct gf_rectangle *r, const struct gf_format *frame)
{
    return gf_planes_column_fits(frame, r->x) && gf_planes_row_fits(frame, r->y)
        && (gf_planes_column_fits(frame, r->width) || r->x + r->width == frame->width)
        && (gf_planes_row_fits(frame, r->height) || r->y + r->height == frame->units)
        ? GF_PLANES_EQUAL : GF_PLANES_NONE;
}
