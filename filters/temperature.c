/* temperature: white balance, by the color of the light, by a color that should be gray, or automatic. */
#include "chain/stage.h"
#include "filters/lab.h"
#include "kernels/base/curve.h"
#include "kernels/statistics/reduce.h"

#include <stdlib.h>

#define MOST_GAIN 8                      /* a channel that is nearly black has no color to balance */

struct temperature {
    struct gf_either kelvin;
    double to;
    struct gf_colour gray;
    struct gf_geometry area;
};

static const char *const choices[] = { "auto", NULL };

static const struct gf_option options[] = {
    { .name = "kelvin", .type = GF_OPTION_EITHER, .offset = offsetof(struct temperature, kelvin), .by_default = 0,
      .least = 1000, .most = 20000, .choices = choices, .unit = "K",
      .text = "color temperature of the light that becomes white; auto: the mean of the image becomes gray" },
    { .name = "to", .type = GF_OPTION_NUMBER, .offset = offsetof(struct temperature, to), .by_default = 6500,
      .least = 1000, .most = 20000, .unit = "K", .key_only = true,
      .text = "the light that it becomes; with 6500 for the first, lower numbers make an image warmer" },
    { .name = "gray", .type = GF_OPTION_COLOUR, .offset = offsetof(struct temperature, gray), .key_only = true,
      .text = "color of the image that becomes gray, instead of a temperature" },
    { .name = "area", .type = GF_OPTION_GEOMETRY, .offset = offsetof(struct temperature, area), .key_only = true,
      .unit = "pixels",
      .text = "rectangle whose mean color becomes gray, instead of a temperature; 1x1+X+Y is the pixel at X, Y" },
    { .name = NULL }
};

typedef double matrix[3][3];

/* To responses like those of the cones of the eye: Bradford. */
static const matrix cones_of_xyz = { { 0.8951, 0.2664, -0.1614 }, { -0.7502, 1.7135, 0.0367 },
                                     { 0.0389, -0.0685, 1.0296 } };

static void multiply(const matrix a, const matrix b, matrix product)
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            product[r][c] = a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c];
}

/* Sets the cones' responses to a black body of t kelvin, whose Y is 1. Its place in CIE 1960 is that by M. Krystek. */
static void cones_of_kelvin(double t, double *cones)
{
    const double u = (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t * t)
        / (1 + 8.42420235e-4 * t + 7.08145163e-7 * t * t);
    const double v = (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t * t)
        / (1 - 2.89741816e-5 * t + 1.61456053e-7 * t * t);
    const double x = 3 * u / (2 * u - 8 * v + 4), y = 2 * v / (2 * u - 8 * v + 4);
    const double xyz[3] = { x / y, 1, (1 - x - y) / y };

    for (int c = 0; c < 3; c++)
        cones[c] = cones_of_xyz[c][0] * xyz[0] + cones_of_xyz[c][1] * xyz[1] + cones_of_xyz[c][2] * xyz[2];
}

/* Returns the step that makes one light of the other, with the same luminance. */
static struct gf_point_step adapt(double from, double to)
{
    struct gf_point_step step = { .kind = GF_POINT_MATRIX, .channels = 3, .outs = 3 };
    double cones[3], wanted[3];
    matrix eye, back, scaled, all;

    cones_of_kelvin(from, cones);
    cones_of_kelvin(to, wanted);
    multiply(cones_of_xyz, gf_xyz_of_rgb, eye);
    gf_matrix_invert(eye, back);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            scaled[r][c] = eye[r][c] * (wanted[r] / cones[r]);
    multiply(back, scaled, all);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            step.m[r][c] = (float)all[r][c];
    return step;
}

/* Returns the factor that makes channel c of a color gray, with the same luminance. */
static double gain(const double *color, int c)
{
    const double y = gf_xyz_of_rgb[1][0] * color[0] + gf_xyz_of_rgb[1][1] * color[1] + gf_xyz_of_rgb[1][2] * color[2];

    if (!(color[c] > 0) || !(y > 0))
        return 1;
    return y / color[c] < MOST_GAIN ? y / color[c] : MOST_GAIN;
}

/* Writes the scales after the means are known. `config` is the offset of their table. */
static int settle(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err)
{
    float *pairs = tables + *(const int64_t *)config;
    double mean[3];

    (void)err;
    for (int c = 0; c < 3; c++)
        mean[c] = m->reduced[c].finite > 0 ? m->reduced[c].sum / m->reduced[c].finite : 0;
    for (int c = 0; c < 3; c++) {
        pairs[2 * c] = (float)gain(mean, c);
        pairs[2 * c + 1] = 0;
    }
    return 0;
}

