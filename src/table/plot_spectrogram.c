/* Draws a spectrogram: a color for each time and frequency. */
#include "base/elementary.h"
#include "table/plot.h"
#include "table/table.h"

#include <math.h>
#include <stdlib.h>

#define SCALE 18                 /* width of the color scale */
#define LOWEST 20                /* Hz: the start of a logarithmic axis, the lowest audible frequency */

/* Returns the color for a level between 0, the bottom of the scale, and 1, its top. */
static uint32_t colour_of(double level)
{
    static const unsigned char stops[][3] = { { 0, 0, 0 }, { 22, 16, 74 }, { 88, 22, 128 }, { 176, 40, 102 },
                                              { 232, 84, 48 }, { 250, 168, 36 }, { 252, 236, 130 }, { 255, 255, 255 } };
    const double last = sizeof stops / sizeof stops[0] - 1, at = level > 0 ? (level < 1 ? level : 1) * last : 0;
    const int i = at < last ? (int)at : (int)last - 1;
    uint32_t rgb = 0;

    for (int c = 0; c < 3; c++)
        rgb = rgb << 8 | (uint32_t)lrint(stops[i][c] + (at - i) * (stops[i + 1][c] - stops[i][c]));
    return rgb;
}

double gf_plot_spectrogram_lowest(const struct gf_table *t)
{
    return fmax(fmin(LOWEST, t->high / 100), t->high / (t->cells - 1));
}

/*
 * Returns the maximum of the cells of a pixel, so
 * that a single frequency or a click stays visible.
 */
static double loudest(const struct gf_table *t, int channel, int64_t column, int64_t end, int cell, int cell_end)
{
    double most = t->floor_db;

    for (; column < end; column++) {
        const float *v = t->timeline + (column * t->channels + channel) * t->cells;

        for (int i = cell; i < cell_end; i++)
            most = (double)v[i] > most ? (double)v[i] : most;
    }
    return most;
}

/* The cells of a row of pixels: [cell, end), interpolated by `share` towards cell `end`. */
struct row {
    int cell, end;
    double share;
};

static struct row row_of(const struct gf_table *t, int row, int height)
{
    const double lowest = gf_plot_spectrogram_lowest(t), each = t->high / (t->cells - 1), ratio = t->high / lowest;
    const double from = lowest * gf_pow(ratio, (double)row / height) / each;
    const double to = lowest * gf_pow(ratio, (row + 1.0) / height) / each;
    struct row r = { .share = 0 };

    if (!t->by_octaves) {
        r.cell = (int)((int64_t)row * t->cells / height);
        r.end = (int)((int64_t)(row + 1) * t->cells / height);
    } else if (to - from >= 1) {
        r.cell = (int)lrint(from);
        r.end = (int)lrint(to);
    } else {
        r.cell = (int)((from + to) / 2);
        r.share = (from + to) / 2 - r.cell;
    }
    r.cell = r.cell < t->cells - 1 ? r.cell : t->cells - 1;
    r.end = r.end > r.cell ? r.end : r.cell + 1;
    return r;
}

static double level(const struct gf_table *t, int channel, int64_t column, int64_t end, struct row r)
{
    const double first = loudest(t, channel, column, end, r.cell, r.end);

    if (r.share <= 0 || r.end >= t->cells)
        return first;
    return first + r.share * (loudest(t, channel, column, end, r.end, r.end + 1) - first);
}

unsigned char *gf_plot_spectrogram_picture(const struct gf_table *t, int channel, int width, int height)
{
    unsigned char *rgb = malloc((size_t)width * (size_t)height * 3);

    for (int y = 0; rgb != NULL && y < height; y++) {
        const struct row r = row_of(t, height - 1 - y, height);

        for (int x = 0; x < width; x++) {
            const int64_t column = x * t->columns / width, end = (x + 1) * t->columns / width;
            const double db = level(t, channel, column, end > column ? end : column + 1, r);
            const uint32_t colour = colour_of((db - t->floor_db) / (t->top_db - t->floor_db));

            for (int c = 0; c < 3; c++)
                rgb[((size_t)y * (size_t)width + (size_t)x) * 3 + (size_t)c] = (unsigned char)(colour >> (16 - 8 * c));
        }
    }
    return rgb;
}

