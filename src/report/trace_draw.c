/* Draws the timeline of a run: engines at the top, lanes below, time to the right. */
#include "base/elementary.h"
#include "base/words.h"
#include "report/report_names.h"
#include "report/trace.h"
#include "table/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEFT       110                   /* pixels */
#define PLOT       900
#define RIGHT      130
#define ROW        26
#define BAR        20
#define SHADES     8                     /* colors of operations */
#define KINDS      (GF_ACTIVITIES + SHADES)
#define EXACT_MOST 1500                  /* most bars of a row that are drawn one by one */
#define LANES_MOST 64                    /* most rows of lanes */

static const char *const colours[KINDS] = {
    "#9a9a9a", "#4e79a7", "#76b7b2", "#c9b8a8", "#f28e2b", "#3f8f3f", "#e15759", "#b07aa1", "#d4a72c", "#dbe0e6",
    "#3f8f3f", "#8cc474", "#1f6b4f", "#b5d99c", "#5aa9a0", "#2f5d2f", "#a3b18a", "#6d9e4f",
};

/* A bar of a row. */
struct bar {
    double start, end;                   /* seconds from the start of the run */
    int kind;
    int event;                           /* index of its event, for the label; -1: none */
};

struct drawing {
    const struct gf_report_summary *summary;
    FILE *to;
    double y;
    struct bar *bars;                    /* bars of the current row */
    int count;
    bool dense;                          /* some rows show shares instead of bars */
    float (*share)[KINDS];               /* share of each kind in each column of pixels */
};

static void print_text(FILE *to, double x, double y, const char *style, const char *text)
{
    gf_svg_put(to, "text", text, "x=\"%.1f\" y=\"%.1f\" %s", x, y, style);
}

static double column(const struct drawing *s, double seconds)
{
    return LEFT + PLOT * seconds / s->summary->wall;
}

static int kind_of(const struct gf_report_event *k)
{
    return k->step >= 0 ? GF_ACTIVITIES + k->step % SHADES : (int)k->interval.activity;
}

/* Writes "12.3 ms". */
static void time_text(double seconds, char *text)
{
    if (seconds < 1e-3)
        snprintf(text, 40, "%.1f us", 1e6 * seconds);
    else if (seconds < 1)
        snprintf(text, 40, "%.2f ms", 1e3 * seconds);
    else
        snprintf(text, 40, "%.3f s", seconds);
}

/* ---- rows ---- */

static int by_start(const void *a, const void *b)
{
    const struct bar *x = a, *y = b;

    return x->start < y->start ? -1 : x->start > y->start;
}

static void add_bar(struct drawing *s, int index)
{
    const struct gf_report_event *k = &s->summary->events[index];

    s->bars[s->count++] = (struct bar) { k->interval.start - s->summary->start, k->interval.end - s->summary->start,
                                         kind_of(k), index };
}

/* Joins bars that overlap or have no visible gap between them; after that, all are of one kind. */
static void join_bars(struct drawing *s, int kind)
{
    const double gap = s->summary->wall / PLOT / 50;
    int last = -1;

    qsort(s->bars, (size_t)s->count, sizeof *s->bars, by_start);
    for (int i = 0; i < s->count; i++) {
        const struct bar b = s->bars[i];

        if (last >= 0 && b.start <= s->bars[last].end + gap)
            s->bars[last].end = b.end > s->bars[last].end ? b.end : s->bars[last].end;
        else
            s->bars[++last] = (struct bar) { b.start, b.end, kind, -1 };
    }
    s->count = last + 1;
}

static void draw_bar(const struct drawing *s, const struct bar *b)
{
    const double x = column(s, b->start), width = column(s, b->end) - x;
    char name[160], took[40], at[40], bytes[40], text[300];

    if (b->event >= 0) {
        gf_report_event_name(s->summary, &s->summary->events[b->event], name);
        time_text(b->end - b->start, took);
        time_text(b->start, at);
        gf_bytes_text(s->summary->events[b->event].interval.bytes, bytes);
        snprintf(text, sizeof text, "%s: %s from %s on, %s", name, took, at, bytes);
    }
    gf_svg_put(s->to, "rect", b->event < 0 ? NULL : text,
               "x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\" fill=\"%s\"", x, s->y,
               width > 0.15 ? width : 0.15, BAR, colours[b->kind]);
}

