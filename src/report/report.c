/* Collects the activities of all lanes. */
#include "report/report.h"

#include "base/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS_MOST (1 << 20)            /* intervals kept; later ones still count in the sums */
#define PIECES_MOST 4096

/* Intervals without overlap, in order. When there are too many, the older half is folded into a sum. */
struct busy {
    struct piece {
        double start, end;
    } *piece;
    int count;
    double folded, folded_to;
};

/* The steps of a plan, as indices into report.steps. */
struct plan_steps {
    int part;
    int step[GF_PASSES][GF_PASS_STEPS + 1];
};

/* A chain that is divided runs as parts, each with plans of its own; `chain` tells them apart. */
struct part {
    const void *chain;
    int passes;                          /* of the plan with the most */
};

struct gf_report {
    pthread_mutex_t lock;
    bool every, cuda;
    double start, wall;
    int64_t signals;
    struct gf_report_sum sums[GF_ACTIVITIES];
    struct busy busy[GF_ACTIVITIES];
    struct gf_report_step *steps;
    int step_count;
    struct part *parts;                  /* in the order in which they ran first, which is that of the stages */
    int part_count;
    struct plan_steps **plans;
    int plan_count;
    struct gf_report_lane *lane;
    int lanes;
    struct gf_report_event *events;
    int count, room;
    int64_t missed;
};

struct gf_report *gf_report_new(bool every)
{
    struct gf_report *r = calloc(1, sizeof *r);

    if (r == NULL)
        return NULL;
    pthread_mutex_init(&r->lock, NULL);
    r->every = every;
    r->start = gf_clock_seconds();
    return r;
}

void gf_report_free(struct gf_report *r)
{
    if (r == NULL)
        return;
    pthread_mutex_destroy(&r->lock);
    for (int a = 0; a < GF_ACTIVITIES; a++)
        free(r->busy[a].piece);
    for (int i = 0; i < r->plan_count; i++)
        free(r->plans[i]);
    free(r->plans);
    free(r->parts);
    free(r->lane);
    free(r->steps);
    free(r->events);
    free(r);
}

bool gf_report_keeps_events(const struct gf_report *r)
{
    return r->every;
}

/* ---- lanes and what their steps are called ---- */

void gf_report_lanes(struct gf_report *r, int *first, int *have, int want)
{
    struct gf_report_lane *more;

    if (*have >= want)
        return;
    pthread_mutex_lock(&r->lock);
    if (*have == 0 || *first + *have != r->lanes) {
        *first = r->lanes;
        *have = 0;
    }
    more = realloc(r->lane, (size_t)(*first + want) * sizeof *more);
    if (more != NULL) {
        r->lane = more;
        for (; r->lanes < *first + want; r->lanes++)
            more[r->lanes] = (struct gf_report_lane) { -1, -1 };
        *have = want;
    }
    pthread_mutex_unlock(&r->lock);
}

/* Cuts a text at `most` bytes, but not inside a character. */
static void copy_text(char *to, const char *text, size_t most)
{
    size_t length = strlen(text);

    if (length > most)
        for (length = most; length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80; length--)
            ;
    memcpy(to, text, length);
    to[length] = '\0';
}

/* Returns the number of a part, or 0 if memory ran out. */
static int find_part(struct gf_report *r, const void *chain, int passes)
{
    struct part *more;
    int i = 0;

    while (i < r->part_count && r->parts[i].chain != chain)
        i++;
    if (i == r->part_count) {
        more = realloc(r->parts, (size_t)(i + 1) * sizeof *more);
        if (more == NULL)
            return 0;
        r->parts = more;
        more[r->part_count++] = (struct part) { chain, 0 };
    }
    r->parts[i].passes = r->parts[i].passes > passes ? r->parts[i].passes : passes;
    return i;
}

/* Returns the index of a step in report.steps, or -1 if memory ran out. */
static int find_step(struct gf_report *r, struct gf_report_step new, const struct gf_step *s)
{
    struct gf_report_step *more;

    copy_text(new.operation, gf_step_op(s)->word, sizeof new.operation - 1);
    copy_text(new.stage, gf_step_stage(s), sizeof new.stage - 1);
    for (int i = 0; i < r->step_count; i++)
        if (r->steps[i].part == new.part && r->steps[i].pass == new.pass && r->steps[i].step == new.step
            && strcmp(r->steps[i].stage, new.stage) == 0 && strcmp(r->steps[i].operation, new.operation) == 0)
            return i;
    more = realloc(r->steps, (size_t)(r->step_count + 1) * sizeof *more);
    if (more == NULL)
        return -1;
    r->steps = more;
    more[r->step_count] = new;
    return r->step_count++;
}