static int bind_auto(struct gf_build *build, struct gf_error *err)
{
    const struct gf_reduce reduce = { .block_units = 1, .channels = 3 };
    const struct gf_point_step linear = { .kind = GF_POINT_LINEAR, .channels = 3 };
    struct gf_point_step scale = { .kind = GF_POINT_SCALE, .channels = 3 };
    int64_t *table = gf_build_alloc(build, sizeof *table);
    struct gf_point view;
    float *entries;

    gf_point_init(&view, gf_build_format(build)->channels);
    if (table == NULL || gf_point_add(&view, &linear) != 0)
        return gf_fail_memory(err, "temperature");
    *table = scale.table = gf_build_alloc_table(build, 6, &entries);
    if (gf_build_measure(build, &gf_op_reduce, &reduce, &view, settle, NULL, table, err) != 0
        || gf_build_to_linear(build, GF_LIGHT_LINEAR, err) != 0 || gf_build_point(build, &scale, NULL, err) != 0)
        return -1;
    return gf_build_from_linear(build, GF_LIGHT_LINEAR, err);
}

/* Returns the step that makes a stored color gray. */
static struct gf_point_step balance(const struct gf_colour *gray)
{
    struct gf_point_step step = { .kind = GF_POINT_MATRIX, .channels = 3, .outs = 3 };
    double linear[3];

    for (int c = 0; c < 3; c++)
        linear[c] = (double)gf_linear_of_srgb((float)gray->rgba[c]);
    for (int c = 0; c < 3; c++)
        step.m[c][c] = (float)gain(linear, c);
    return step;
}

/* Returns true if the color that becomes gray is that of a place in the image. */
static bool looks(const void *config)
{
    const struct gf_geometry *const a = &((const struct temperature *)config)->area;

    return a->width > 0 || a->width_share > 0 || a->ratio > 0;
}

/* Finds the mean color of the area, as stored. */
static int find_mean(const struct gf_geometry *a, const struct gf_look *image, double mean[3], struct gf_error *err)
{
    double sum[3] = { 0 };
    struct gf_look_rows rows;

    if (gf_look_rows_open(&rows, image, err) != 0)
        return -1;
    for (int64_t y = a->y; y < a->y + a->height; y++)
        for (int64_t x = a->x, n; x < a->x + a->width; x += n) {
            n = a->x + a->width - x < GF_LOOK_PIXELS ? a->x + a->width - x : GF_LOOK_PIXELS;
            gf_look_read(image, x, y, n, &rows);
            for (int64_t i = 0; i < 3 * n; i++)
                sum[i % 3] += (double)rows.row[i % 3][i / 3];
        }
    free(rows.row[0]);
    for (int c = 0; c < 3; c++)
        mean[c] = sum[c] / ((double)a->width * (double)a->height);
    return 0;
}

/* Fails if a color has no share of a channel, so that no factor makes it gray. */
static int check_gray(const double *color, const char *option, int status, struct gf_error *err)
{
    static const char *const words[] = { "red", "green", "blue" };

    for (int c = 0; c < 3; c++)
        if (!(color[c] > 0))
            return gf_fail(err, status, "temperature: %s= has no %s, so that no factor makes it gray; choose "
                           "one with some of all three", option, words[c]);
    return 0;
}

/* Finds that it was there, and the factors of red, green and blue. */
static int look(const void *config, const struct gf_look *image, double found[GF_FOUND], struct gf_error *err)
{
    const struct gf_geometry *const a = &((const struct temperature *)config)->area;
    const struct gf_format *const f = image->format;
    double mean[3];

    if (gf_colours(f) < 3)
        return 0;
    if (a->ratio > 0 || a->width_share > 0 || a->height_share > 0)
        return gf_fail(err, GF_MISUSED, "temperature: area= is WIDTHxHEIGHT+X+Y, in pixels");
    if (a->width > f->width - a->x || a->height > f->units - a->y)
        return gf_fail(err, GF_FAILED, "temperature: area=%lldx%lld+%lld+%lld is not inside the image, which is "
                       "%lldx%lld here", (long long)a->width, (long long)a->height, (long long)a->x, (long long)a->y,
                       (long long)f->width, (long long)f->units);
    if (find_mean(a, image, mean, err) != 0 || check_gray(mean, "area", GF_FAILED, err) != 0)
        return -1;
    for (int c = 0; c < 3; c++)
        mean[c] = (double)gf_linear_of_srgb((float)mean[c]);
    found[0] = 1;
    for (int c = 0; c < 3; c++)
        found[1 + c] = gain(mean, c);
    return 0;
}