/* Draws shares if there are too many bars: each column of pixels shows how its time was divided. */
static void draw_columns(const struct drawing *s)
{
    const double width = s->summary->wall / PLOT;
    int used[KINDS] = { 0 };

    memset(s->share, 0, PLOT * sizeof *s->share);
    for (int i = 0; i < s->count; i++) {
        const struct bar *b = &s->bars[i];
        const int first = (int)(b->start / width), last = (int)(b->end / width);

        if (b->kind == GF_SEGMENT)
            continue;
        used[b->kind] = 1;
        for (int x = first < 0 ? 0 : first; x <= last && x < PLOT; x++)
            s->share[x][b->kind] += (float)((fmin(b->end, (x + 1) * width) - fmax(b->start, x * width)) / width);
    }
    for (int kind = 0; kind < KINDS; kind++) {
        if (!used[kind])
            continue;
        fprintf(s->to, "<path fill=\"%s\" d=\"", colours[kind]);
        for (int x = 0; x < PLOT; x++) {
            float below = 0;

            for (int k = 0; k < kind; k++)
                below += s->share[x][k];
            if (s->share[x][kind] > 0.004f && below < 1)
                fprintf(s->to, "M%d %.1fh1v-%.1fh-1z", LEFT + x, s->y + BAR * (1 - (double)below),
                        BAR * fmin((double)s->share[x][kind], 1 - (double)below));
        }
        fputc('"', s->to);
        gf_svg_put_end(s->to, "path", NULL);
    }
}

/* Draws the current row, with the text `right` after it. */
static void draw_row(struct drawing *s, const char *label, const char *right)
{
    print_text(s->to, LEFT - 8, s->y + 14, "text-anchor=\"end\"", label);
    gf_svg_put(s->to, "rect", NULL, "x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\" fill=\"#f7f7f7\"", LEFT,
               s->y, PLOT, BAR);
    if (s->count > EXACT_MOST) {
        s->dense = true;
        draw_columns(s);
    } else {
        for (int i = 0; i < s->count; i++)               /* the enclosing activity lies under the others */
            if (s->bars[i].kind == GF_SEGMENT)
                draw_bar(s, &s->bars[i]);
        for (int i = 0; i < s->count; i++)
            if (s->bars[i].kind != GF_SEGMENT)
                draw_bar(s, &s->bars[i]);
    }
    print_text(s->to, LEFT + PLOT + 8, s->y + 14, "fill=\"#555\"", right);
    s->y += ROW;
}

static void draw_engine(struct drawing *s, enum gf_activity a)
{
    char right[80], bytes[40];

    s->count = 0;
    for (int i = 0; i < s->summary->event_count; i++)
        if (s->summary->events[i].interval.activity == a)
            add_bar(s, i);
    join_bars(s, (int)a);
    gf_bytes_text(s->summary->sum[a].bytes, bytes);
    snprintf(right, sizeof right, "%.0f%%  %s", 100 * s->summary->sum[a].busy / s->summary->wall,
             s->summary->sum[a].bytes > 0 ? bytes : "");
    draw_row(s, gf_report_activity_name(a), right);
}

static int draw_lane(struct drawing *s, int lane)
{
    char label[40];

    s->count = 0;
    for (int i = 0; i < s->summary->event_count; i++)
        if (s->summary->events[i].interval.lane == lane)
            add_bar(s, i);
    if (s->count == 0)
        return 0;
    gf_report_lane_name(s->summary, lane, label);
    draw_row(s, label, "");
    return 1;
}

/* ---- around the rows ---- */

static bool has_engine(const struct gf_report_summary *summary, int a)
{
    return a != GF_SEGMENT && summary->sum[a].count > 0;
}

/* Counts the rows of lanes. */
static int lane_rows(const struct gf_report_summary *summary)
{
    char *has = calloc((size_t)summary->lanes + 1, 1);
    int rows = 0;

    for (int i = 0; has != NULL && i < summary->event_count; i++) {
        const int lane = summary->events[i].interval.lane;

        if (lane >= 0 && lane < summary->lanes && !has[lane]) {
            has[lane] = 1;
            rows++;
        }
    }
    free(has);
    return rows;
}

static double legend_item(struct drawing *s, double x, int kind, const char *text, bool draw)
{
    const double width = 26 + 6.8 * (double)strlen(text);

    if (x + width > LEFT + PLOT + RIGHT - 10) {
        x = LEFT;
        s->y += 18;
    }
    if (draw) {
        gf_svg_put(s->to, "rect", NULL, "x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"", x, s->y,
                   colours[kind]);
        print_text(s->to, x + 16, s->y + 10, "", text);
    }
    return x + width;
}

/* Draws the legend of colors, and moves s->y below it. */
static void legend(struct drawing *s, bool draw)
{
    double x = LEFT;

    for (int a = 0; a < GF_ACTIVITIES; a++)
        if (has_engine(s->summary, a) || (a == GF_SEGMENT && s->summary->sum[a].count > 0))
            x = legend_item(s, x, a, gf_report_activity_name((enum gf_activity)a), draw);
    if (s->summary->step_count > 0) {
        x = LEFT;
        s->y += 18;
        if (draw)
            print_text(s->to, LEFT - 8, s->y + 10, "text-anchor=\"end\"", "kernels in lanes");
    }
    for (int i = 0; i < s->summary->step_count && i < SHADES; i++) {
        char name[160];

        snprintf(name, sizeof name, "%.15s %.60s", s->summary->steps[i].operation, s->summary->steps[i].stage);
        x = legend_item(s, x, GF_ACTIVITIES + i, name, draw);
    }
    s->y += 28;
}

