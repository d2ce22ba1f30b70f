/* rotate: rotate by any angle; quarter turns are exact. */
#include "filters/rotate.h"

#include "base/elementary.h"
#include "kernels/geometry/move.h"

#include <math.h>
#include <string.h>

const char *const gf_rotate_fits[] = { "expand", "keep", "inner", NULL };
static const struct gf_option options[] = {
    { .name = "degrees", .type = GF_OPTION_NUMBER, .offset = offsetof(struct gf_rotate, degrees), .least = -1e6,
      .most = 1e6, .unit = "degrees", .required = true,
      .text = "angle, clockwise" },
    GF_ROTATE_FIT_OPTION,
    GF_SAMPLING_OPTIONS(struct gf_rotate, "black"),
    { .name = NULL }
};

/* Turns by quarter turns clockwise: pixels move and keep their values. */
static int bind_quarter(const char *stage, int c, int s, const struct gf_format *in, struct gf_build *build,
                        struct gf_error *err)
{
    const int64_t w = in->width, h = in->units;
    struct gf_format out = *in;
    struct gf_move move = { .xx = c, .xy = s, .yx = -s, .yy = c };
    const struct gf_need need = { .whole = true, .grain = s != 0 ? GF_MOVE_SQUARE : 1 };

    if (c == 1)
        return 0;
    if (s != 0) {
        out.width = h;
        out.units = w;
        if (gf_video_turn(&out, stage, err) != 0)
            return -1;
    } else {
        gf_video_flip(&out);
    }
    move.cx = (c < 0 || s < 0) ? w - 1 : 0;
    move.cy = (c < 0 || s > 0) ? h - 1 : 0;
    return gf_build_op(build, &gf_op_move, &move, need, &out, err);
}

/*
 * Maps the center of the result to the center of the source. The constants are doubled, so that
 * halves are whole numbers.
 */
static void align_centers(struct gf_sample *s, double c, double sine, const struct gf_format *in,
                          const struct gf_format *out)
{
    const double one = ldexp(1, GF_SAMPLE_ONE_BITS);
    const int64_t unit = INT64_C(1) << GF_SAMPLE_ONE_BITS;

    s->xx = s->yy = llround(c * one);
    s->xy = llround(sine * one);
    s->yx = -s->xy;
    s->cx = (in->width - 1) * (unit / 2) - ((out->width - 1) * s->xx + (out->units - 1) * s->xy) / 2;
    s->cy = (in->units - 1) * (unit / 2) - ((out->width - 1) * s->yx + (out->units - 1) * s->yy) / 2;
}

/*
 * Sets the size of the largest rectangle whose pixels all lie between centers of pixels of the source. If two of its
 * corners touch the same long side, its own sides are in the ratio of sine and cosine; otherwise all four corners
 * touch a side each.
 */
static void fit_inner(double c, double s, const struct gf_format *in, struct gf_format *out)
{
    const double w = (double)(in->width - 1), h = (double)(in->units - 1), small = w < h ? w : h, large = w < h ? h : w;
    double across, down;

    c = fabs(c);
    s = fabs(s);
    if (small <= 2 * s * c * large || fabs(c - s) < 1e-9) {
        across = small / 2 / (w < h ? c : s);
        down = small / 2 / (w < h ? s : c);
    } else {
        across = (w * c - h * s) / (c * c - s * s);
        down = (h * c - w * s) / (c * c - s * s);
    }
    out->width = (int64_t)floor(across + 1e-6) + 1;
    out->units = (int64_t)floor(down + 1e-6) + 1;
}

int gf_rotate_bind(const char *stage, const struct gf_rotate *r, const struct gf_format *in, struct gf_build *build,
                   struct gf_error *err)
{
    struct gf_sample sample = { .interpolation = (enum gf_interpolation)r->sampling.filter };
    struct gf_format out = *in;
    const double turn = r->degrees - 360 * floor(r->degrees / 360);
    const double c = gf_cos_pi(turn / 180), s = gf_sin_pi(turn / 180);       /* exact at quarter turns */
    struct gf_sampled_border border;

