/* palette: paint an image in a few colors, the best ones for it. */
#include "chain/stage.h"
#include "kernels/pixel/noise.h"
#include "kernels/statistics/histogram.h"

#include <math.h>

#define SIDE 32                          /* cells along an axis of the cube of colors, for the first choice */
#define WIDEST_STEP 0.25                 /* distance of neighboring colors that dithering bridges */

struct palette {
    int64_t colors, seed;
    bool dither;
};

/* State of both settle functions. */
struct settle_context {
    int64_t table, scale, unscale;       /* the colors; pairs for dithering, before the noise and after it */
    int colors, channels;
};

static const struct gf_option options[] = {
    { .name = "colors", .type = GF_OPTION_INT, .offset = offsetof(struct palette, colors), .least = 2, .most = 256,
      .required = true,
      .text = "number of colors of the result" },
    { .name = "dither", .type = GF_OPTION_FLAG, .offset = offsetof(struct palette, dither), .key_only = true,
      .text = "add noise before, so that areas keep their mean color" },
    { .name = "seed", .type = GF_OPTION_INT, .offset = offsetof(struct palette, seed), .by_default = 1, .least = 0,
      .most = 1e15, .key_only = true,
      .text = "start of the random sequence of the noise" },
    { .name = NULL }
};

/* Cells from[] to to[], both included, with their mean and the sums of squared distances from it. */
struct box {
    int from[3], to[3];
    double count, mean[3], error[3];
};

/* A gray image has a row of cells. */
static void measure_box(struct box *b, const uint64_t *counts, const int sides[3])
{
    double squares[3] = { 0 };

    b->count = 0;
    b->mean[0] = b->mean[1] = b->mean[2] = 0;
    for (int x = b->from[0]; x <= b->to[0]; x++)
        for (int y = b->from[1]; y <= b->to[1]; y++)
            for (int z = b->from[2]; z <= b->to[2]; z++) {
                const double n = (double)counts[((int64_t)x * sides[1] + y) * sides[2] + z];

                b->count += n;
                b->mean[0] += n * x, squares[0] += n * x * x;
                b->mean[1] += n * y, squares[1] += n * y * y;
                b->mean[2] += n * z, squares[2] += n * z * z;
            }
    for (int c = 0; c < 3; c++) {
        b->mean[c] = b->count > 0 ? b->mean[c] / b->count : 0;
        b->error[c] = squares[c] - b->count * b->mean[c] * b->mean[c];
    }
}

static int worst_axis(const struct box *b)
{
    const int axis = b->error[1] > b->error[0] ? 1 : 0;

    return b->error[2] > b->error[axis] ? 2 : axis;
}

/* Divides boxes at their mean, the one with the largest error first. Returns their number. */
static int divide(struct box *box, int most, const uint64_t *counts, const int sides[3])
{
    int n = 1;

    box[0] = (struct box) { .to = { sides[0] - 1, sides[1] - 1, sides[2] - 1 } };
    measure_box(&box[0], counts, sides);
    for (; n < most; n++) {
        struct box *worst = &box[0];
        int axis, at;

        for (int i = 1; i < n; i++)
            worst = box[i].error[worst_axis(&box[i])] > worst->error[worst_axis(worst)] ? &box[i] : worst;
        axis = worst_axis(worst);
        at = (int)floor(worst->mean[axis]);
        if (worst->error[axis] < 0.25 || at >= worst->to[axis])          /* all of its pixels are in one cell */
            break;
        box[n] = *worst;
        worst->to[axis] = at;
        box[n].from[axis] = at + 1;
        measure_box(worst, counts, sides);
        measure_box(&box[n], counts, sides);
    }
    return n;
}

/* Chooses colors by the counts of cells. If there are fewer, the first one fills the rest; no pixel gets it there. */
static int settle_cells(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err)
{
    const struct settle_context *b = config;
    const int sides[3] = { b->channels == 3 ? SIDE : 256, b->channels == 3 ? SIDE : 1, b->channels == 3 ? SIDE : 1 };
    struct box box[256];
    const int n = divide(box, b->colors, m->counts, sides);

    (void)err;
    for (int k = 0; k < b->colors; k++)
        for (int c = 0; c < b->channels; c++)
            tables[b->table + (int64_t)c * b->colors + k] = (float)(box[k < n ? k : 0].mean[c] / (sides[0] - 1));
    return 0;
}

/* Replaces each color by the mean of the pixels to which it is the nearest, and finds how far these are from it. */
static int settle_means(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err)
{
    const struct settle_context *b = config;
    double error = 0, all = 0, reach;

    (void)err;
    for (int c = 0; c < b->channels; c++)
        for (int k = 0; k < b->colors; k++) {
            const uint64_t *counts = m->counts + ((int64_t)c * b->colors + k) * 256;
            double n = 0, sum = 0, squares = 0;

            for (int i = 0; i < 256; i++) {
                n += (double)counts[i];
                sum += (double)counts[i] * i;
                squares += (double)counts[i] * i * i;
            }
            if (n == 0)
                continue;
            tables[b->table + (int64_t)c * b->colors + k] = (float)(sum / n / 255);
            error += squares - sum * sum / n;
            all += n;
        }
    /* errors that are spread evenly over a step have a mean square of step^2 / 12; noise reaches half a step */
    reach = all > 0 ? fmin(sqrt(12 * fmax(error, 0) / all) / 255, WIDEST_STEP) / 2 : 0;
    reach = fmax(reach, 1e-5);
    for (int c = 0; c < b->channels; c++) {
        tables[b->scale + 2 * c] = (float)(1 / reach);
        tables[b->unscale + 2 * c] = (float)reach;
        tables[b->scale + 2 * c + 1] = tables[b->unscale + 2 * c + 1] = 0;
    }
    return 0;
}

