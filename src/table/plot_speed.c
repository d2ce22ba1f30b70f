/* Draws speeds of several implementations: bandwidth over size, or bars if there is only one size. */
#include "table/plot.h"
#include "table/table.h"

#include <math.h>
#include <string.h>

#define INK 0x202428
#define SOFT 0x5A6068
#define GRID 0xDDE1E6
#define FINE 0xEEF0F3
#define LIGHTER 0xC6CBD1

#define LEFT 96
#define PLOT 860
#define TALL 460
#define RIGHT 40
#define HEAD 84
#define LEGEND 22                /* height of a line of the legend */
#define FOOT 64
#define NOTE 18
#define NOTES_LEFT 24
#define LETTERS 140              /* of a note at the usual size; longer ones are set smaller */

#define NAMES 470                /* bars: width for names on the left; numbers are on the right */
#define BARS 480
#define ROW 24

static const uint32_t colours[] = { 0x9AA2AC, 0xD1495B, 0xE08E1D, 0x2B63E0, 0x1F9D3A, 0x8A4FC7, 0x0F8B8D, 0x7A5230 };

#define COLOURS ((int)(sizeof colours / sizeof colours[0]))

static bool is_copy(const struct gf_table *t, int way)
{
    return strncmp(t->channel_names[way], "copy", 4) == 0;
}

/* The first implementation is gray, other copies are light gray, and all others have colors. */
static uint32_t colour_of(const struct gf_table *t, int way)
{
    int n = 1;

    if (way == 0 || is_copy(t, way))
        return way == 0 ? colours[0] : LIGHTER;
    for (int i = 1; i < way; i++)
        n += !is_copy(t, i);
    return colours[1 + (n - 1) % (COLOURS - 1)];
}

static double value_of(const struct gf_table *t, int way, int size)
{
    return t->values[((int64_t)way * t->sizes + size) * t->fields + t->drawn];
}

static int note_count(const struct gf_table *t)
{
    int n = 0;

    while (t->notes != NULL && t->notes[n] != NULL)
        n++;
    return n;
}

static double frame_top(const struct gf_table *t)
{
    return HEAD + LEGEND * (double)t->channels + 24;
}

void gf_plot_speed_size(const struct gf_table *t, int *width, int *height)
{
    *width = t->sizes > 1 ? LEFT + PLOT + RIGHT : NAMES + BARS + 150;
    *height = t->sizes > 1 ? (int)frame_top(t) + TALL + FOOT : HEAD + ROW * t->channels + 24;
    *height += NOTE * note_count(t);
}

/* The range of the axis: whole decades that include all values. */
struct scale {
    double low, high;            /* logarithms of base 10 */
};

static struct scale scale_of(const struct gf_table *t)
{
    double least = INFINITY, most = -INFINITY;

    for (int c = 0; c < t->channels; c++)
        for (int i = 0; i < t->sizes; i++) {
            const double v = value_of(t, c, i);

            if (isfinite(v) && v > 0) {
                least = v < least ? v : least;
                most = v > most ? v : most;
            }
        }
    if (!(most > 0))
        return (struct scale) { 0, 1 };
    return (struct scale) { floor(log10(least)), fmax(ceil(log10(most)), floor(log10(least)) + 1) };
}

static double x_of_size(const struct gf_table *t, int size)
{
    const double first = log2((double)t->size_samples[0]), last = log2((double)t->size_samples[t->sizes - 1]);

    return LEFT + PLOT * (log2((double)t->size_samples[size]) - first) / (last - first);
}

static double y_of_value(struct scale s, struct gf_plot_frame f, double value)
{
    return f.top + f.height * (1 - (log10(value) - s.low) / (s.high - s.low));
}

/* ---- lines ---- */

static void draw_axes(struct gf_plot *p, const struct gf_table *t, struct scale s, struct gf_plot_frame f)
{
    char text[40];

    for (int decade = (int)s.low; decade <= (int)s.high; decade++)
        for (int k = 1; k < 10; k++) {
            const double value = k * pow(10, decade), y = y_of_value(s, f, value);

            if (y < f.top - 0.01)
                continue;
            gf_plot_straight(p, f.left, y, f.left + f.width, y, k == 1 ? GRID : FINE);
            snprintf(text, sizeof text, "%.10g", value);
            if (k == 1 || (s.high - s.low < 3.5 && (k == 2 || k == 5)))
                gf_plot_write(p, f.left - 10, y + 4, 12, GF_ANCHOR_END, SOFT, text);
        }
    gf_plot_write(p, f.left - 10, f.top - 14, 12, GF_ANCHOR_END, SOFT, t->field_names[t->drawn]);
    for (int i = 0; i < t->sizes; i++) {
        const double x = x_of_size(t, i), base = f.top + f.height;

        gf_plot_straight(p, x, f.top, x, base, FINE);
        gf_plot_straight(p, x, base, x, base + 5, INK);
        gf_table_size_text(t->size_samples[i], text);
        gf_plot_write(p, x, base + 20, 12, GF_ANCHOR_MIDDLE, INK, text);
    }
    gf_plot_straight(p, f.left, f.top + f.height, f.left + f.width, f.top + f.height, INK);
    gf_plot_write(p, f.left + f.width / 2, f.top + f.height + 42, 12, GF_ANCHOR_MIDDLE, SOFT, "samples");
}

