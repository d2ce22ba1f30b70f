/* Draws speeds of several implementations: bandwidth over size, or bars if there is only one size. */
#include "bench/speed_table.h"

#include <math.h>
#include <string.h>

#define LIGHTER 0xC6CBD1

#define LEFT 96
#define PLOT 860
#define LEAST_PLOT 300
#define TALL 460
#define RIGHT 40
#define HEAD 84
#define LEGEND 22                /* height of a line of the legend */
#define VALUES 480               /* distance of values in the legend from its left */
#define FOOT 64
#define NOTES_LEFT 24
#define TICK_GAP 8               /* between numbers of the horizontal axis */
#define DASH 7
#define DASH_GAP 4

#define NAMES 470                /* bars: width for names on the left; numbers are on the right */
#define BARS 480
#define ROW 24

/* The first is for a copy, others for the ways. */
static const uint32_t colours[] = { GF_PLOT_GRAY, 0xD1495B, 0xE08E1D, GF_PLOT_BLUE, GF_PLOT_GREEN,
                                    GF_SPEED_VIOLET, 0x0F8B8D, GF_SPEED_BROWN, 0xE35FB0 };

#define COLOURS ((int)(sizeof colours / sizeof colours[0]))

/* Returns the number of ways with a color before this one. */
static int coloured_before(const struct gf_table *t, int way)
{
    int n = 0;

    for (int i = 0; i < way; i++)
        n += !gf_speed_table_is_copy(t, i);
    return n;
}

/* A copy is gray, copies after the first way are light gray, and all others have colors. */
static uint32_t colour_of(const struct gf_table *t, int way)
{
    if (gf_speed_table_is_copy(t, way))
        return way == 0 ? colours[0] : LIGHTER;
    return colours[1 + coloured_before(t, way) % (COLOURS - 1)];
}

/* Lines are dashed, with other marks, when all colors are in use. */
static bool is_dashed(const struct gf_table *t, int way)
{
    return !gf_speed_table_is_copy(t, way) && coloured_before(t, way) / (COLOURS - 1) % 2 == 1;
}

static double frame_top(const struct gf_table *t)
{
    return HEAD + LEGEND * (double)t->channels + 24;
}

static int plot_width(const struct gf_table *t)
{
    const int wanted = t->draw_width > 0 ? t->draw_width - LEFT - RIGHT : PLOT;

    return wanted > LEAST_PLOT ? wanted : LEAST_PLOT;
}

static int plot_height(const struct gf_table *t)
{
    return t->draw_width > 0 && plot_width(t) * 2 / 3 < TALL ? plot_width(t) * 2 / 3 : TALL;
}

static void plot_size(const struct gf_table *t, int *width, int *height)
{
    *width = gf_speeds_of(t)->sizes > 1 ? LEFT + plot_width(t) + RIGHT : NAMES + BARS + 150;
    *height = gf_speeds_of(t)->sizes > 1 ? (int)frame_top(t) + plot_height(t) + FOOT : HEAD + ROW * t->channels + 24;
    *height += (int)gf_plot_notes_height(t->notes, *width - 2 * NOTES_LEFT);
}

/* The range of the axis: whole decades that include all values. */
struct scale {
    double low, high;            /* logarithms of base 10 */
};

static struct scale scale_of(const struct gf_table *t)
{
    double least = INFINITY, most = -INFINITY;

    for (int c = 0; c < t->channels; c++)
        for (int i = 0; i < gf_speeds_of(t)->sizes; i++) {
            const double v = gf_speed_table_value(t, c, i);

            if (isfinite(v) && v > 0) {
                least = v < least ? v : least;
                most = v > most ? v : most;
            }
        }
    if (!(most > 0))
        return (struct scale) { 0, 1 };
    return (struct scale) { floor(log10(least)), fmax(ceil(log10(most)), floor(log10(least)) + 1) };
}

static double place_of_size(const struct gf_table *t, int size)
{
    const double value = (double)gf_speeds_of(t)->size_samples[size];

    return gf_speeds_of(t)->axis_linear ? value : log2(fmax(value, 1));
}

static double x_of_size(const struct gf_table *t, int size)
{
    const double first = place_of_size(t, 0), last = place_of_size(t, gf_speeds_of(t)->sizes - 1);

    return LEFT + plot_width(t) * (last > first ? (place_of_size(t, size) - first) / (last - first) : 0);
}

static double y_of_value(struct scale s, struct gf_plot_frame f, double value)
{
    return f.top + f.height * (1 - (log10(value) - s.low) / (s.high - s.low));
}

/* ---- lines ---- */

