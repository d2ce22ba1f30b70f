/* The values of samples along a chain, and the plans that use texture units because of them. */
#include <math.h>
#include <stdlib.h>

#include "kernels/geometry/sample.h"
#include "kernels/operations.h"
#include "plan_common.h"

static const struct gf_values unit = { true, 0, 1 }, unknown = { 0 };

static void is_range(struct gf_values v, double least, double most, const char *what)
{
    gf_ok(v.known && fabs((double)v.least - least) < 1e-5 && fabs((double)v.most - most) < 1e-5, "%s",
          what);
}

static struct gf_values after(struct gf_values v, struct gf_point_step step, int channels)
{
    return gf_values_after_step(v, &step, channels);
}

static void test_steps(void)
{
    const struct gf_point_step gray = { .kind = GF_POINT_MATRIX, .channels = 3, .outs = 1,
                                        .m = { { .299f, .587f, .114f } } };
    const struct gf_point_step mixed = { .kind = GF_POINT_MATRIX, .channels = 2, .outs = 2,
                                         .m = { { 1, -.5f, .25f }, { 0, 2, 0 } } };

    is_range(after(unit, gray, 3), 0, 1, "gray is a mean");
    is_range(after(unit, mixed, 2), -.25, 2, "a matrix: the outermost values of all outputs");
    is_range(after(unit, (struct gf_point_step) { .kind = GF_POINT_AFFINE, .channels = 1, .a = -2, .b = .5f }, 1), -1.5,
             .5, "a negative factor exchanges the ends");
    is_range(after(unit, (struct gf_point_step) { .kind = GF_POINT_AFFINE, .channels = 3, .a = .5f, .b = -.25f }, 4),
             -.25, 1, "alpha keeps its values");
    is_range(after((struct gf_values) { true, -1, .25f },
                   (struct gf_point_step) { .kind = GF_POINT_POWER, .channels = 1, .a = .5f }, 1), 0, .5,
             "a power begins at 0");
    gf_ok(!after(unit, (struct gf_point_step) { .kind = GF_POINT_POWER, .channels = 1, .a = -1 }, 1).known,
          "1 / v may be anything");
    is_range(after(unit, (struct gf_point_step) { .kind = GF_POINT_LINEAR, .channels = 1 }, 1), 0, 1,
             "linear light is 0 to 1");
    is_range(after(unit, (struct gf_point_step) { .kind = GF_POINT_SRGB, .channels = 1 }, 1), 0, 1,
             "sRGB of linear light is 0 to 1");
    is_range(after((struct gf_values) { true, -3, 7 },
                   (struct gf_point_step) { .kind = GF_POINT_CLAMP, .channels = 1, .a = .25f, .b = .5f }, 1), .25, .5,
             "a clamp limits values");
    gf_ok(!after(unknown, (struct gf_point_step) { .kind = GF_POINT_CLAMP, .channels = 1, .b = 1 }, 1).known,
          "a clamp lets NaN through");
    is_range(after(unknown, (struct gf_point_step) { .kind = GF_POINT_THRESHOLD, .channels = 1 }, 1), 0, 1,
             "a threshold makes a value of NaN");
    gf_ok(!after(unknown, (struct gf_point_step) { .kind = GF_POINT_THRESHOLD, .channels = 3 }, 4).known,
          "a threshold leaves NaN in alpha");
    gf_ok(!after(unit, (struct gf_point_step) { .kind = GF_POINT_TABLE, .channels = 1 }, 1).known,
          "a table may have anything");
    gf_ok(!after(unit, (struct gf_point_step) { .kind = GF_POINT_UNPREMULTIPLY, .channels = 3 }, 4).known,
          "a quotient may be anything");
    is_range(after((struct gf_values) { true, .5f, .75f },
                   (struct gf_point_step) { .kind = GF_POINT_PICK, .outs = 2, .pick = { 0, -1 } }, 1), .5, 1,
             "a new channel of ones");
    gf_ok(!after((struct gf_values) { true, 0, 3e38f },
                 (struct gf_point_step) { .kind = GF_POINT_AFFINE, .channels = 1, .a = 2 }, 1).known,
          "an overflow may be anything");
}

