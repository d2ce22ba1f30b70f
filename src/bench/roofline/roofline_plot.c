/* Draws a roofline: the two ceilings of a device, and how far below them operations are. */
#include "bench/roofline/roofline.h"

#include "bench/speed_table.h"
#include "table/json.h"
#include "table/plot.h"

#include <math.h>
#include <string.h>

#define LEFT 96
#define PLOT 860
#define LEAST_PLOT 300
#define TALL 420
#define RIGHT 40
#define TOP 96
#define FOOT 64
#define ROW 18                   /* of the list of operations */
#define LIST_HEAD 28
#define NOTES_LEFT 24
#define GAP 12
#define MOST 64                  /* numbers that are kept apart */

/* Both axes, as logarithms of base 10, and the frame that they fill. */
struct axes {
    double x_low, x_high, y_low, y_high;
    struct gf_plot_frame f;
};

static const double *fields_of(const struct gf_table *t, int operation)
{
    return t->values + (int64_t)operation * t->fields;
}

static const struct gf_roofs *roofs_of(const struct gf_table *t)
{
    return t->own;
}

static double ridge_of(const struct gf_table *t)
{
    return roofs_of(t)->gbytes > 0 ? roofs_of(t)->gflops / roofs_of(t)->gbytes : 1;
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
    *width = LEFT + plot_width(t) + RIGHT;
    *height = TOP + plot_height(t) + FOOT + LIST_HEAD + ROW * t->channels + GAP
            + (int)gf_plot_notes_height(t->notes, *width - 2 * NOTES_LEFT);
}

/* The axes have whole decades with all operations, the ridge, and some space beside it. */
static struct axes find_axes(const struct gf_table *t)
{
    double x_least = ridge_of(t) / 4, x_most = ridge_of(t) * 4, y_least = roofs_of(t)->gflops / 8;
    struct axes a;

    for (int i = 0; i < t->channels; i++) {
        const double *v = fields_of(t, i);

        if (!(v[GF_ROOF_BYTE] > 0 && v[GF_ROOF_RATE] > 0))
            continue;
        x_least = fmin(x_least, v[GF_ROOF_BYTE]);
        x_most = fmax(x_most, 1.5 * v[GF_ROOF_BYTE]);
        y_least = fmin(y_least, v[GF_ROOF_RATE]);
    }
    y_least = fmin(y_least, x_least * roofs_of(t)->gbytes);
    a.x_low = floor(log10(x_least));
    a.x_high = ceil(log10(x_most));
    a.y_low = floor(log10(y_least));
    a.y_high = ceil(log10(roofs_of(t)->gflops * 1.05));
    a.f = (struct gf_plot_frame) { LEFT, TOP, plot_width(t), plot_height(t) };
    return a;
}

static struct gf_plot_spot spot_of(const struct axes *a, double flop_per_byte, double gflops)
{
    return (struct gf_plot_spot) {
        a->f.left + a->f.width * (log10(flop_per_byte) - a->x_low) / (a->x_high - a->x_low),
        a->f.top + a->f.height * (1 - (log10(gflops) - a->y_low) / (a->y_high - a->y_low))
    };
}

static void draw_axes(struct gf_plot *p, const struct gf_table *t, const struct axes *a)
{
    const double bottom = a->f.top + a->f.height, right = a->f.left + a->f.width;
    char text[40];

    for (int decade = (int)a->x_low; decade <= (int)a->x_high; decade++)
        for (int k = 1; k < (decade < (int)a->x_high ? 10 : 2); k++) {
            const double x = spot_of(a, k * pow(10, decade), 1).x;

            gf_plot_straight(p, x, a->f.top, x, bottom, k == 1 ? GF_PLOT_GRID : GF_PLOT_FINE);
            snprintf(text, sizeof text, "%.10g", pow(10, decade));
            if (k == 1)
                gf_plot_write(p, x, bottom + 20, 12, GF_ANCHOR_MIDDLE, GF_PLOT_INK, text);
        }
    for (int decade = (int)a->y_low; decade <= (int)a->y_high; decade++)
        for (int k = 1; k < (decade < (int)a->y_high ? 10 : 2); k++) {
            const double y = spot_of(a, 1, k * pow(10, decade)).y;

            gf_plot_straight(p, a->f.left, y, right, y, k == 1 ? GF_PLOT_GRID : GF_PLOT_FINE);
            snprintf(text, sizeof text, "%.10g", pow(10, decade));
            if (k == 1)
                gf_plot_write(p, a->f.left - 10, y + 4, 12, GF_ANCHOR_END, GF_PLOT_SOFT, text);
        }
    gf_plot_straight(p, a->f.left, bottom, right, bottom, GF_PLOT_INK);
    gf_plot_write(p, a->f.left - 10, a->f.top - 14, 12, GF_ANCHOR_END, GF_PLOT_SOFT, t->field_names[GF_ROOF_RATE]);
    gf_plot_write(p, a->f.left + a->f.width / 2, bottom + 42, 12, GF_ANCHOR_MIDDLE, GF_PLOT_SOFT,
                  t->field_names[GF_ROOF_BYTE]);
}