static void draw_values(struct gf_plot *p, const struct gf_table *t, struct scale s, struct gf_plot_frame f)
{
    char text[40];

    for (int decade = (int)s.low; decade <= (int)s.high; decade++)
        for (int k = 1; k < 10; k++) {
            const double value = k * pow(10, decade), y = y_of_value(s, f, value);

            if (y < f.top - 0.01)
                continue;
            gf_plot_straight(p, f.left, y, f.left + f.width, y, k == 1 ? GF_PLOT_GRID : GF_PLOT_FINE);
            snprintf(text, sizeof text, "%.10g", value);
            if (k == 1 || (s.high - s.low < 3.5 && (k == 2 || k == 5)))
                gf_plot_write(p, f.left - 10, y + 4, 12, GF_ANCHOR_END, GF_PLOT_SOFT, text);
        }
    gf_plot_write(p, f.left - 10, f.top - 14, 12, GF_ANCHOR_END, GF_PLOT_SOFT, t->field_names[gf_speeds_of(t)->drawn]);
}

/* Draws the horizontal axis. Numbers that would touch the one before are left out. */
static void draw_sizes(struct gf_plot *p, const struct gf_table *t, struct gf_plot_frame f)
{
    const double base = f.top + f.height;
    double end = 0;
    char text[40];

    for (int i = 0; i < gf_speeds_of(t)->sizes; i++) {
        const double x = x_of_size(t, i);
        double half;

        gf_plot_straight(p, x, f.top, x, base, GF_PLOT_FINE);
        gf_plot_straight(p, x, base, x, base + 5, GF_PLOT_INK);
        gf_speed_table_axis_text(t, i, text);
        half = gf_plot_letters_width(12, text, strlen(text)) / 2;
        if (x - half < end + TICK_GAP)
            continue;
        gf_plot_write(p, x, base + 20, 12, GF_ANCHOR_MIDDLE, GF_PLOT_INK, text);
        end = x + half;
    }
    gf_plot_straight(p, f.left, base, f.left + f.width, base, GF_PLOT_INK);
    gf_plot_write(p, f.left + f.width / 2, base + 42, 12, GF_ANCHOR_MIDDLE, GF_PLOT_SOFT, gf_speed_table_axis_name(t));
}

static void draw_dashes(struct gf_plot *p, const struct gf_plot_spot *spots, int count, struct gf_plot_ink ink)
{
    double at = 0;                       /* the position in a dash and the gap after it */

    for (int i = 0; i + 1 < count; i++) {
        const double dx = spots[i + 1].x - spots[i].x, dy = spots[i + 1].y - spots[i].y, length = hypot(dx, dy);

        for (double from = 0; from < length;) {
            const double to = fmin(length, from + (at < DASH ? DASH : DASH + DASH_GAP) - at);
            const struct gf_plot_spot ends[] = { { spots[i].x + dx * from / length, spots[i].y + dy * from / length },
                                                 { spots[i].x + dx * to / length, spots[i].y + dy * to / length } };

            if (at < DASH)
                p->ops->line(p, ends, 2, 2, ink);
            at = fmod(at + fmax(to - from, 0.01), DASH + DASH_GAP);
            from = fmax(to, from + 0.01);
        }
    }
}

static void draw_mark(struct gf_plot *p, const struct gf_table *t, int way, struct gf_plot_spot at, const char *title)
{
    const struct gf_plot_ink ink = { colour_of(t, way), 1 };
    const struct gf_plot_spot diamond[] = { { at.x - 5, at.y }, { at.x, at.y - 5 }, { at.x + 5, at.y },
                                            { at.x, at.y + 5 } };

    if (is_dashed(t, way))
        p->ops->area(p, diamond, 4, ink, title);
    else
        gf_plot_box(p, at.x - 3, at.y - 3, 6, 6, ink, title);
}

static void draw_stroke(struct gf_plot *p, const struct gf_table *t, int way, const struct gf_plot_spot *spots,
                        int count)
{
    const struct gf_plot_ink ink = { colour_of(t, way), 1 };

    if (is_dashed(t, way))
        draw_dashes(p, spots, count, ink);
    else if (count > 1)
        p->ops->line(p, spots, count, 2, ink);
}

/* Draws a line over the sizes with a mark at each; a missing value interrupts it. */
static void draw_way(struct gf_plot *p, const struct gf_table *t, int way, struct scale s, struct gf_plot_frame f)
{
    struct gf_plot_spot spots[64];
    int count = 0;

    for (int i = 0; i <= gf_speeds_of(t)->sizes; i++) {
        const double v = i < gf_speeds_of(t)->sizes ? gf_speed_table_value(t, way, i) : NAN;

        if (isfinite(v) && v > 0 && count < 64) {
            spots[count++] = (struct gf_plot_spot) { x_of_size(t, i), y_of_value(s, f, v) };
            continue;
        }
        draw_stroke(p, t, way, spots, count);
        for (int k = 0; k < count; k++)
            draw_mark(p, t, way, spots[k], t->channel_names[way]);
        count = 0;
    }
}