    if (r->fit != GF_ROTATE_KEEP && (c == 0 || s == 0))
        return bind_quarter(stage, (int)c, (int)s, in, build, err);
    if (r->fit == GF_ROTATE_INNER)
        fit_inner(c, s, in, &out);
    if (r->fit == GF_ROTATE_EXPAND) {
        out.width = (int64_t)ceil((double)in->width * fabs(c) + (double)in->units * fabs(s) - 1e-4);
        out.units = (int64_t)ceil((double)in->width * fabs(s) + (double)in->units * fabs(c) - 1e-4);
    }
    if (gf_sampling_check(stage, &r->sampling, in, &out, err) != 0)
        return -1;
    if (r->fit == GF_ROTATE_INNER && r->sampling.background.given)
        return gf_fail(err, GF_MISUSED, "%s: the result of fit=inner has no background; remove bg=", stage);
    align_centers(&sample, c, s, in, &out);
    border = gf_sampling_border(&r->sampling, in);
    if (r->fit == GF_ROTATE_INNER && border.use_background)
        border = (struct gf_sampled_border) { .border = GF_CLAMP };
    sample.use_background = border.use_background;
    sample.border = border.border;
    memcpy(sample.background, border.background, sizeof sample.background);
    return gf_sampling_add(stage, &r->sampling, border.border == GF_ZERO, &gf_op_sample, &sample, -1, &out, build,
                           err);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    return gf_rotate_bind("rotate", config, in, build, err);
}

/* Quarter turns move planes. Chroma on the left column would be at another side, which a Y4M cannot state. */
static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    const double quarters = ((const struct gf_rotate *)config)->degrees / 90;
    const double turns = quarters - 4 * floor(quarters / 4);

    if (quarters != floor(quarters) || !gf_planes_column_fits(frame, frame->width)
        || !gf_planes_row_fits(frame, frame->units)
        || (turns != 0 && turns != 2 && gf_planes_if_square(frame) == GF_PLANES_NONE))
        return GF_PLANES_NONE;
    return turns == 0 || gf_planes_are_centered(frame) ? GF_PLANES_EQUAL : GF_PLANES_OTHER;
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm rotate:30 -o turned.png",
    "gpufilter -i photo.ppm rotate:-1.5,fit=keep,edge=reflect -o straight.png",
    "gpufilter -i photo.ppm rotate:-1.5,fit=inner -o straight.png",
    "gpufilter -i photo.ppm rotate:90 -o upright.png",
    "gpufilter -i photo.ppm rotate:10,bg=#336699,filter=cubic -o turned.png",
    "gpufilter -i photo.ppm rotate:5,light=linear -o turned.png",
    NULL
};

const struct gf_stage gf_stage_rotate = {
    .name = "rotate",
    .kind = GF_IMAGE,
    .group = GF_GROUP_GEOMETRY,
    .keeps_values = true,
    .summary = "rotate by any angle",
    .text = "The image turns clockwise around its center. Quarter turns copy pixels exactly. By default "
            "the result is enlarged to\n\n"
            "    ⌈w·|cos| + h·|sin|⌉ columns, ⌈w·|sin| + h·|cos|⌉ rows\n\n"
            "With fit=keep it keeps its size. With fit=inner it is the largest upright rectangle inside the rotated "
            "image, so that no background is visible. Along the border of the image, the last pixels are blended "
            "with the background. With light=linear, pixels are mixed in linear light: the sRGB curve is "
            "removed before and applied again afterwards. If filter=linear is used and the result is "
            "stored in 8 bits directly after rotate, positions are rounded to 1/256 of a pixel. A GPU then reads "
            "gray images through a texture.",
    .examples = examples,
    .picture = "cutout.pam rotate:30",
    .options = options,
    .config_bytes = sizeof(struct gf_rotate),
    .bind = bind,
    .planes = planes,
};