/* Draws the roof from the left side to the ridge, and on to the right side. */
static void draw_roof(struct gf_plot *p, const struct gf_table *t, const struct axes *a)
{
    const double ridge = ridge_of(t), from = fmax(pow(10, a->x_low), pow(10, a->y_low) / roofs_of(t)->gbytes);
    const struct gf_plot_spot roof[] = { spot_of(a, from, from * roofs_of(t)->gbytes),
                                         spot_of(a, ridge, roofs_of(t)->gflops),
                                         spot_of(a, pow(10, a->x_high), roofs_of(t)->gflops) };
    char text[80];

    p->ops->line(p, roof, 3, 3, (struct gf_plot_ink) { GF_PLOT_GRAY, 1 });
    snprintf(text, sizeof text, "arithmetic: %.0f GFLOP/s", roofs_of(t)->gflops);
    gf_plot_write(p, roof[2].x, roof[2].y - 10, 12, GF_ANCHOR_END, GF_PLOT_INK, text);
    snprintf(text, sizeof text, "memory: %.4g GB/s", roofs_of(t)->gbytes);
    gf_plot_write(p, (roof[0].x + roof[1].x) / 2 - 14, (roof[0].y + roof[1].y) / 2 - 10, 12, GF_ANCHOR_END, GF_PLOT_INK,
                  text);
    gf_plot_straight(p, roof[1].x, roof[1].y, roof[1].x, a->f.top + a->f.height, GF_PLOT_GRAY);
    snprintf(text, sizeof text, "%.3g", ridge);
    gf_plot_write(p, roof[1].x + 5, a->f.top + a->f.height - 8, 12, GF_ANCHOR_START, GF_PLOT_SOFT, text);
}

/* The numbers beside marks so far, as the middle of each. */
struct numbers {
    struct gf_plot_spot at[MOST];
    int count;
};

/* Returns true if a number there would touch another number or a mark. */
static bool is_covered(const struct gf_table *t, const struct axes *a, const struct numbers *n, struct gf_plot_spot at)
{
    for (int i = 0; i < n->count; i++)
        if (fabs(n->at[i].x - at.x) < 16 && fabs(n->at[i].y - at.y) < 12)
            return true;
    for (int i = 0; i < t->channels; i++) {
        const double *v = fields_of(t, i);
        const struct gf_plot_spot mark = spot_of(a, v[GF_ROOF_BYTE], v[GF_ROOF_RATE]);

        if (fabs(mark.x - at.x) < 11 && fabs(mark.y - at.y) < 9)
            return true;
    }
    return false;
}

/* Draws a number to the right of a mark or, if that is covered, at another side. */
static void draw_number(struct gf_plot *p, const struct gf_table *t, const struct axes *a, struct numbers *n,
                        struct gf_plot_spot mark, int number)
{
    static const struct gf_plot_spot sides[] = { { 13, 0 }, { -13, 0 }, { 0, -12 },
                                                 { 0, 13 }, { 13, 13 }, { 13, -12 } };
    struct gf_plot_spot at = { mark.x + sides[0].x, mark.y + sides[0].y };
    char text[12];

    for (size_t i = 0; i < sizeof sides / sizeof sides[0] && is_covered(t, a, n, at); i++)
        at = (struct gf_plot_spot) { mark.x + sides[i].x, mark.y + sides[i].y };
    snprintf(text, sizeof text, "%d", number);
    gf_plot_write(p, at.x, at.y + 4, 12, GF_ANCHOR_MIDDLE, GF_PLOT_INK, text);
    if (n->count < MOST)
        n->at[n->count++] = at;
}