static void test_sums(void)
{
    const float sharpen[] = { -1, 3, -1 };

    is_range(gf_values_of_sum(unit, sharpen, 3), -2, 3, "a sum with weights of both signs");
    is_range(gf_values_of_sum((struct gf_values) { true, .5f, 1 }, sharpen, 3), -.5, 2, "a sum of values above 0");
    gf_ok(!gf_values_of_sum(unknown, sharpen, 3).known, "sums of unknown values are unknown");
    gf_ok(gf_values_are_unit((struct gf_values) { true, 0, 1.000001f }), "a rounding error is no value above 1");
    gf_ok(!gf_values_are_unit((struct gf_values) { true, 0, 1.01f }), "a hundredth is a value above 1");
    gf_ok(!gf_values_are_unit(unknown), "unknown values may be outside");
}

/* Returns the words of a chain, its samples and its device, for names of cases. */
static const char *describe(const struct gf_format *in, enum gf_device_choice where, const struct gf_plan_here *limits,
                            const char *const *words)
{
    static char text[300];
    int at = snprintf(text, sizeof text, "%s %s%s:", gf_type_word(in), where == GF_CPU ? "cpu" : "cuda",
                      limits->exact ? " exact" : "");

    for (int i = 0; words[i] != NULL; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, " %s", words[i]);
    return text;
}

/* Returns whether the last sampling of a plan uses textures. */
static bool uses_textures(const struct gf_format *in, enum gf_device_choice where, const struct gf_plan_here *limits,
                          const char *const *words)
{
    const struct gf_pass *last;
    const struct gf_sample *s;
    struct gf_fixture f;
    bool textures;

    gf_plan_begin(&f, in, where, &gf_some_gpu, limits, words);
    last = f.plan->pass[f.plan->passes - 1];
    gf_ok(f.result == 0 && last->steps > 0 && gf_step_op(&last->step[0]) == &gf_op_sample,
          "%s ends in sampling", describe(in, where, limits, words));
    s = gf_step_params(&last->step[0]);
    gf_ok(s->coarse == (in->type == GF_U8 && s->interpolation == GF_LINEAR),
          "%s has fractions that are rounded only for bytes", describe(in, where, limits, words));
    textures = s->textures;
    gf_plan_end(&f);
    return textures;
}

#define TEXTURES(...) uses_textures(&gf_picture, GF_CUDA, &gf_free_limits, WORDS(__VA_ARGS__))

static void test_textures(void)
{
    const struct gf_plan_here exact = { .exact = true };
    struct gf_format wide = gf_picture, floats = gf_picture, deep = gf_picture;

    wide.width = 600000, wide.units = 4;
    floats.type = GF_F32;
    deep.type = GF_U16, deep.maxval = 1023;
    gf_ok(TEXTURES("gray", "blur:2", "rotate:30"), "textures for gray");
    gf_ok(TEXTURES("blur:2", "rotate:30"), "textures for colors");
    gf_ok(!uses_textures(&gf_picture, GF_CPU, &gf_free_limits, WORDS("gray", "blur:2", "rotate:30")),
          "no textures on a CPU");
    gf_ok(!uses_textures(&gf_picture, GF_CUDA, &exact, WORDS("gray", "blur:2", "rotate:30")),
          "no textures with --exact");
    gf_ok(!uses_textures(&floats, GF_CUDA, &gf_free_limits, WORDS("gray", "rotate:30")), "no textures for floats");
    gf_ok(!uses_textures(&deep, GF_CUDA, &gf_free_limits, WORDS("gray", "rotate:30")), "no textures for 16 bits");
    gf_ok(!uses_textures(&wide, GF_CUDA, &gf_free_limits, WORDS("blur:2", "rotate:1,fit=keep")),
          "no textures for rows beyond their limit");
    gf_ok(!TEXTURES("blur:2", "rotate:30,filter=cubic"), "no textures for cubics");
    gf_ok(!TEXTURES("blur:2", "rotate:30,edge=wrap"), "no textures for a border that repeats");
    gf_ok(TEXTURES("blur:2,edge=zero", "rotate:30,edge=clamp"), "textures for borders that they have");
    gf_ok(TEXTURES("invert", "gamma:2.2", "brightness:-.5", "clamp", "rotate:30"), "textures for points within 0 to 1");
    gf_ok(!TEXTURES("brightness:.1", "rotate:30"), "no textures for points beyond 0 to 1");
    gf_ok(!TEXTURES("contrast:2", "blur:2", "rotate:30"), "no textures for blurred points beyond 0 to 1");
    gf_ok(TEXTURES("contrast:2", "clamp", "blur:2", "rotate:30"), "textures for clamped points");
    gf_ok(!TEXTURES("sharpen", "rotate:30"), "no textures after a mask with negative weights");
    gf_ok(!TEXTURES("conv:[1 1 1]", "rotate:30"), "no textures after a mask that sums to 3");
    gf_ok(TEXTURES("conv:[1 2 1],scale=auto", "median:2", "dilate:1", "box:9", "bilateral:2,0.1", "rotate:30"),
          "textures for means and ranks");
    gf_ok(TEXTURES("blur:1", "crop:500x500+1+2", "flip", "pad:9,9,9,9,red", "transpose", "vignette", "rotate:30"),
          "textures for moves and darker corners");
    gf_ok(TEXTURES("resize:50%,filter=linear", "resize:30%,filter=area", "rotate:10", "rotate:30"),
          "textures for linear resizing and rotation");
    gf_ok(!TEXTURES("resize:50%", "rotate:30"), "no textures for Lanczos");
    gf_ok(!TEXTURES("rotate:10,filter=cubic", "rotate:30"), "no textures after cubics");
    gf_ok(!TEXTURES("equalize", "rotate:30"), "no textures after a table that is measured");
}