static void title(struct drawing *s)
{
    const struct gf_report_summary *summary = s->summary;
    char text[400], wall[40], in[40], out[40];

    time_text(summary->wall, wall);
    snprintf(text, sizeof text, "gpufilter: %s on %s, %s busy for %.0f%% of it", wall, summary->cuda ? "cuda" : "cpu",
             gf_report_activity_name(summary->bottleneck),
                 100 * summary->sum[summary->bottleneck].busy / summary->wall);
    print_text(s->to, LEFT, 26, "font-size=\"16\" font-weight=\"bold\"", text);
    gf_bytes_text(summary->sum[GF_READING].bytes, in);
    gf_bytes_text(summary->sum[GF_WRITING].bytes, out);
    snprintf(text, sizeof text, "%lld signal%s in %lld segment%s; %s read, %s written", (long long)summary->signals,
             summary->signals == 1 ? "" : "s", (long long)summary->sum[GF_SEGMENT].count,
             summary->sum[GF_SEGMENT].count == 1 ? "" : "s", in, out);
    if (summary->cuda)
        snprintf(text + strlen(text), sizeof text - strlen(text), "; upload, kernels and download at once for %.0f%%",
                 100 * summary->three / summary->events_seconds);
    if (summary->missed > 0)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "; only the first %d events are drawn, %lld more were not kept",
                 summary->event_count, (long long)summary->missed);
    print_text(s->to, LEFT, 46, "fill=\"#555\"", text);
}

/* Draws lines at round times from y to the bottom, with their labels there. */
static void axis(const struct drawing *s, double top, double bottom)
{
    const double wall = s->summary->wall, unit = wall < 2e-3 ? 1e-6 : wall < 2 ? 1e-3 : 1;
    double step = gf_pow(10, floor(gf_log10(wall / 8)));
    char text[40];

    step *= wall / 8 / step > 5 ? 10 : wall / 8 / step > 2 ? 5 : wall / 8 / step > 1 ? 2 : 1;
    for (int i = 0; i * step <= wall * 1.0001; i++) {
        const double x = column(s, i * step);

        gf_svg_put(s->to, "path", NULL, "d=\"M%.1f %.1fV%.1f\" stroke=\"#000\" stroke-opacity=\"0.12\"", x,
                   top, bottom + 4);
        snprintf(text, sizeof text, "%.6g %s", i * step / unit, unit == 1 ? "s" : unit > 1e-4 ? "ms" : "us");
        print_text(s->to, x, bottom + 18, "text-anchor=\"middle\" fill=\"#555\"", text);
    }
}

static void draw_rows(struct drawing *s, int lanes)
{
    char text[80];
    int drawn = 0;

    print_text(s->to, LEFT, s->y + 10, "font-weight=\"bold\"", "engines: busy in at least one lane");
    s->y += 18;
    for (int a = 0; a < GF_ACTIVITIES; a++)
        if (has_engine(s->summary, a))
            draw_engine(s, (enum gf_activity)a);
    s->y += 8;
    print_text(s->to, LEFT, s->y + 10, "font-weight=\"bold\"", "lanes: the activity of each");
    s->y += 18;
    for (int lane = 0; lane < s->summary->lanes && drawn < LANES_MOST; lane++)
        drawn += draw_lane(s, lane);
    if (lanes > drawn) {
        snprintf(text, sizeof text, "and %d more lanes; a .json trace has all lanes", lanes - drawn);
        print_text(s->to, LEFT, s->y + 12, "fill=\"#555\"", text);
        s->y += ROW;
    }
}

void gf_trace_draw(const struct gf_report_summary *summary, FILE *to)
{
    struct drawing s = { .summary = summary, .to = to, .y = 64 };
    const int lanes = lane_rows(summary), shown = lanes > LANES_MOST ? LANES_MOST + 1 : lanes;
    int engines = 0;
    double top, height;

    s.bars = malloc((size_t)(summary->event_count + 1) * sizeof *s.bars);
    s.share = malloc(PLOT * sizeof *s.share);
    for (int a = 0; a < GF_ACTIVITIES; a++)
        engines += has_engine(summary, a);
    legend(&s, false);
    top = s.y;
    height = top + 18 + engines * ROW + 8 + 18 + shown * ROW + 48;
    gf_svg_begin(to, LEFT + PLOT + RIGHT, (int)height, " font-size=\"12\"", "#fff");
    title(&s);
    s.y = 64;
    legend(&s, true);
    if (s.bars != NULL && s.share != NULL)
        draw_rows(&s, lanes);
    axis(&s, top, s.y);
    if (s.dense)
        print_text(to, LEFT, s.y + 36, "fill=\"#555\"", "If bars are too dense to draw, the height of a "
                                       "color shows its share of the time.");
    gf_svg_end(to);
    free(s.bars);
    free(s.share);
}