void gf_plot_spectrogram_draw(struct gf_plot *p, const struct gf_table *t, int channel, struct gf_plot_frame f)
{
    unsigned char *rgb = gf_plot_spectrogram_picture(t, channel, (int)f.width, (int)f.height);

    if (rgb != NULL)
        p->ops->picture(p, f, rgb);
    else
        p->failed = true;
    free(rgb);
}

/* ---- axes and scale ---- */

static void put_frequency(struct gf_plot *p, struct gf_plot_frame f, double y, double hertz, bool named)
{
    char text[40];

    gf_plot_straight(p, f.left - (named ? 5 : 3), y, f.left, y, GF_PLOT_INK);
    gf_plot_number(hertz, text);
    if (named)
        gf_plot_write(p, f.left - 10, y + 4, 12, GF_ANCHOR_END, GF_PLOT_SOFT, text);
}

/*
 * Marks 1, 2, 3, ... 10, 20, 30, ... Hz. Powers of ten
 * have labels; 2 and 5 also have them if there is room.
 */
static void put_logarithmic_axis(struct gf_plot *p, const struct gf_table *t, struct gf_plot_frame f)
{
    const double lowest = gf_plot_spectrogram_lowest(t), all = gf_log(t->high / lowest);
    const double decade = f.height * M_LN10 / all;

    for (double tens = gf_pow(10, floor(gf_log10(lowest))); tens <= t->high; tens *= 10)
        for (int k = 1; k < 10; k++)
            if (k * tens >= lowest * .999999 && k * tens <= t->high * 1.000001)
                put_frequency(p, f, f.top + f.height * (1 - gf_log(k * tens / lowest) / all), k * tens,
                              k == 1 || (decade > 60 && (k == 2 || k == 5)));
}

void gf_plot_spectrogram_axis(struct gf_plot *p, const struct gf_table *t, struct gf_plot_frame f)
{
    const int steps = f.height > 400 ? (int)(f.height / 32) : f.height > 200 ? 12 : f.height > 80 ? 5 : 2;
    const double step = gf_plot_step(t->high, steps);

    for (int i = 0; !t->by_octaves && i * step <= t->high * 1.000001; i++)
        put_frequency(p, f, f.top + f.height * (1 - i * step / t->high), i * step, true);
    if (t->by_octaves)
        put_logarithmic_axis(p, t, f);
    gf_plot_write(p, f.left - 10, f.top - 12, 12, GF_ANCHOR_END, GF_PLOT_SOFT, "Hz");
}

void gf_plot_spectrogram_scale(struct gf_plot *p, const struct gf_table *t, struct gf_plot_frame f)
{
    const double x = f.left + f.width + 24, range = t->top_db - t->floor_db;
    const double step = gf_plot_step(range, f.height > 150 ? 8 : 3);
    char text[40];

    for (int i = 0; i < (int)f.height; i++)
        gf_plot_box(p, x, f.top + i, SCALE, 1, (struct gf_plot_ink) { colour_of(1 - (i + .5) / f.height), 1 }, NULL);
    for (double db = floor(t->top_db / step) * step; db >= t->floor_db - range * .000001; db -= step) {
        const double y = f.top + f.height * (t->top_db - db) / range;

        gf_plot_straight(p, x + SCALE, y, x + SCALE + 4, y, GF_PLOT_INK);
        snprintf(text, sizeof text, "%g", fabs(db) < step / 2 ? 0 : db);
        gf_plot_write(p, x + SCALE + 8, y + 4, 12, GF_ANCHOR_START, GF_PLOT_SOFT, text);
    }
    gf_plot_write(p, x, f.top - 12, 12, GF_ANCHOR_START, GF_PLOT_SOFT, "dB");
}