/* Tests the signal in memory that a rotation reads. */
static void stored_as(int64_t width, const struct gf_plan_here *limits, const char *const *words, bool planar,
                      enum gf_type type, int channels, const char *what)
{
    struct gf_format in = gf_picture;
    const struct gf_pass_end *from;
    struct gf_fixture f;

    in.width = width;
    gf_plan_begin(&f, &in, GF_CUDA, &gf_some_gpu, limits, words);
    from = &f.plan->pass[f.plan->passes - 1]->from;
    gf_ok(f.result == 0 && from->end == GF_END_RESIDENT && from->planar == planar && from->format.type == type
          && from->format.channels == channels, "%s", what);
    gf_is(f.plan->out.channels, f.binding.out.channels, "%s: the result has its own channels", what);
    gf_is(f.plan->pass[f.plan->passes - 1]->step[0].out.channels, f.binding.out.channels,
          "%s: the rotation has the channels of the result", what);
    gf_plan_end(&f);
}

static void test_integers(void)
{
    const struct gf_plan_here any = { 0 }, exact = { .exact = true };

    stored_as(1000, &any, WORDS("blur:2", "rotate:30"), false, GF_U16, 4, "colors in 16 bits, with a fourth channel");
    stored_as(1000, &any, WORDS("rotate:30"), false, GF_U8, 4, "bytes get a fourth channel");
    stored_as(1000, &any, WORDS("invert", "rotate:30"), false, GF_U16, 4, "a program before a rotation makes 16 bits");
    stored_as(1600, &any, WORDS("gray", "blur:2", "rotate:30"), false, GF_U16, 1, "gray in 16 bits");
    stored_as(1000, &any, WORDS("gray", "blur:2", "rotate:30"), true, GF_F32, 1, "planes if rows are not aligned");
    stored_as(1001, &any, WORDS("blur:2", "rotate:30"), true, GF_F32, 3, "planes of colors if rows are not aligned");
    stored_as(1000, &exact, WORDS("blur:2", "rotate:30"), true, GF_F32, 3, "floats with --exact");
    stored_as(1000, &exact, WORDS("rotate:30"), false, GF_U8, 3, "bytes as they are with --exact");
    stored_as(1000, &any, WORDS("sharpen", "rotate:30"), true, GF_F32, 3, "floats if values may be beyond 1");
    stored_as(1000, &any, WORDS("blur:2", "rotate:30", "invert"), true, GF_F32, 3, "floats if a program comes after");
    stored_as(1000, &any, WORDS("blur:2", "rotate:30,filter=cubic"), true, GF_F32, 3, "floats for cubics");
    stored_as(1000, &any, WORDS("blur:2", "equalize", "rotate:30"), true, GF_F32, 3, "floats after a table");
}

void gf_test_values(void)
{
    test_steps();
    test_sums();
    test_textures();
    test_integers();
}
