/* Draws audio over time: a spectrogram or a waveform. */
#include "table/plot.h"
#include "table/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEFT 76
#define PLOT 1024
#define RIGHT 112                /* spectrograms: room for the color scale */
#define HEAD 84
#define FOOT 48
#define GAP 30                   /* between channels, for the name of the next one */
#define LETTER .55               /* width of a letter / font size: an upper estimate */
#define LEAST 8                  /* minimum width and height of a frame, in pixels */

#define CLIPPED 3                /* index of the cell that counts clipped samples */

/* Returns the height of a channel: fewer channels are drawn higher. */
static int tall_of(const struct gf_table *t)
{
    const int most = t->window > 0 ? 384 : 240, all = 2 * most;

    return t->channels <= 2 ? most : all / t->channels > 96 ? all / t->channels : 96;
}

static int at_least(int asked, int least)
{
    return asked > least ? asked : least;
}

/* Returns the width of the margins on both sides. */
static int margin_width(const struct gf_table *t)
{
    return t->bare ? 0 : LEFT + (t->window > 0 ? RIGHT : 32);
}

/* Returns the height of the margins: above, between and below the frames. */
static int margin_height(const struct gf_table *t)
{
    return t->bare ? 0 : HEAD + FOOT + (t->channels - 1) * GAP;
}

void gf_plot_timeline_size(const struct gf_table *t, int *width, int *height)
{
    *width = t->draw_width > 0 ? at_least(t->draw_width, margin_width(t) + LEAST) : margin_width(t) + PLOT;
    *height = t->draw_height > 0 ? at_least(t->draw_height, margin_height(t) + t->channels * LEAST)
                                 : margin_height(t) + t->channels * tall_of(t);
}

static struct gf_plot_frame frame_of(const struct gf_table *t, int channel)
{
    int width, height, top, end;

    gf_plot_timeline_size(t, &width, &height);
    height -= margin_height(t);
    top = channel * height / t->channels, end = (channel + 1) * height / t->channels;
    return (struct gf_plot_frame) { t->bare ? 0 : LEFT, top + (t->bare ? 0 : HEAD + channel * GAP),
                                    width - margin_width(t), end - top };
}

/* ---- time ---- */

/* Round numbers of minutes and hours are multiples of 60, so they are listed. */
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

/* Writes "0.25", "90", "1:30" or "1:00:00", in the form that the last label needs. */
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

static void draw_time_axis(struct gf_plot *p, const struct gf_table *t, struct gf_plot_frame f)
{
    const double step = time_step(t->seconds, at_least((int)(f.width / 100), 2)), base = f.top + f.height;
    char text[40];

    for (int i = 0; t->seconds > 0 && i * step <= t->seconds * 1.000001; i++) {
        const double x = f.left + f.width * i * step / t->seconds;

        gf_plot_straight(p, x, base, x, base + 5, GF_PLOT_INK);
        put_time(i * step, t->seconds, step, text);
        gf_plot_write(p, x, base + 20, 12, GF_ANCHOR_MIDDLE, GF_PLOT_INK, text);
    }
    gf_plot_write(p, f.left + f.width / 2, base + 40, 12, GF_ANCHOR_MIDDLE, GF_PLOT_SOFT,
                  t->seconds < 60 ? "seconds" : t->seconds < 3600 ? "minutes" : "hours");
}

static void draw_channel_name(struct gf_plot *p, const struct gf_table *t, int channel, struct gf_plot_frame f)
{
    char text[80];

    if (t->channels == 1)
        return;
    snprintf(text, sizeof text, "channel %s", t->channel_names[channel]);
    gf_plot_write(p, f.left, f.top - 8, 12, GF_ANCHOR_START, GF_PLOT_INK, text);
}

/* ---- waveforms ---- */

/* Returns true if a sample in column x of the pixels is clipped. */
static bool clipped(const struct gf_table *t, int channel, int x, int width)
{
    const int64_t column = x * t->columns / width, end = (x + 1) * t->columns / width;

    for (int64_t i = column; i < (end > column ? end : column + 1); i++)
        if (t->timeline[(i * t->channels + channel) * t->cells + CLIPPED] > 0)
            return true;
    return false;
}

