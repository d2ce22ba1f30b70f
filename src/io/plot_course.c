/* How a recording goes on with time, as a drawing: its spectra, or its waveform. */
#include "io/plot.h"

#include <math.h>
#include <stdlib.h>

#define INK 0x202428
#define SOFT 0x5A6068
#define GRID 0xDDE1E6

#define LEFT 76
#define PLOT 1024
#define RIGHT 112                /* of spectra: the scale of their colours stands there */
#define HEAD 84
#define FOOT 48
#define GAP 30                   /* between channels: the name of the next one */
#define SCALE 18                 /* the width of the scale */

#define CLIPPED 3                /* the cell of a waveform that says how many samples are */

/* Few channels are drawn larger. */
static int tall_of(const struct gf_table *t)
{
    const int most = t->window > 0 ? 384 : 240, all = 2 * most;

    return t->channels <= 2 ? most : all / t->channels > 96 ? all / t->channels : 96;
}

static struct gf_frame frame_of(const struct gf_table *t, int channel)
{
    return (struct gf_frame) { LEFT, HEAD + (double)channel * (tall_of(t) + GAP), PLOT, tall_of(t) };
}

void gf_course_size(const struct gf_table *t, int *width, int *height)
{
    *width = LEFT + PLOT + (t->window > 0 ? RIGHT : 32);
    *height = HEAD + t->channels * (tall_of(t) + GAP) - GAP + FOOT;
}

static void write_at(struct gf_plot *p, double x, double y, double size, enum gf_anchor anchor, uint32_t rgb, const char *text)
{
    const struct gf_words w = { x, y, size, anchor, false, rgb };

    p->ops->words(p, &w, text);
}

/* ---- time ---- */

/* Seconds, minutes and hours have their own round numbers. */
static double time_step(double seconds, int most)
{
    static const double round[] = { 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 36000 };

    if (seconds / most <= 1)
        return gf_plot_step(seconds, most);
    for (size_t i = 0; i < sizeof round / sizeof round[0]; i++)
        if (seconds / round[i] <= most)
            return round[i];
    return 36000 * ceil(seconds / 36000 / most);
}

