/* Draws counts as columns: joins bins, chooses the scale, and describes them in captions. */
#include "base/signal.h"
#include "table/plot.h"
#include "table/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * One bin may contain a hundred times as many samples as any other: the black of a border,
 * the white of paper. Such columns would make the others invisible. The scale ignores up to
 * 1/50 of the columns (at least one per channel) if they are more than 4 times as high as
 * the rest.
 */
#define SET_ASIDE 50
#define TOWERS 4
#define HEADROOM 1.1             /* scale: this much above the highest of the other columns */

static int by_height(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return x < y ? 1 : x > y ? -1 : 0;
}

static void find_top(struct gf_bars *b, int channels, double *sorted)
{
    const int64_t count = channels * b->columns;
    const int64_t aside = count / SET_ASIDE > channels ? count / SET_ASIDE : channels;
    double rest;
    int64_t first = 0;

    memcpy(sorted, b->sums, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_height);
    rest = aside < count ? sorted[aside] : 0;
    b->cut = rest > 0 && sorted[0] > TOWERS * rest;
    while (b->cut && sorted[first] > TOWERS * rest)
        first++;
    b->top = b->cut ? HEADROOM * sorted[first] : sorted[0] > 0 ? sorted[0] : 1;
}

int gf_plot_bars_make(struct gf_bars *b, const struct gf_table *t, int64_t most_columns, struct gf_error *err)
{
    const int64_t joined = gf_ceil_div(t->bins, most_columns), columns = gf_ceil_div(t->bins, joined);
    double *sorted = malloc((size_t)(t->channels * columns) * sizeof *sorted);

    *b = (struct gf_bars) { .columns = columns, .joined = joined };
    b->sums = calloc((size_t)(t->channels * columns), sizeof *b->sums);
    if (sorted == NULL || b->sums == NULL) {
        free(sorted);
        gf_plot_bars_free(b);
        return gf_fail_memory(err, NULL);
    }
    for (int c = 0; c < t->channels; c++)
        for (int64_t bin = 0; bin < t->bins; bin++)
            b->sums[c * columns + bin / joined] += (double)t->counts[c * t->bins + bin];
    find_top(b, t->channels, sorted);
    free(sorted);
    return 0;
}

void gf_plot_bars_free(struct gf_bars *b)
{
    free(b->sums);
    b->sums = NULL;
}

/* ---- colors and captions ---- */

static const struct {
    const char *name, *word;
    uint32_t rgb;
} channels[] = {
    { "r", "red", GF_PLOT_RED },   { "g", "green", GF_PLOT_GREEN }, { "b", "blue", GF_PLOT_BLUE },
    { "y", "gray", GF_PLOT_SOFT }, { "a", "alpha", 0xA55FC4 },
};

#define CHANNELS (sizeof channels / sizeof channels[0])

const char *gf_plot_bars_name(const struct gf_table *t, int channel)
{
    for (size_t i = 0; i < CHANNELS; i++)
        if (strcmp(t->channel_names[channel], channels[i].name) == 0)
            return channels[i].word;
    return t->channel_names[channel];
}

uint32_t gf_plot_bars_colour(const struct gf_table *t, int channel)
{
    for (size_t i = 0; i < CHANNELS; i++)
        if (strcmp(t->channel_names[channel], channels[i].name) == 0)
            return channels[i].rgb;
    return channels[(size_t)channel % CHANNELS].rgb;
}

void gf_plot_bars_facts(const struct gf_table *t, int channel, char peak[120], char ends[120])
{
    const uint64_t *counts = t->counts + channel * t->bins;
    const double all = (double)t->samples;
    char most[40], first[40], last[40];
    int64_t highest = 0;

    for (int64_t bin = 1; bin < t->bins; bin++)
        highest = counts[bin] > counts[highest] ? bin : highest;
    gf_plot_share((double)counts[highest], all, most);
    gf_plot_share((double)counts[0], all, first);
    gf_plot_share((double)counts[t->bins - 1], all, last);
    snprintf(peak, 120, "%s in bin %" PRId64 ", the highest", most, highest);
    snprintf(ends, 120, "first bin %s, last bin %s", first, last);
}

void gf_plot_bars_caption(const struct gf_table *t, const struct gf_bars *b, char *text, size_t size)
{
    char top[40], joined[80] = "", cut[120] = "";

    gf_plot_number(b->top, top);
    if (b->joined > 1)
        snprintf(joined, sizeof joined, "; a column is %" PRId64 " bins", b->joined);
    if (b->cut)
        snprintf(cut, sizeof cut, "; what is marked goes beyond the scale, which ends at %s", top);
    snprintf(text, size, "%" PRId64 " bin%s from %g to %g, %" PRId64 " samples a channel%s%s", t->bins,
             t->bins == 1 ? "" : "s", t->low, t->high, t->samples, joined, cut);
}

const char *gf_plot_source(const struct gf_table *t)
{
    return t->source != NULL ? t->source : "a signal";
}

/* ---- drawing ---- */

/* Adds a point unless it equals the last one; returns the number of points. */
static int add_spot(struct gf_plot_spot *spots, int count, double x, double y)
{
    if (count == 0 || spots[count - 1].x != x || spots[count - 1].y != y)
        spots[count++] = (struct gf_plot_spot) { x, y };
    return count;
}

/* Builds the outline along the tops of the columns of a channel; returns the number of points. */
static int outline(const struct gf_table *t, const struct gf_bars *b, int channel, struct gf_plot_frame f,
                   struct gf_plot_spot *spots)
{
    const double base = f.top + f.height, bin = f.width / (double)t->bins;
    int count = add_spot(spots, 0, f.left, base);

    for (int64_t i = 0; i < b->columns; i++) {
        const int64_t end = (i + 1) * b->joined < t->bins ? (i + 1) * b->joined : t->bins;
        const double share = b->sums[channel * b->columns + i] / b->top;
        const double y = base - f.height * (share < 1 ? share : 1);

        count = add_spot(spots, count, f.left + bin * (double)(i * b->joined), y);
        count = add_spot(spots, count, f.left + bin * (double)end, y);
    }
    return add_spot(spots, count, f.left + bin * (double)t->bins, base);
}

void gf_plot_bars_draw(struct gf_plot *p, const struct gf_table *t, const struct gf_bars *b, struct gf_plot_frame frame,
                       bool outlined)
{
    struct gf_plot_spot *spots = malloc((size_t)(2 * b->columns + 2) * sizeof *spots);

    p->failed = p->failed || spots == NULL;
    for (int c = 0; spots != NULL && c < t->channels; c++) {
        const int count = outline(t, b, c, frame, spots);

        p->ops->area(p, spots, count, (struct gf_plot_ink) { gf_plot_bars_colour(t, c), 0.4 }, gf_plot_bars_name(t, c));
        if (outlined)
            p->ops->line(p, spots, count, 1, (struct gf_plot_ink) { gf_plot_bars_colour(t, c), 0.9 });
    }
    free(spots);
}