/* Makes the program from three colors to the number of their cell. */
static int view_cells(int channels, struct gf_build *build, struct gf_point *view)
{
    const struct gf_point_step sum = { .kind = GF_POINT_MATRIX, .channels = 3, .outs = 1, .m = { { 1, 1, 1, 0 } } };
    struct gf_point_step cells = { .kind = GF_POINT_TABLE, .channels = 3, .bins = SIDE };
    float *entries;

    gf_point_init(view, channels);
    cells.table = gf_build_alloc_table(build, 3 * SIDE, &entries);
    for (int c = 0, step = SIDE * SIDE; entries != NULL && c < 3; c++, step /= SIDE)
        for (int i = 0; i < SIDE; i++)
            entries[c * SIDE + i] = (float)((double)(i * step) / (SIDE * SIDE * SIDE - 1));
    return gf_point_add(view, &cells) != 0 || gf_point_add(view, &sum) != 0 ? -1 : 0;
}

static int add_noise(const struct palette *p, const struct settle_context *b, struct gf_build *build,
                     struct gf_error *err)
{
    const struct gf_noise noise = { .seed = gf_noise_mix((uint64_t)p->seed + 1), .channels = b->channels,
                                    .shape = GF_NOISE_UNIFORM, .mono = true, .amplitude = 1 };
    const struct gf_point_step scale = { .kind = GF_POINT_SCALE, .channels = b->channels, .table = b->scale };
    const struct gf_point_step unscale = { .kind = GF_POINT_SCALE, .channels = b->channels, .table = b->unscale };

    return gf_build_point(build, &scale, NULL, err) != 0
        || gf_build_op(build, &gf_op_noise, &noise, (struct gf_need) { 0 }, NULL, err) != 0
        || gf_build_point(build, &unscale, NULL, err) != 0 ? -1 : 0;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct palette *p = config;
    const int channels = gf_colours(in), colors = (int)p->colors;
    const struct gf_histogram cells = { .binning = GF_BIN_ROUND, .bins = channels == 3 ? SIDE * SIDE * SIDE : 256,
                                        .channels = 1 };
    const struct gf_histogram levels = { .binning = GF_BIN_ROUND, .bins = 256 * colors, .channels = channels };
    struct gf_point_step step = { .kind = GF_POINT_PALETTE, .channels = channels, .bins = colors };
    struct settle_context *b = gf_build_alloc(build, sizeof *b);
    struct gf_point view;
    float *entries;

    if (b == NULL)
        return gf_fail_memory(err, "palette");
    if (channels != 1 && channels != 3)
        return gf_fail(err, GF_FAILED, "palette: the image has %d color channels; must be gray or RGB", channels);
    b->colors = colors;
    b->channels = channels;
    b->table = step.table = gf_build_alloc_table(build, (int64_t)channels * colors, &entries);
    b->scale = gf_build_alloc_table(build, 2 * channels, &entries);
    b->unscale = gf_build_alloc_table(build, 2 * channels, &entries);
    gf_point_init(&view, in->channels);
    if (channels == 3 && view_cells(in->channels, build, &view) != 0)
        return gf_fail_memory(err, "palette");
    if (gf_build_measure(build, &gf_op_histogram, &cells, &view, settle_cells, NULL, b, err) != 0)
        return -1;
    step.b = 1;
    gf_point_init(&view, in->channels);
    if (gf_point_add(&view, &step) != 0)
        return gf_fail_memory(err, "palette");
    if (gf_build_measure(build, &gf_op_histogram, &levels, &view, settle_means, NULL, b, err) != 0)
        return -1;
    gf_build_mark_binned(build);
    step.b = 0;
    if (p->dither && add_noise(p, b, build, err) != 0)
        return -1;
    return gf_build_point(build, &step, NULL, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm palette:16 -o poster.png",
    "gpufilter -i photo.ppm palette:8,dither -o grainy.png",
    NULL
};

const struct gf_stage gf_stage_palette = {
    .name = "palette",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .range = GF_RANGE_SET,
    .summary = "paint an image in a few colors, chosen for it",
    .text = "The colors of the image are counted in cells of 5 bits for each channel. Boxes of cells are divided at "
            "their means until there are as many as colors. Each color then becomes the mean of the pixels that are "
            "nearer to it than to any other, in levels of 8 bits, and each pixel the nearest color. If each color "
            "of an image has a cell of its own, and there are no more than COLORS, an image of 8 bits does not "
            "change.\n\n"
            "dither adds noise of about the distance between neighboring colors before, the same to all channels. It "
            "depends on the position alone. A GIF chooses 256 colors by itself and needs no palette.\n\n"
            "The whole image is read twice before the first row is written. Alpha is copied. posterize divides each "
            "channel evenly instead.",
    .examples = examples,
    .picture = "scene.ppm palette:8",
    .options = options,
    .config_bytes = sizeof(struct palette),
    .bind = bind,
};
