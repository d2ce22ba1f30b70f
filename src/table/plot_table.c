/* Draws a table: counts as a histogram with axes, named values as rows of numbers. */
#include "table/plot.h"
#include "table/table.h"

#include <inttypes.h>
#include <string.h>

/* ---- histograms ---- */

#define LEFT 124
#define PLOT 1024                /* 4 pixels for each of 256 bins */
#define RIGHT 64
#define TALL 360
#define LEGENDS 4                /* legends of channels per row */
#define LEGEND 42                /* height of a row of legends */
#define HEAD 104                 /* height for title, caption and marks */
#define FOOT 56
#define TICKS 8
#define END_BAR 6                /* width of a bar next to the plot */

static int legend_rows(const struct gf_table *t)
{
    return (t->channels + LEGENDS - 1) / LEGENDS;
}

static struct gf_plot_frame frame_of(const struct gf_table *t)
{
    return (struct gf_plot_frame) { LEFT, HEAD + legend_rows(t) * LEGEND, PLOT, TALL };
}

static void draw_title(struct gf_plot *p, double left, const char *what, const struct gf_table *t, const char *caption)
{
    const struct gf_plot_label title = { left, 34, 18, GF_ANCHOR_START, true, GF_PLOT_INK };

    char text[400];

    if (t->beside != NULL)
        snprintf(text, sizeof text, "Comparison of %s with %s", gf_plot_source(t), t->beside);
    else
        snprintf(text, sizeof text, "%s of %s", what, gf_plot_source(t));
    p->ops->label(p, &title, text);
    gf_plot_write(p, left, 56, 13, GF_ANCHOR_START, GF_PLOT_SOFT, caption);
}

static void draw_legend(struct gf_plot *p, const struct gf_table *t)
{
    char peak[120], ends[120];

    for (int c = 0; c < t->channels; c++) {
        const double x = LEFT + (double)PLOT / LEGENDS * (c % LEGENDS), y = 84 + LEGEND * (double)(c / LEGENDS);
        const uint32_t rgb = gf_plot_bars_colour(t, c);
        const struct gf_plot_label name = { x + 18, y, 13, GF_ANCHOR_START, true, GF_PLOT_INK };

        gf_plot_bars_facts(t, c, peak, ends);
        gf_plot_box(p, x, y - 11, 12, 12, (struct gf_plot_ink) { rgb, 0.4 }, NULL);
        gf_plot_box(p, x, y - 1, 12, 2, (struct gf_plot_ink) { rgb, 1 }, NULL);
        p->ops->label(p, &name, gf_plot_bars_name(t, c));
        gf_plot_write(p, x + 60, y, 12, GF_ANCHOR_START, GF_PLOT_SOFT, peak);
        gf_plot_write(p, x + 18, y + 17, 12, GF_ANCHOR_START, GF_PLOT_SOFT, ends);
    }
}

static void draw_count_axis(struct gf_plot *p, const struct gf_bars *b, struct gf_plot_frame f, double x)
{
    const double round = gf_plot_step(b->top, 8), step = round < 1 ? 1 : round;      /* counts are integers */
    char text[40];

    for (int i = 0; i * step <= b->top * 1.000001; i++) {
        const double y = f.top + f.height * (1 - i * step / b->top);

        gf_plot_straight(p, f.left, y, f.left + f.width, y, i > 0 ? GF_PLOT_GRID : GF_PLOT_INK);
        gf_plot_number(i * step, text);
        gf_plot_write(p, x, y + 4, 12, GF_ANCHOR_END, GF_PLOT_SOFT, text);
    }
    gf_plot_write(p, 14, f.top - 16, 12, GF_ANCHOR_START, GF_PLOT_SOFT,
                  b->joined > 1 ? "samples a column" : "samples a bin");
}

/*
 * Labels eighths of the range with their values and
 * bins; if there are few bins, each has its number.
 */