/* Draws a line over the sizes with a mark at each; a missing value interrupts it. */
static void draw_way(struct gf_plot *p, const struct gf_table *t, int way, struct scale s, struct gf_plot_frame f)
{
    const struct gf_plot_ink ink = { colour_of(t, way), 1 };
    struct gf_plot_spot spots[64];
    int count = 0;

    for (int i = 0; i <= t->sizes; i++) {
        const double v = i < t->sizes ? value_of(t, way, i) : NAN;

        if (isfinite(v) && v > 0 && count < 64) {
            spots[count++] = (struct gf_plot_spot) { x_of_size(t, i), y_of_value(s, f, v) };
            continue;
        }
        if (count > 1)
            p->ops->line(p, spots, count, 2, ink);
        for (int k = 0; k < count; k++)
            gf_plot_box(p, spots[k].x - 3, spots[k].y - 3, 6, 6, ink, t->channel_names[way]);
        count = 0;
    }
}

/* Draws color and name of an implementation, and its speed at the largest size. */
static void draw_legend_line(struct gf_plot *p, const struct gf_table *t, int way)
{
    const double y = HEAD + LEGEND * (double)way, last = value_of(t, way, t->sizes - 1);
    char text[80], size[24];

    gf_plot_box(p, LEFT, y - 6, 22, 3, (struct gf_plot_ink) { colour_of(t, way), 1 }, NULL);
    gf_plot_box(p, LEFT + 8, y - 8, 6, 6, (struct gf_plot_ink) { colour_of(t, way), 1 }, NULL);
    gf_plot_write(p, LEFT + 32, y, 13, GF_ANCHOR_START, INK, t->channel_names[way]);
    if (!isfinite(last))
        return;
    gf_table_size_text(t->size_samples[t->sizes - 1], size);
    snprintf(text, sizeof text, last >= 100 ? "%.0f %s at %s" : "%.3g %s at %s", last, t->field_names[t->drawn], size);
    gf_plot_write(p, LEFT + 480, y, 12, GF_ANCHOR_START, SOFT, text);
}

static void draw_lines(struct gf_plot *p, const struct gf_table *t)
{
    const struct gf_plot_frame f = { LEFT, frame_top(t), PLOT, TALL };
    const struct scale s = scale_of(t);

    for (int c = 0; c < t->channels; c++)
        draw_legend_line(p, t, c);
    draw_axes(p, t, s, f);
    for (int c = 0; c < t->channels; c++)
        draw_way(p, t, c, s, f);
}

/* ---- bars ---- */

static void draw_bars(struct gf_plot *p, const struct gf_table *t)
{
    double most = 0;
    char text[80];

    for (int c = 0; c < t->channels; c++)
        most = value_of(t, c, 0) > most ? value_of(t, c, 0) : most;
    for (int c = 0; c < t->channels; c++) {
        const double v = value_of(t, c, 0), y = HEAD + ROW * (double)c,
                     length = most > 0 && v > 0 ? BARS * v / most : 0;

        gf_plot_write(p, NAMES - 10, y + 14, 12, GF_ANCHOR_END, INK, t->channel_names[c]);
        gf_plot_box(p, NAMES, y + 3, fmax(length, 1), ROW - 8, (struct gf_plot_ink) { colours[c > 0 ? 3 : 0], 0.8 },
                    t->channel_names[c]);
        if (isfinite(v))
            snprintf(text, sizeof text, v >= 100 ? "%.0f %s" : "%.3g %s", v, t->field_names[t->drawn]);
        else
            snprintf(text, sizeof text, "not measured");
        gf_plot_write(p, NAMES + length + 8, y + 14, 12, GF_ANCHOR_START, SOFT, text);
    }
}

void gf_plot_speed_draw(struct gf_plot *p, const struct gf_table *t)
{
    const double left = t->sizes > 1 ? LEFT : 24;
    const struct gf_plot_label title = { left, 34, 18, GF_ANCHOR_START, true, INK };
    double y = p->height - NOTE * (double)note_count(t);
    char size[24], text[80];

    p->ops->label(p, &title, gf_plot_source(t));
    gf_table_size_text(t->size_samples[0], size);
    snprintf(text, sizeof text,
             t->sizes > 1 ? "bytes read and written at least, both axes logarithmic" : "%s samples each", size);
    gf_plot_write(p, left, 56, 13, GF_ANCHOR_START, SOFT, text);
    if (t->sizes > 1)
        draw_lines(p, t);
    else
        draw_bars(p, t);
    for (int i = 0; i < note_count(t); i++, y += NOTE)
        gf_plot_write(p, NOTES_LEFT, y, fmin(12, 12.0 * LETTERS / (double)strlen(t->notes[i])), GF_ANCHOR_START, INK,
                      t->notes[i]);
}