static void draw_marks(struct gf_plot *p, const struct gf_table *t, const struct axes *a)
{
    struct numbers n = { .count = 0 };

    for (int i = 0; i < t->channels; i++) {
        const double *v = fields_of(t, i);
        struct gf_plot_spot at;

        if (!(v[GF_ROOF_BYTE] > 0 && v[GF_ROOF_RATE] > 0))
            continue;
        at = spot_of(a, v[GF_ROOF_BYTE], v[GF_ROOF_RATE]);
        gf_plot_box(p, at.x - 4, at.y - 4, 8, 8, (struct gf_plot_ink) { GF_PLOT_BLUE, 1 }, t->channel_names[i]);
        draw_number(p, t, a, &n, at, i + 1);
    }
}

static void draw_list(struct gf_plot *p, const struct gf_table *t, double top)
{
    const double left = 24, right = LEFT + plot_width(t), column = fmin(140, (right - 250) / 3);
    char text[80];

    gf_plot_write(p, right - 2 * column, top, 12, GF_ANCHOR_END, GF_PLOT_SOFT, t->field_names[GF_ROOF_BYTE]);
    gf_plot_write(p, right - column, top, 12, GF_ANCHOR_END, GF_PLOT_SOFT, t->field_names[GF_ROOF_RATE]);
    gf_plot_write(p, right, top, 12, GF_ANCHOR_END, GF_PLOT_SOFT, "of the roof");
    for (int i = 0; i < t->channels; i++) {
        const double *v = fields_of(t, i), y = top + ROW * (double)(i + 1);

        snprintf(text, sizeof text, "%d", i + 1);
        gf_plot_write(p, left + 16, y, 12, GF_ANCHOR_END, GF_PLOT_SOFT, text);
        gf_plot_write(p, left + 24, y, 12, GF_ANCHOR_START, GF_PLOT_INK, t->channel_names[i]);
        snprintf(text, sizeof text, "%.3g", v[GF_ROOF_BYTE]);
        gf_plot_write(p, right - 2 * column, y, 12, GF_ANCHOR_END, GF_PLOT_INK, text);
        snprintf(text, sizeof text, v[GF_ROOF_RATE] >= 100 ? "%.0f" : "%.3g", v[GF_ROOF_RATE]);
        gf_plot_write(p, right - column, y, 12, GF_ANCHOR_END, GF_PLOT_INK, text);
        snprintf(text, sizeof text, "%.0f %%", 100 * v[GF_ROOF_SHARE]);
        gf_plot_write(p, right, y, 12, GF_ANCHOR_END, GF_PLOT_INK, text);
    }
}

static void plot_draw(struct gf_plot *p, const struct gf_table *t)
{
    const struct gf_plot_label title = { LEFT, 34, 18, GF_ANCHOR_START, true, GF_PLOT_INK };
    const struct axes a = find_axes(t);
    const double notes_width = p->width - 2 * NOTES_LEFT;
    char samples[24], text[80];

    gf_speed_table_size_text(t->samples, samples);
    snprintf(text, sizeof text, "operations on %s floats; both axes logarithmic", samples);
    p->ops->label(p, &title, gf_plot_source(t));
    gf_plot_write(p, LEFT, 56, 13, GF_ANCHOR_START, GF_PLOT_SOFT, text);
    draw_axes(p, t, &a);
    draw_roof(p, t, &a);
    draw_marks(p, t, &a);
    draw_list(p, t, TOP + plot_height(t) + FOOT + LIST_HEAD - 8);
    gf_plot_notes_draw(p, t->notes, NOTES_LEFT, p->height - gf_plot_notes_height(t->notes, notes_width), notes_width);
}

static void put_json_facts(struct gf_json *j, const struct gf_table *t)
{
    gf_json_text(j, "of", t->source);
    gf_json_number(j, "memory GB/s", "%.9g", roofs_of(t)->gbytes);
    gf_json_number(j, "arithmetic GFLOP/s", "%.9g", roofs_of(t)->gflops);
}

const struct gf_table_kind gf_roofline_kind = {
    .row = "operation", .rows = "operations", .put_json_facts = put_json_facts,
    .size = plot_size, .draw = plot_draw,
};