static void draw_value_axis(struct gf_plot *p, const struct gf_table *t, struct gf_plot_frame f)
{
    const double base = f.top + f.height;
    char text[40];

    for (int i = 0; i <= TICKS; i++) {
        const double x = f.left + f.width * i / TICKS;
        const int64_t bin = i < TICKS ? t->bins * i / TICKS : t->bins - 1;

        gf_plot_straight(p, x, base, x, base + 5, GF_PLOT_INK);
        snprintf(text, sizeof text, "%.4g", t->low + (t->high - t->low) * i / TICKS);
        gf_plot_write(p, x, base + 20, 12, GF_ANCHOR_MIDDLE, GF_PLOT_INK, text);
        snprintf(text, sizeof text, "%" PRId64, bin);
        if (t->bins > 2 * TICKS)
            gf_plot_write(p, x, base + 38, 12, GF_ANCHOR_MIDDLE, GF_PLOT_SOFT, text);
    }
    for (int64_t bin = 0; t->bins <= 2 * TICKS && bin < t->bins; bin++) {
        snprintf(text, sizeof text, "%" PRId64, bin);
        gf_plot_write(p, f.left + f.width * ((double)bin + 0.5) / (double)t->bins, base + 38, 12, GF_ANCHOR_MIDDLE,
                      GF_PLOT_SOFT, text);
    }
    gf_plot_write(p, 14, base + 20, 12, GF_ANCHOR_START, GF_PLOT_INK, "value");
    gf_plot_write(p, 14, base + 38, 12, GF_ANCHOR_START, GF_PLOT_SOFT, "bin");
}

/*
 * Draws the first and the last bin again next to the
 * plot, because they contain the clipped samples.
 */
static void draw_end_bars(struct gf_plot *p, const struct gf_table *t, const struct gf_bars *b, struct gf_plot_frame f)
{
    const double base = f.top + f.height, beside = 5, right = f.left + f.width + beside;
    const double left = f.left - beside - t->channels * (END_BAR + 1);

    for (int c = 0; c < t->channels; c++) {
        const struct gf_plot_ink ink = { gf_plot_bars_colour(t, c), 1 };
        const double first = (double)t->counts[c * t->bins] / b->top;
        const double last = (double)t->counts[(c + 1) * t->bins - 1] / b->top;
        const double high[] = { f.height * (first < 1 ? first : 1), f.height * (last < 1 ? last : 1) };

        gf_plot_box(p, left + c * (END_BAR + 1), base - high[0], END_BAR, high[0], ink, "first bin");
        gf_plot_box(p, right + c * (END_BAR + 1), base - high[1], END_BAR, high[1], ink, "last bin");
    }
    gf_plot_write(p, f.left - 2 * beside, base + 20, 12, GF_ANCHOR_END, GF_PLOT_SOFT, "first");
    gf_plot_write(p, right + beside, base + 20, 12, GF_ANCHOR_START, GF_PLOT_SOFT, "last");
}

/* Draws a triangle above each column that exceeds the scale, one row of them for each channel. */
static void mark_overflow(struct gf_plot *p, const struct gf_table *t, const struct gf_bars *b, struct gf_plot_frame f)
{
    char title[60], number[40];

    for (int c = 0; c < t->channels; c++)
        for (int64_t i = 0; i < b->columns; i++) {
            const double sum = b->sums[c * b->columns + i];
            const int64_t from = i * b->joined, end = from + b->joined < t->bins ? from + b->joined : t->bins;
            const double x = f.left + f.width * (double)(from + end) / 2 / (double)t->bins;
            const double y = f.top - 2 - 8 * (double)(c % LEGENDS);
            const struct gf_plot_spot tip[] = { { x - 5, y }, { x, y - 7 }, { x + 5, y } };

            if (sum <= b->top)
                continue;
            gf_plot_number(sum, number);
            snprintf(title, sizeof title, "bin %" PRId64 ": %s", from, number);
            p->ops->area(p, tip, 3, (struct gf_plot_ink) { gf_plot_bars_colour(t, c), 1 }, title);
        }
}