/* Returns the step that multiplies by what was found. */
static struct gf_point_step balance_found(const struct gf_format *in)
{
    struct gf_point_step step = { .kind = GF_POINT_MATRIX, .channels = 3, .outs = 3 };

    for (int c = 0; c < 3; c++)
        step.m[c][c] = in->found[0] > 0 ? (float)in->found[1 + c] : 1;
    return step;
}

/* Fails if more than one of the options says what becomes gray or white. */
static int check_options(const struct temperature *t, struct gf_error *err)
{
    if (t->gray.given && t->kelvin.choice < 0)
        return gf_fail(err, GF_MISUSED, "temperature: kelvin and gray are both given; choose one");
    if (looks(t) && (t->gray.given || t->kelvin.choice < 0))
        return gf_fail(err, GF_MISUSED, "temperature: area= and %s are both given; choose one",
                       t->gray.given ? "gray" : "kelvin");
    if (t->kelvin.choice >= 0 && t->to != 6500)
        return gf_fail(err, GF_MISUSED, "temperature: to=%g needs a temperature before it, as in "
                       "temperature:6500,to=%g", t->to, t->to);
    return 0;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct temperature *t = config;
    struct gf_point_step step;

    if (check_options(t, err) != 0)
        return -1;
    if (gf_colours(in) < 3)
        return 0;
    if (t->kelvin.choice >= 0 && !t->gray.given && !looks(t))
        return bind_auto(build, err);
    if (t->gray.given && check_gray(t->gray.rgba, "gray", GF_MISUSED, err) != 0)
        return -1;
    step = looks(t) ? balance_found(in) : t->gray.given ? balance(&t->gray) : adapt(t->kelvin.number, t->to);
    if (t->kelvin.choice < 0 && t->kelvin.number == t->to)
        return 0;
    return gf_build_to_linear(build, GF_LIGHT_LINEAR, err) != 0 || gf_build_point(build, &step, NULL, err) != 0 ? -1
         : gf_build_from_linear(build, GF_LIGHT_LINEAR, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm temperature:auto -o balanced.png",
    "gpufilter -i photo.ppm temperature:3200 -o bulb.png",
    "gpufilter -i photo.ppm temperature:6500,to=5000 -o warmer.png",
    "gpufilter -i photo.ppm temperature:gray=#c8b090 -o neutral.png",
    "gpufilter -i photo.ppm temperature:area=9x9+300+200 -o neutral.png",
    NULL
};

const struct gf_stage gf_stage_temperature = {
    .name = "temperature",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .summary = "make warmer or cooler, or balance white automatically",
    .text = "temperature:3200 makes a photo that was taken in the light of a bulb look as in daylight: what had the "
            "color of a black body of 3200 K becomes white. The number is that of the light, so a lower one makes the "
            "image bluer. With to=, the light becomes another one than that of 6500 K, and temperature:6500,to=5000 "
            "makes an image warmer. The conversion is that of Bradford in linear light.\n\n"
            "temperature:auto multiplies red, green and blue in linear light so that their means are equal. It reads "
            "the whole image before it writes the first row, and suits images without one dominant color. A channel "
            "is multiplied by 8 at most.\n\n"
            "With gray=COLOR, they are multiplied so that this color becomes gray. With area=WxH+X+Y, it is the mean "
            "of a rectangle, such as the place of a wall or a gray card: area=9x9+300+200, or area=1x1+300+200 for one "
            "pixel. The whole image is then kept in memory or in a temporary file first. Frames of a video or an "
            "animation are balanced like the first one.\n\n"
            "The luminance of the light, or of what becomes gray, stays the same. Values beyond 1 are kept until the "
            "end of the chain. Colors are taken as sRGB. A gray image does not change, and alpha is copied.",
    .examples = examples,
    .picture = "scene.ppm temperature:6500,to=4000",
    .options = options,
    .config_bytes = sizeof(struct temperature),
    .look = look,
    .looks = looks,
    .bind = bind,
};