/* Draws color and name of an implementation, and its speed at the largest size. */
static void draw_legend_line(struct gf_plot *p, const struct gf_table *t, int way)
{
    const double y = HEAD + LEGEND * (double)way, last = gf_speed_table_value(t, way, gf_speeds_of(t)->sizes - 1);
    const struct gf_plot_spot ends[] = { { LEFT, y - 5 }, { LEFT + 22, y - 5 } };
    const char *name = t->channel_names[way];
    const double name_end = 32 + gf_plot_letters_width(13, name, strlen(name)) + 16;
    char text[80], size[24];

    draw_stroke(p, t, way, ends, 2);
    draw_mark(p, t, way, (struct gf_plot_spot) { LEFT + 11, y - 5 }, NULL);
    gf_plot_write(p, LEFT + 32, y, 13, GF_ANCHOR_START, GF_PLOT_INK, name);
    if (!isfinite(last))
        return;
    gf_speed_table_axis_text(t, gf_speeds_of(t)->sizes - 1, size);
    snprintf(text, sizeof text, last >= 100 ? "%.0f %s at %s" : "%.3g %s at %s", last,
             t->field_names[gf_speeds_of(t)->drawn], size);
    gf_plot_write(p, LEFT + fmax(name_end, fmin(VALUES, plot_width(t) - 180)), y, 12, GF_ANCHOR_START, GF_PLOT_SOFT,
                  text);
}

static void draw_lines(struct gf_plot *p, const struct gf_table *t)
{
    const struct gf_plot_frame f = { LEFT, frame_top(t), plot_width(t), plot_height(t) };
    const struct scale s = scale_of(t);

    for (int c = 0; c < t->channels; c++)
        draw_legend_line(p, t, c);
    draw_values(p, t, s, f);
    draw_sizes(p, t, f);
    for (int c = 0; c < t->channels; c++)
        draw_way(p, t, c, s, f);
}

/* ---- bars ---- */

static void draw_bars(struct gf_plot *p, const struct gf_table *t)
{
    double most = 0;
    char text[80];

    for (int c = 0; c < t->channels; c++)
        most = gf_speed_table_value(t, c, 0) > most ? gf_speed_table_value(t, c, 0) : most;
    for (int c = 0; c < t->channels; c++) {
        const double v = gf_speed_table_value(t, c, 0), y = HEAD + ROW * (double)c,
                     length = most > 0 && v > 0 ? BARS * v / most : 0;

        gf_plot_write(p, NAMES - 10, y + 14, 12, GF_ANCHOR_END, GF_PLOT_INK, t->channel_names[c]);
        gf_plot_box(p, NAMES, y + 3, fmax(length, 1), ROW - 8, (struct gf_plot_ink) { colours[c > 0 ? 3 : 0], 0.8 },
                    t->channel_names[c]);
        if (isfinite(v))
            snprintf(text, sizeof text, v >= 100 ? "%.0f %s" : "%.3g %s", v, t->field_names[gf_speeds_of(t)->drawn]);
        else
            snprintf(text, sizeof text, "not measured");
        gf_plot_write(p, NAMES + length + 8, y + 14, 12, GF_ANCHOR_START, GF_PLOT_SOFT, text);
    }
}

/* Says what the vertical axis shows. */
static const char *drawn_text(const struct gf_table *t)
{
    const char *field = t->field_names[gf_speeds_of(t)->drawn];

    return strcmp(field, "us") == 0 ? "microseconds of a call, where less is faster; "
         : strcmp(field, "GB/s") == 0 ? "bytes read and written at least; " : "";
}

static void draw_caption(struct gf_plot *p, const struct gf_table *t, double left)
{
    char size[24], text[120];

    gf_speed_table_axis_text(t, 0, size);
    if (gf_speeds_of(t)->sizes > 1)
        snprintf(text, sizeof text, "%s%s", drawn_text(t), gf_speeds_of(t)->axis != NULL && gf_speeds_of(t)->axis_linear
                 ? "the vertical axis is logarithmic" : "both axes are logarithmic");
    else if (gf_speeds_of(t)->axis == NULL)
        snprintf(text, sizeof text, "%s samples each", size);
    else
        snprintf(text, sizeof text, "%s: %s", gf_speeds_of(t)->axis, size);
    gf_plot_write(p, left, 56, 13, GF_ANCHOR_START, GF_PLOT_SOFT, text);
}

static void plot_draw(struct gf_plot *p, const struct gf_table *t)
{
    const double left = gf_speeds_of(t)->sizes > 1 ? LEFT : 24, notes_width = p->width - 2 * NOTES_LEFT;
    const struct gf_plot_label title = { left, 34, 18, GF_ANCHOR_START, true, GF_PLOT_INK };

    p->ops->label(p, &title, gf_plot_source(t));
    draw_caption(p, t, left);
    if (gf_speeds_of(t)->sizes > 1)
        draw_lines(p, t);
    else
        draw_bars(p, t);
    gf_plot_notes_draw(p, t->notes, NOTES_LEFT, p->height - gf_plot_notes_height(t->notes, notes_width), notes_width);
}

const struct gf_table_kind gf_speed_table_kind = {
    .row = "way", .rows = "rates", .put = gf_speed_table_put, .put_json = gf_speed_table_put_json,
    .size = plot_size, .draw = plot_draw,
};