/* Marks clipped samples in red: translucent over the full height, or solid at the top and bottom. */
static void mark_clipped(struct gf_plot *p, const struct gf_table *t, int channel, struct gf_plot_frame f, bool ends)
{
    const struct gf_plot_ink ink = { GF_PLOT_RED, ends ? 1 : .3 };
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

/* Finds minimum, maximum and RMS of the samples in column x of the pixels. */
static void find_levels(const struct gf_table *t, int channel, int x, int width, double *least, double *most,
                        double *rms)
{
    const int64_t column = x * t->columns / width, end = (x + 1) * t->columns / width;
    double squares = 0;
    int64_t count = 0;

    *least = 1e30, *most = -1e30;
    for (int64_t i = column; i < (end > column ? end : column + 1); i++, count++) {
        const float *v = t->timeline + (i * t->channels + channel) * t->cells;

        *least = (double)v[0] < *least ? (double)v[0] : *least;
        *most = (double)v[1] > *most ? (double)v[1] : *most;
        squares += (double)v[2] * (double)v[2];
    }
    *rms = sqrt(squares / (double)count);
}

static double height_of(struct gf_plot_frame f, double high, double v)
{
    const double share = v / high;

    return f.top + f.height / 2 * (1 - (share > 1 ? 1 : share < -1 ? -1 : share));
}

/* Draws the band between minimum and maximum, or between -RMS and RMS; at least one pixel high. */
static void draw_band(struct gf_plot *p, const struct gf_table *t, int channel, struct gf_plot_frame f, bool rms,
                      struct gf_plot_ink ink, const char *title)
{
    const int width = (int)f.width;
    struct gf_plot_spot *spots = malloc(2 * (size_t)width * sizeof *spots);

    p->failed = p->failed || spots == NULL;
    for (int x = 0; spots != NULL && x < width; x++) {
        const double at = f.left + (x == 0 ? 0 : x == width - 1 ? width : x + .5);
        double least, most, mean, upper, lower;

        find_levels(t, channel, x, width, &least, &most, &mean);
        upper = height_of(f, t->high, rms ? fmin(mean, most) : most);
        lower = height_of(f, t->high, rms ? fmax(-mean, least) : least);
        if (lower - upper < 1) {
            upper = (upper + lower) / 2 - .5;
            lower = upper + 1;
        }
        spots[x] = (struct gf_plot_spot) { at, upper };
        spots[2 * width - 1 - x] = (struct gf_plot_spot) { at, lower };
    }
    if (spots != NULL)
        p->ops->area(p, spots, 2 * width, ink, title);
    free(spots);
}

void gf_plot_timeline_waveform(struct gf_plot *p, const struct gf_table *t, int channel, struct gf_plot_frame f)
{
    mark_clipped(p, t, channel, f, false);
    draw_band(p, t, channel, f, false, (struct gf_plot_ink) { 0x5B8DEF, .8 }, "least to greatest");
    draw_band(p, t, channel, f, true, (struct gf_plot_ink) { 0x1B4FB8, .9 }, "RMS");
    mark_clipped(p, t, channel, f, true);
}

static void draw_level_axis(struct gf_plot *p, const struct gf_table *t, struct gf_plot_frame f)
{
    char text[40];

    for (int i = -2; i <= 2; i++) {
        const double y = f.top + f.height / 2 * (1 - i / 2.0);

        gf_plot_straight(p, f.left, y, f.left + f.width, y, i == 0 ? GF_PLOT_SOFT : GF_PLOT_GRID);
        snprintf(text, sizeof text, "%.4g", t->high * i / 2);
        gf_plot_write(p, f.left - 10, y + 4, 12, GF_ANCHOR_END, GF_PLOT_SOFT, text);
    }
}

/* ---- both ---- */

static bool any_clipped(const struct gf_table *t)
{
    for (int64_t i = 0; i < t->columns * t->channels; i++)
        if (t->timeline[i * t->cells + CLIPPED] > 0)
            return true;
    return false;
}

void gf_plot_timeline_caption(const struct gf_table *t, char *text, size_t size)
{
    const double column = t->seconds / (double)t->columns;
    const char *unit = column < .1 ? "ms" : "s";

    if (t->window > 0)
        snprintf(text, size, "%lld columns of %.3g %s, spectra of %d frames each (Hann); 0 dB is a sine of full scale",
                 (long long)t->columns, column < .1 ? column * 1000 : column, unit, t->window);
    else
        snprintf(text, size, "light: from the least to the greatest sample of %.3g %s; dark: RMS%s",
                 column < .1 ? column * 1000 : column, unit, any_clipped(t) ? "; red: clipped" : "");
}

/* Draws everything that a bare drawing leaves out. */
static void draw_labels_and_axes(struct gf_plot *p, const struct gf_table *t)
{
    const struct gf_plot_label title = { LEFT, 34, 18, GF_ANCHOR_START, true, GF_PLOT_INK };
    char text[400];
    double fits;

    snprintf(text, sizeof text, "%s of %s", t->window > 0 ? "Spectrogram" : "Waveform", gf_plot_source(t));
    p->ops->label(p, &title, text);
    gf_plot_timeline_caption(t, text, sizeof text);
    fits = (p->width - LEFT) / (LETTER * (double)strlen(text));
    gf_plot_write(p, LEFT, 56, fits < 13 ? fits : 13, GF_ANCHOR_START, GF_PLOT_SOFT, text);
    for (int c = 0; c < t->channels; c++) {
        draw_channel_name(p, t, c, frame_of(t, c));
        if (t->window > 0)
            gf_plot_spectrogram_axis(p, t, frame_of(t, c));
        else
            draw_level_axis(p, t, frame_of(t, c));
    }
    if (t->window > 0)
        gf_plot_spectrogram_scale(p, t, frame_of(t, 0));
    draw_time_axis(p, t, frame_of(t, t->channels - 1));
}

int gf_plot_timeline_draw(struct gf_plot *p, const struct gf_table *t, struct gf_error *err)
{
    if (!t->bare)
        draw_labels_and_axes(p, t);
    for (int c = 0; c < t->channels; c++) {
        if (t->window > 0)
            gf_plot_spectrogram_draw(p, t, c, frame_of(t, c));
        else
            gf_plot_timeline_waveform(p, t, c, frame_of(t, c));
    }
    return p->failed ? gf_fail_memory(err, NULL) : 0;
}