static int plot_histogram(struct gf_plot *p, const struct gf_table *t, struct gf_error *err)
{
    const struct gf_plot_frame f = frame_of(t);
    struct gf_bars b;
    char caption[300];

    if (gf_plot_bars_make(&b, t, PLOT, err) != 0)
        return -1;
    gf_plot_bars_caption(t, &b, caption, sizeof caption);
    draw_title(p, LEFT, "Histogram", t, caption);
    draw_legend(p, t);
    draw_count_axis(p, &b, f, f.left - 10 - t->channels * (END_BAR + 1));
    gf_plot_bars_draw(p, t, &b, f, true);
    draw_end_bars(p, t, &b, f);
    mark_overflow(p, t, &b, f);
    draw_value_axis(p, t, f);
    gf_plot_bars_free(&b);
    return 0;
}

/* ---- named values ---- */

#define SIDE 24                  /* margin */
#define FIELD 116
#define ROW 26
#define FIELDS_TOP 76

static void plot_fields(struct gf_plot *p, const struct gf_table *t)
{
    char text[80];

    snprintf(text, sizeof text, "%" PRId64 " samples a channel", t->samples);
    draw_title(p, SIDE, "Statistics", t, text);
    for (int i = 0; i < t->fields; i++)
        gf_plot_write(p, SIDE + FIELD * (i + 2), FIELDS_TOP + 18, 13, GF_ANCHOR_END, GF_PLOT_SOFT, t->field_names[i]);
    gf_plot_straight(p, SIDE, FIELDS_TOP + ROW, p->width - SIDE, FIELDS_TOP + ROW, GF_PLOT_INK);
    for (int c = 0; c < t->channels; c++) {
        const double y = FIELDS_TOP + ROW * (double)(c + 1);
        const struct gf_plot_label name = { SIDE + 18, y + 18, 13, GF_ANCHOR_START, true, GF_PLOT_INK };

        gf_plot_box(p, SIDE, y + 7, 12, 12, (struct gf_plot_ink) { gf_plot_bars_colour(t, c), 1 }, NULL);
        p->ops->label(p, &name, gf_plot_bars_name(t, c));
        for (int i = 0; i < t->fields; i++) {
            snprintf(text, sizeof text, "%.6g", t->values[c * t->fields + i]);
            gf_plot_write(p, SIDE + FIELD * (i + 2), y + 18, 13, GF_ANCHOR_END, GF_PLOT_INK, text);
        }
        gf_plot_straight(p, SIDE, y + ROW, p->width - SIDE, y + ROW, GF_PLOT_GRID);
    }
}

/* ---- all kinds ---- */

void gf_plot_size(const struct gf_table *t, int *width, int *height)
{
    const struct gf_plot_frame f = frame_of(t);

    if (t->kind != NULL && t->kind->size != NULL) {
        t->kind->size(t, width, height);
        return;
    }
    switch (t->numbers) {
    case GF_TABLE_VALUES:
        *width = 2 * SIDE + FIELD * (t->fields + 1);
        *height = FIELDS_TOP + ROW * (t->channels + 1) + SIDE;
        break;
    case GF_TABLE_COUNTS:
        *width = LEFT + PLOT + RIGHT;
        *height = (int)(f.top + f.height) + FOOT;
        break;
    case GF_TABLE_TIMELINE:
        gf_plot_timeline_size(t, width, height);
        break;
    }
}

int gf_plot_table(struct gf_plot *p, const struct gf_table *t, struct gf_error *err)
{
    int result = 0;

    if (t->kind != NULL && t->kind->draw != NULL)
        t->kind->draw(p, t);
    else if (t->numbers == GF_TABLE_VALUES)
        plot_fields(p, t);
    else
        result = t->numbers == GF_TABLE_COUNTS ? plot_histogram(p, t, err) : gf_plot_timeline_draw(p, t, err);
    return result != 0 ? -1 : p->failed ? gf_fail_memory(err, NULL) : 0;
}