static void name_steps(struct gf_report *r, const struct gf_plan *plan, const void *chain, struct plan_steps *steps)
{
    memset(steps, 0xFF, sizeof *steps);          /* -1 */
    steps->part = find_part(r, chain, plan->passes);
    for (int p = 0; p < plan->passes; p++) {
        const struct gf_pass *pass = plan->pass[p];

        for (int k = 0; k < pass->steps + pass->measure.used; k++)
            steps->step[p][k] = find_step(r, (struct gf_report_step) { .part = steps->part, .pass = p, .step = k },
                                          &pass->step[k]);
    }
}

void gf_report_plan(struct gf_report *r, const struct gf_plan *plan, const void *chain, int first, int lanes)
{
    struct plan_steps *steps = malloc(sizeof *steps), **more;
    int found = 0;

    pthread_mutex_lock(&r->lock);
    r->cuda = r->cuda || plan->cuda;
    if (steps == NULL)
        goto out;
    name_steps(r, plan, chain, steps);
    while (found < r->plan_count && memcmp(r->plans[found], steps, sizeof *steps) != 0)
        found++;
    if (found == r->plan_count) {
        more = realloc(r->plans, (size_t)(found + 1) * sizeof(struct plan_steps *));
        if (more == NULL)
            goto out;
        r->plans = more;
        more[r->plan_count++] = steps;
        steps = NULL;
    }
    for (int i = first; i < first + lanes && i < r->lanes; i++)
        r->lane[i].plan = found;
out:
    pthread_mutex_unlock(&r->lock);
    free(steps);
}

void gf_report_gpu(struct gf_report *r, int lane, int gpu)
{
    pthread_mutex_lock(&r->lock);
    if (lane < r->lanes)
        r->lane[lane].gpu = gpu;
    pthread_mutex_unlock(&r->lock);
}

/* ---- intervals ---- */

/*
 * Adds an interval to those without overlap. Most arrive in order of their end, so the search
 * starts there.
 */
static void add_busy(struct busy *b, double start, double end)
{
    int at = b->count, last;

    if (b->piece == NULL && (b->piece = malloc(PIECES_MOST * sizeof *b->piece)) == NULL)
        return;
    start = start < b->folded_to ? b->folded_to : start;
    if (end <= start)
        return;
    while (at > 0 && b->piece[at - 1].start > end)
        at--;
    last = at;
    for (; at > 0 && b->piece[at - 1].end >= start; at--) {
        start = b->piece[at - 1].start < start ? b->piece[at - 1].start : start;
        end = b->piece[at - 1].end > end ? b->piece[at - 1].end : end;
    }
    memmove(b->piece + at + 1, b->piece + last, (size_t)(b->count - last) * sizeof *b->piece);
    b->piece[at] = (struct piece) { start, end };
    b->count += 1 - (last - at);
    if (b->count < PIECES_MOST)
        return;
    for (int i = 0; i < PIECES_MOST / 2; i++)
        b->folded += b->piece[i].end - b->piece[i].start;
    b->folded_to = b->piece[PIECES_MOST / 2 - 1].end;
    b->count -= PIECES_MOST / 2;
    memmove(b->piece, b->piece + PIECES_MOST / 2, (size_t)b->count * sizeof *b->piece);
}

static double busy_seconds(const struct busy *b)
{
    double sum = b->folded;

    for (int i = 0; i < b->count; i++)
        sum += b->piece[i].end - b->piece[i].start;
    return sum;
}

static void keep_event(struct gf_report *r, const struct gf_interval *i, int step)
{
    if (r->count == r->room) {
        const int room = r->room ? r->room * 2 : 1024;
        struct gf_report_event *more = room <= EVENTS_MOST ? realloc(r->events, (size_t)room * sizeof *more) : NULL;

        if (more == NULL) {
            r->missed++;
            return;
        }
        r->events = more;
        r->room = room;
    }
    r->events[r->count++] = (struct gf_report_event) { *i, step };
}

