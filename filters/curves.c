/* curves: a smooth tone curve through points. */
#include "chain/stage.h"

#define ENTRIES 4097                     /* lines between them differ from the curve by less than a step of 16 bits */
#define MOST_POINTS 256

enum letter { RED, GREEN, BLUE, LETTERS };

struct curves {
    struct gf_mask points;
    int channel;
};

static const char *const channels[] = { "all", "r", "g", "b", "red", "green", "blue", NULL };

static const struct gf_option options[] = {
    { .name = "points", .type = GF_OPTION_MASK, .offset = offsetof(struct curves, points), .required = true,
      .text = "points of the curve from dark to light, value before and value after, as in [0 0; 0.5 0.6; 1 1]" },
    { .name = "channel", .type = GF_OPTION_CHOICE, .offset = offsetof(struct curves, channel), .by_default = 0,
      .choices = channels, .key_only = true,
      .text = "the only channel that changes; all: all colors" },
    { .name = NULL }
};

static double absolute(double v)
{
    return v < 0 ? -v : v;
}

/* Returns the slope at the end of a curve from the two lines next to it, without leaving their direction. */
static double end_slope(double near_width, double far_width, double near, double far)
{
    const double slope = ((2 * near_width + far_width) * near - near_width * far) / (near_width + far_width);

    if (slope * near <= 0)
        return 0;
    return near * far <= 0 && absolute(slope) > 3 * absolute(near) ? 3 * near : slope;
}

/* Sets the slopes at the points: harmonic means of those of the lines next to them (Fritsch and Butland). */
static void set_slopes(const double *points, int n, double *slope)
{
    double width[MOST_POINTS], line[MOST_POINTS];

    for (int i = 0; i + 1 < n; i++) {
        width[i] = points[2 * i + 2] - points[2 * i];
        line[i] = (points[2 * i + 3] - points[2 * i + 1]) / width[i];
    }
    for (int i = 1; i + 1 < n; i++) {
        const double before = 2 * width[i] + width[i - 1], after = width[i] + 2 * width[i - 1];

        slope[i] = line[i - 1] * line[i] > 0 ? (before + after) / (before / line[i - 1] + after / line[i]) : 0;
    }
    slope[0] = n > 2 ? end_slope(width[0], width[1], line[0], line[1]) : line[0];
    slope[n - 1] = n > 2 ? end_slope(width[n - 2], width[n - 3], line[n - 2], line[n - 3]) : line[0];
}

/* Writes the entries of the curve, which is level before its first point and after its last. */
static void fill(const double *points, int n, float *entries)
{
    double slope[MOST_POINTS];
    int at = 0;

    set_slopes(points, n, slope);
    for (int i = 0; i < ENTRIES; i++) {
        const double x = (double)i / (ENTRIES - 1);

        while (at + 2 < n && points[2 * at + 2] <= x)
            at++;
        if (x <= points[0]) {
            entries[i] = (float)points[1];
        } else if (x >= points[2 * n - 2]) {
            entries[i] = (float)points[2 * n - 1];
        } else {
            const double *p = points + 2 * at, width = p[2] - p[0], t = (x - p[0]) / width;
            const double rise = p[3] - p[1], a = slope[at] * width - rise, b = rise - slope[at + 1] * width;

            entries[i] = (float)(p[1] + t * rise + t * (1 - t) * (a * (1 - t) + b * t));
        }
    }
}

static int check_points(const struct gf_mask *m, struct gf_error *err)
{
    const double *p = m->weights;

    if (m->columns != 2 || m->rows < 2 || m->rows > MOST_POINTS)
        return gf_fail(err, GF_MISUSED, "curves: points: %d of %d numbers; must be 2 to %d points of 2 numbers, as in "
                       "[0 0; 0.5 0.6; 1 1]", m->rows, m->columns, MOST_POINTS);
    for (int i = 0; i < 2 * m->rows; i++)
        if (!(p[i] >= 0 && p[i] <= 1))
            return gf_fail(err, GF_MISUSED, "curves: points: %g must be 0 to 1; %g of %d is %.2g", p[i], p[i],
                           p[i] > 255 ? 65535 : 255, p[i] / (p[i] > 255 ? 65535 : 255));
    for (int i = 1; i < m->rows; i++)
        if (p[2 * i] <= p[2 * i - 2])
            return gf_fail(err, GF_MISUSED, "curves: points: %g follows %g; the first numbers must rise", p[2 * i],
                           p[2 * i - 2]);
    return 0;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct curves *k = config;
    const int colours = gf_colours(in), only = k->channel == 0 ? -1 : (k->channel - 1) % LETTERS;
    struct gf_point_step step = { .kind = GF_POINT_CURVE, .channels = colours, .bins = ENTRIES };
    float *entries;

    if (check_points(&k->points, err) != 0)
        return -1;
    if (only >= 0 && colours == 3) {
        step.channels = only + 1;
        for (int c = 0; c < only; c++)
            step.pick[c] = -1;
    }
    step.table = gf_build_alloc_table(build, (int64_t)step.channels * ENTRIES, &entries);
    for (int c = 0; entries != NULL && c < step.channels; c++)
        fill(k->points.weights, k->points.rows, entries + (int64_t)c * ENTRIES);
    return gf_build_point(build, &step, NULL, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm 'curves:[0 0; 0.25 0.2; 0.75 0.8; 1 1]' -o contrast.png",
    "gpufilter -i photo.ppm 'curves:[0 0.06; 0.3 0.3; 1 0.95]' -o faded.png",
    "gpufilter -i photo.ppm 'curves:[0 0; 0.5 0.6; 1 1],channel=r' -o warm.png",
    NULL
};

const struct gf_stage gf_stage_curves = {
    .name = "curves",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .range = GF_RANGE_SET,
    .summary = "change tones by a smooth curve through points",
    .text = "Each point is a value before and the value that it becomes, both 0 to 1. Between points the curve is a "
            "cubic that rises or falls as the points do, without waves: monotone interpolation by Fritsch and "
            "Butland, as PchipInterpolator in SciPy. Two points make a line. Values before the first point become "
            "what it becomes, and values after the last point likewise.\n\n"
            "The points may be in a text file, one on a line. With channel=r, g or b, the other channels do not "
            "change; in a gray image, its gray changes. Alpha is copied.",
    .examples = examples,
    .picture = "scene.ppm 'curves:[0 0; 0.3 0.15; 0.7 0.85; 1 1]'",
    .options = options,
    .config_bytes = sizeof(struct curves),
    .bind = bind,
};
