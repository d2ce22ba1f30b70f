/* Shared by stages that take a second image from a file. */
#include "filters/side_input.h"

/* Adds the step from gray to three equal channels; alpha is copied. */
static int widen_gray(struct gf_build *build, struct gf_error *err)
{
    const struct gf_point_step step = { .kind = GF_POINT_MATRIX, .channels = 1, .outs = 3,
                                        .m = { { 1, 0 }, { 1, 0 }, { 1, 0 } } };
    struct gf_format out = *gf_build_format(build);

    out.channels += 2;
    return gf_build_point(build, &step, &out, err);
}

/*
 * Refuses numbers of color channels that cannot be paired. A gray file applies to each channel.
 * A mask needs only the alpha or the gray of the file, and adds alpha to the image.
 */
static int check_colours(const char *stage, const char *file, enum gf_blend_mode mode, const struct gf_format *in,
                         const struct gf_format *other, struct gf_error *err)
{
    const int here = gf_colours(in), there = gf_colours(other);

    if (mode == GF_BLEND_MASK && here > 3)
        return gf_fail(err, GF_FAILED, "%s: the image has %d color channels; must be gray or RGB", stage, here);
    if (mode == GF_BLEND_MASK ? there == 1 || there == 3 || other->alpha
        : there == 1 || there == here || (there == 3 && here == 1))
        return 0;
    return gf_fail(err, GF_FAILED,
                   "%s: %s has %d color channels, but the image has %d here; use a file that is gray or has as many",
                   stage, file, there, here);
}

int gf_side_input_open(const char *stage, const char *file, bool same_size, bool widen, struct gf_blend *b,
                       struct gf_build *build, struct gf_error *err)
{
    const struct gf_format *other, *in = gf_build_format(build);
    const int side = gf_build_side(build, file, &other, err);

    if (side < 0)
        return -1;
    if (same_size && (other->width != in->width || other->units != in->units))
        return gf_fail(err, GF_FAILED,
                       "%s: %s is %lldx%lld, but the image is %lldx%lld here; both must have the same size", stage,
                       gf_build_side_name(build, side), (long long)other->width, (long long)other->units,
                       (long long)in->width, (long long)in->units);
    if (check_colours(stage, gf_build_side_name(build, side), b->mode, in, other, err) != 0)
        return -1;
    if (widen && gf_colours(in) == 1 && gf_colours(other) == 3 && widen_gray(build, err) != 0)
        return -1;
    in = gf_build_format(build);
    b->colours = gf_colours(in);
    b->alpha = in->alpha;
    b->beside_colours = gf_colours(other);
    b->beside_alpha = other->alpha;
    return side;
}

int gf_side_input_blend(const struct gf_blend *b, int side, int64_t y, struct gf_build *build, struct gf_error *err)
{
    if (gf_build_op(build, &gf_op_blend, b, (struct gf_need) { 0 }, NULL, err) != 0)
        return -1;
    gf_build_use_side(build, side, y);
    return 0;
}