void gf_report_record(void *report, const struct gf_interval *i)
{
    struct gf_report *r = report;
    struct gf_report_sum *sum = &r->sums[i->activity];
    int step = -1;

    pthread_mutex_lock(&r->lock);
    sum->seconds += i->end - i->start;
    sum->bytes += i->bytes;
    sum->count++;
    add_busy(&r->busy[i->activity], i->start, i->end);
    if (i->activity == GF_WORKING && i->step >= 0 && i->step <= GF_PASS_STEPS && i->lane < r->lanes
        && r->lane[i->lane].plan >= 0)
        step = r->plans[r->lane[i->lane].plan]->step[i->pass][i->step];
    if (step >= 0) {
        r->steps[step].seconds += i->end - i->start;
        r->steps[step].bytes += i->bytes;
    }
    if (r->every || (r->cuda && i->activity >= GF_UPLOAD && i->activity <= GF_DOWNLOAD))
        keep_event(r, i, step);
    pthread_mutex_unlock(&r->lock);
}

/* Returns how many passes the parts before a part have. */
static int passes_before(const struct gf_report *r, int part)
{
    int passes = 0;

    for (int i = 0; i < part; i++)
        passes += r->parts[i].passes;
    return passes;
}

/* Numbers the passes of all parts of a chain one after another. */
static void number_passes(struct gf_report *r)
{
    for (int i = 0; i < r->step_count; i++)
        r->steps[i].pass += passes_before(r, r->steps[i].part);
    for (int i = 0; i < r->count; i++) {
        struct gf_interval *k = &r->events[i].interval;

        if (k->lane >= 0 && k->lane < r->lanes && r->lane[k->lane].plan >= 0)
            k->pass += passes_before(r, r->plans[r->lane[k->lane].plan]->part);
    }
}

void gf_report_stop(struct gf_report *r, int64_t signals)
{
    number_passes(r);
    r->wall = gf_clock_seconds() - r->start;
    r->signals = signals;
}

/* ---- overlap: how long uploads, kernels and downloads ran at once ---- */

struct edge {
    double at;
    enum gf_activity activity;
    int step;                            /* +1: an interval begins, -1: one ends */
};

static int by_time(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    return x->at < y->at ? -1 : x->at > y->at ? 1 : x->step - y->step;
}

static void find_overlap(const struct gf_report *r, struct gf_report_summary *summary)
{
    struct edge *edges = malloc((size_t)(2 * r->count + 1) * sizeof *edges);
    int open[GF_ACTIVITIES] = { 0 }, count = 0;

    if (edges == NULL)
        return;
    for (int i = 0; i < r->count; i++) {
        const struct gf_interval *k = &r->events[i].interval;

        if (k->activity < GF_UPLOAD || k->activity > GF_DOWNLOAD)
            continue;
        edges[count++] = (struct edge) { k->start, k->activity, 1 };
        edges[count++] = (struct edge) { k->end, k->activity, -1 };
    }
    qsort(edges, (size_t)count, sizeof *edges, by_time);
    for (int i = 0; i + 1 < count; i++) {
        const double span = edges[i + 1].at - edges[i].at;
        int engines;

        open[edges[i].activity] += edges[i].step;
        engines = (open[GF_UPLOAD] > 0) + (open[GF_WORKING] > 0) + (open[GF_DOWNLOAD] > 0);
        summary->two += engines >= 2 ? span : 0;
        summary->three += engines == 3 ? span : 0;
    }
    free(edges);
}

/* Finds the activity that was busy longest: it limits the speed of the run. */
static void find_bottleneck(struct gf_report_summary *summary)
{
    summary->bottleneck = GF_STARTING;
    summary->bottleneck_step = -1;
    for (int a = 0; a < GF_SEGMENT; a++)
        if (summary->sum[a].busy > summary->sum[summary->bottleneck].busy)
            summary->bottleneck = (enum gf_activity)a;
    for (int i = 0; summary->bottleneck == GF_WORKING && i < summary->step_count; i++)
        if (summary->bottleneck_step < 0
            || summary->steps[i].seconds > summary->steps[summary->bottleneck_step].seconds)
            summary->bottleneck_step = i;
}

void gf_report_summarize(const struct gf_report *r, struct gf_report_summary *summary)
{
    *summary = (struct gf_report_summary) { .start = r->start, .wall = r->wall > 0 ? r->wall : 1e-9,
                                            .signals = r->signals,
                                            .cuda = r->cuda, .lanes = r->lanes, .lane = r->lane, .steps = r->steps,
                                            .step_count = r->step_count, .events = r->events, .event_count = r->count,
                                            .missed = r->missed };
    for (int a = 0; a < GF_ACTIVITIES; a++) {
        summary->sum[a] = r->sums[a];
        summary->sum[a].busy = busy_seconds(&r->busy[a]);
    }
    summary->events_seconds = r->missed > 0
                              && r->count > 0 ? r->events[r->count - 1].interval.end - r->start : summary->wall;
    if (r->cuda)
        find_overlap(r, summary);
    find_bottleneck(summary);
}