/* "0.25", "90", "1:30" or "1:00:00", as far as the last one of all needs it. */
static void put_time(double at, double seconds, double step, char text[40])
{
    const long long whole = llround(at);

    if (seconds < 60 || step < 1)
        snprintf(text, 40, "%.6g", at);
    else if (seconds < 3600)
        snprintf(text, 40, "%lld:%02lld", whole / 60, whole % 60);
    else
        snprintf(text, 40, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
}

static void time_axis(struct gf_plot *p, const struct gf_table *t, struct gf_frame f)
{
    const double step = time_step(t->seconds, 10), base = f.top + f.height;
    char text[40];

    for (int i = 0; t->seconds > 0 && i * step <= t->seconds * 1.000001; i++) {
        const double x = f.left + f.width * i * step / t->seconds;

        gf_plot_straight(p, x, base, x, base + 5, INK);
        put_time(i * step, t->seconds, step, text);
        write_at(p, x, base + 20, 12, GF_ANCHOR_MIDDLE, INK, text);
    }
    write_at(p, f.left + f.width / 2, base + 40, 12, GF_ANCHOR_MIDDLE, SOFT, t->seconds < 60 ? "seconds" : t->seconds < 3600 ? "minutes" : "hours");
}

static void channel_name(struct gf_plot *p, const struct gf_table *t, int channel, struct gf_frame f)
{
    char text[80];

    if (t->channels == 1)
        return;
    snprintf(text, sizeof text, "channel %s", t->channel_names[channel]);
    write_at(p, f.left, f.top - 8, 12, GF_ANCHOR_START, INK, text);
}

/* ---- spectra ---- */

uint32_t gf_course_colour(double level)
{
    static const unsigned char stops[][3] = { { 0, 0, 0 }, { 22, 16, 74 }, { 88, 22, 128 }, { 176, 40, 102 }, { 232, 84, 48 }, { 250, 168, 36 },
                                              { 252, 236, 130 }, { 255, 255, 255 } };
    const double last = sizeof stops / sizeof stops[0] - 1, at = level > 0 ? (level < 1 ? level : 1) * last : 0;
    const int i = at < last ? (int)at : (int)last - 1;
    uint32_t rgb = 0;

    for (int c = 0; c < 3; c++)
        rgb = rgb << 8 | (uint32_t)lrint(stops[i][c] + (at - i) * (stops[i + 1][c] - stops[i][c]));
    return rgb;
}

/* The loudest of what falls on a pixel: a line of one frequency, or a click, is not lost. */
static double loudest(const struct gf_table *t, int channel, int64_t column, int64_t end, int cell, int cell_end)
{
    double most = t->floor_db;

    for (; column < end; column++) {
        const float *v = t->course + (column * t->channels + channel) * t->cells;

        for (int i = cell; i < cell_end; i++)
            most = (double)v[i] > most ? (double)v[i] : most;
    }
    return most;
}

unsigned char *gf_course_picture(const struct gf_table *t, int channel, int width, int height)
{
    unsigned char *rgb = malloc((size_t)width * (size_t)height * 3);

    for (int y = 0; rgb != NULL && y < height; y++)
        for (int x = 0; x < width; x++) {
            const int row = height - 1 - y;
            const int64_t column = x * t->columns / width, end = (x + 1) * t->columns / width;
            const int cell = (int)((int64_t)row * t->cells / height), cell_end = (int)((int64_t)(row + 1) * t->cells / height);
            const double db = loudest(t, channel, column, end > column ? end : column + 1, cell, cell_end > cell ? cell_end : cell + 1);
            const uint32_t colour = gf_course_colour(1 - db / t->floor_db);

            for (int c = 0; c < 3; c++)
                rgb[((size_t)y * (size_t)width + (size_t)x) * 3 + (size_t)c] = (unsigned char)(colour >> (16 - 8 * c));
        }
    return rgb;
}

static void frequency_axis(struct gf_plot *p, const struct gf_table *t, struct gf_frame f)
{
    const double step = gf_plot_step(t->high, f.height > 200 ? 12 : 5);
    char text[40];

    for (int i = 0; i * step <= t->high * 1.000001; i++) {
        const double y = f.top + f.height * (1 - i * step / t->high);

        gf_plot_straight(p, f.left - 5, y, f.left, y, INK);
        gf_plot_number(i * step, text);
        write_at(p, f.left - 10, y + 4, 12, GF_ANCHOR_END, SOFT, text);
    }
    write_at(p, f.left - 10, f.top - 12, 12, GF_ANCHOR_END, SOFT, "Hz");
}

static void colour_scale(struct gf_plot *p, const struct gf_table *t, struct gf_frame f)
{
    const double x = f.left + f.width + 24, step = gf_plot_step(-t->floor_db, 8);
    char text[40];

    for (int i = 0; i < (int)f.height; i++)
        gf_plot_box(p, x, f.top + i, SCALE, 1, (struct gf_ink) { gf_course_colour(1 - (i + .5) / f.height), 1 }, NULL);
    for (int i = 0; i * step <= -t->floor_db * 1.000001; i++) {
        const double y = f.top + f.height * i * step / -t->floor_db;

        gf_plot_straight(p, x + SCALE, y, x + SCALE + 4, y, INK);
        snprintf(text, sizeof text, "%g", i > 0 ? -i * step : 0);
        write_at(p, x + SCALE + 8, y + 4, 12, GF_ANCHOR_START, SOFT, text);
    }
    write_at(p, x, f.top - 12, 12, GF_ANCHOR_START, SOFT, "dB");
}

static void draw_spectra(struct gf_plot *p, const struct gf_table *t, int channel)
{
    const struct gf_frame f = frame_of(t, channel);
    unsigned char *rgb = gf_course_picture(t, channel, (int)f.width, (int)f.height);

    if (rgb == NULL) {
        p->failed = true;
        return;
    }
    p->ops->picture(p, f, rgb);
    free(rgb);
    frequency_axis(p, t, f);
    if (channel == 0)
        colour_scale(p, t, f);
}

/* ---- waveforms ---- */

/* Whether a sample of what falls on the x-th column of pixels is clipped. */
static bool clipped(const struct gf_table *t, int channel, int x, int width)
{
    const int64_t column = x * t->columns / width, end = (x + 1) * t->columns / width;

    for (int64_t i = column; i < (end > column ? end : column + 1); i++)
        if (t->course[(i * t->channels + channel) * t->cells + CLIPPED] > 0)
            return true;
    return false;
}

/* Red where samples are clipped: over all of the height, a veil; or solid at both ends of it. */
static void mark_clipped(struct gf_plot *p, const struct gf_table *t, int channel, struct gf_frame f, bool ends)
{
    const struct gf_ink ink = { 0xE0312A, ends ? 1 : .3 };
    const int width = (int)f.width, end = f.height < 80 ? 2 : 5;

    for (int x = 0, from; x < width; x++) {
        for (from = x; x < width && clipped(t, channel, x, width); x++)
            continue;
        if (x == from)
            continue;
        gf_plot_box(p, f.left + from, f.top, x - from, ends ? end : f.height, ink, "clipped");
        if (ends)
            gf_plot_box(p, f.left + from, f.top + f.height - end, x - from, end, ink, "clipped");
    }
}

/* What falls on the x-th column of pixels. */
static void stretch(const struct gf_table *t, int channel, int x, int width, double *least, double *most, double *rms)
{
    const int64_t column = x * t->columns / width, end = (x + 1) * t->columns / width;
    double squares = 0;
    int64_t count = 0;

    *least = 1e30, *most = -1e30;
    for (int64_t i = column; i < (end > column ? end : column + 1); i++, count++) {
        const float *v = t->course + (i * t->channels + channel) * t->cells;

        *least = (double)v[0] < *least ? (double)v[0] : *least;
        *most = (double)v[1] > *most ? (double)v[1] : *most;
        squares += (double)v[2] * (double)v[2];
    }
    *rms = sqrt(squares / (double)count);
}

static double height_of(struct gf_frame f, double high, double v)
{
    const double share = v / high;

    return f.top + f.height / 2 * (1 - (share > 1 ? 1 : share < -1 ? -1 : share));
}

/* The band between two lines, a column of pixels after another; at least as high as a line is thick. */
static void band(struct gf_plot *p, const struct gf_table *t, int channel, struct gf_frame f, bool rms, struct gf_ink ink, const char *title)
{
    const int width = (int)f.width;
    struct gf_spot *spots = malloc(2 * (size_t)width * sizeof *spots);

    p->failed = p->failed || spots == NULL;
    for (int x = 0; spots != NULL && x < width; x++) {
        double least, most, mean, upper, lower;

        stretch(t, channel, x, width, &least, &most, &mean);
        upper = height_of(f, t->high, rms ? fmin(mean, most) : most), lower = height_of(f, t->high, rms ? fmax(-mean, least) : least);
        if (lower - upper < 1) {
            upper = (upper + lower) / 2 - .5;
            lower = upper + 1;
        }
        spots[x] = (struct gf_spot) { f.left + x + .5, upper };
        spots[2 * width - 1 - x] = (struct gf_spot) { f.left + x + .5, lower };
    }
    if (spots != NULL)
        p->ops->area(p, spots, 2 * width, ink, title);
    free(spots);
}

void gf_course_waveform(struct gf_plot *p, const struct gf_table *t, int channel, struct gf_frame f)
{
    mark_clipped(p, t, channel, f, false);
    band(p, t, channel, f, false, (struct gf_ink) { 0x5B8DEF, .8 }, "least to greatest");
    band(p, t, channel, f, true, (struct gf_ink) { 0x1B4FB8, .9 }, "RMS");
    mark_clipped(p, t, channel, f, true);
}

static void draw_waveform(struct gf_plot *p, const struct gf_table *t, int channel)
{
    const struct gf_frame f = frame_of(t, channel);
    char text[40];

    for (int i = -2; i <= 2; i++) {
        const double y = f.top + f.height / 2 * (1 - i / 2.0);

        gf_plot_straight(p, f.left, y, f.left + f.width, y, i == 0 ? SOFT : GRID);
        snprintf(text, sizeof text, "%.4g", t->high * i / 2);
        write_at(p, f.left - 10, y + 4, 12, GF_ANCHOR_END, SOFT, text);
    }
    gf_course_waveform(p, t, channel, f);
}

/* ---- both ---- */

static bool any_clipped(const struct gf_table *t)
{
    for (int64_t i = 0; i < t->columns * t->channels; i++)
        if (t->course[i * t->cells + CLIPPED] > 0)
            return true;
    return false;
}

void gf_course_caption(const struct gf_table *t, char *text, size_t size)
{
    const double column = t->seconds / (double)t->columns;
    const char *unit = column < .1 ? "ms" : "s";

    if (t->window > 0)
        snprintf(text, size, "%lld columns of %.3g %s, spectra of %d frames each (Hann); 0 dB is a sine of full scale", (long long)t->columns,
                 column < .1 ? column * 1000 : column, unit, t->window);
    else
        snprintf(text, size, "light: from the least to the greatest sample of %.3g %s; dark: RMS%s", column < .1 ? column * 1000 : column, unit,
                 any_clipped(t) ? "; red: clipped" : "");
}

int gf_course_draw(struct gf_plot *p, const struct gf_table *t, struct gf_error *err)
{
    const struct gf_words title = { LEFT, 34, 18, GF_ANCHOR_START, true, INK };
    char text[400];

    snprintf(text, sizeof text, "%s of %s", t->window > 0 ? "Spectrogram" : "Waveform", gf_plot_source(t));
    p->ops->words(p, &title, text);
    gf_course_caption(t, text, sizeof text);
    write_at(p, LEFT, 56, 13, GF_ANCHOR_START, SOFT, text);
    for (int c = 0; c < t->channels; c++) {
        channel_name(p, t, c, frame_of(t, c));
        if (t->window > 0)
            draw_spectra(p, t, c);
        else
            draw_waveform(p, t, c);
    }
    time_axis(p, t, frame_of(t, t->channels - 1));
    return p->failed ? gf_fail(err, GF_FAILED, "not enough memory for a drawing") : 0;
}
