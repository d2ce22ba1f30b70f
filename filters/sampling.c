/* Options and operations of stages that take values at positions between pixels. */
#include "filters/sampling.h"

#include "kernels/base/curve.h"

#include <string.h>

const char *const gf_sampling_edges[] = { "clamp", "reflect", "mirror", "wrap", "zero", "bg", NULL };
const char *const gf_sampling_filters[] = { "nearest", "linear", "cubic", NULL };
const char *const gf_sampling_lights[] = GF_LIGHT_CHOICES;

int gf_sampling_check(const char *stage, const struct gf_sampling *s, const struct gf_format *in,
                      const struct gf_format *out, struct gf_error *err)
{
    if (in->width > GF_SAMPLE_MAX_SIDE || in->units > GF_SAMPLE_MAX_SIDE || out->width > GF_SAMPLE_MAX_SIDE
        || out->units > GF_SAMPLE_MAX_SIDE)
        return gf_fail(err, GF_FAILED, "%s: the image or the result is too large; sides must be 1 to %d pixels",
                       stage, GF_SAMPLE_MAX_SIDE);
    if (s->background.given && s->edge != GF_EDGE_BACKGROUND)
        return gf_fail(err, GF_MISUSED, "%s: bg= and edge= exclude each other; give one of them", stage);
    return 0;
}

struct gf_sampled_border gf_sampling_border(const struct gf_sampling *s, const struct gf_format *in)
{
    const bool uses = s->edge == GF_EDGE_BACKGROUND;
    struct gf_sampled_border b = { .use_background = uses, .border = uses ? GF_ZERO : (enum gf_border)s->edge };
    const double alpha = in->alpha ? s->background.rgba[3] : 1;
    const int colours = gf_colours(in);

    if (!s->background.given)
        return b;
    for (int c = 0; c < colours; c++) {
        const double v = gf_colour_sample(&s->background, colours, c);

        b.background[c] = (float)(alpha * (s->light == GF_LIGHT_LINEAR ? (double)gf_linear_of_srgb((float)v) : v));
    }
    if (in->alpha)
        b.background[colours] = (float)alpha;
    return b;
}

/* Warns if pixels are not square: positions treat them as squares. */
static void warn_distorted(const char *stage, const struct gf_format *in, struct gf_build *build)
{
    int64_t width, height;

    if (!gf_video_is_anamorphic(&in->yuv))
        return;
    gf_video_square_size(in, &width, &height);
    gf_build_warn(build, "%s distorts the image because its pixels are not square (%d:%d); put resize:%lldx%lld "
                         "before it", stage, in->yuv.aspect[0], in->yuv.aspect[1], (long long)width, (long long)height);
}

int gf_sampling_add(const char *stage, const struct gf_sampling *s, bool clears, const struct gf_operation *op,
                    const void *params, int side, struct gf_format *out, struct gf_build *build,
                    struct gf_error *err)
{
    const struct gf_format in = *gf_build_format(build);
    const enum gf_light light = (enum gf_light)s->light;

    if (gf_video_rotate(out, stage, err) != 0)
        return -1;
    warn_distorted(stage, &in, build);
    if (gf_build_to_linear(build, light, err) != 0 || gf_build_premultiply(build, err) != 0
        || gf_build_op(build, op, params, (struct gf_need) { .whole = true }, out, err) != 0)
        return -1;
    if (side >= 0)
        gf_build_use_side(build, side, 0);
    if (gf_build_unpremultiply(build, err) != 0)
        return -1;
    if (in.alpha && clears && !(s->background.given && s->background.rgba[3] == 1))
        gf_build_mark_transparent(build);
    return gf_build_from_linear(build, light, err);
}

int gf_sampling_add_warp(const char *stage, const struct gf_sampling *s, struct gf_warp *op, int side,
                         struct gf_format *out, struct gf_build *build, struct gf_error *err)
{
    const struct gf_format *in = gf_build_format(build);
    const struct gf_sampled_border border = gf_sampling_border(s, in);

    if (gf_sampling_check(stage, s, in, out, err) != 0)
        return -1;
    op->interpolation = (enum gf_interpolation)s->filter;
    op->use_background = border.use_background;
    op->border = border.border;
    memcpy(op->background, border.background, sizeof op->background);
    return gf_sampling_add(stage, s, border.border == GF_ZERO, &gf_op_warp, op, side, out, build, err);
}
