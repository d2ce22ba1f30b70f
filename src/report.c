/* Collecting what lanes were busy with, and saying it. */
#include "report.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"

#define KEPT_MOST (1 << 20)              /* intervals; later ones still count in the sums, not in the overlap */

struct sum {
    double seconds;
    int64_t bytes, count;
};

struct gf_report {
    pthread_mutex_t lock;
    double start;
    struct sum sums[GF_ACTIVITIES];
    struct sum steps[GF_PASSES][GF_PASS_STEPS + 1];
    char names[GF_PASSES][GF_PASS_STEPS + 1][32];    /* "conv blur:2" */
    bool cuda;
    struct gf_interval *kept;
    int count, room;
    bool dropped;
};

static const char *const activity_words[GF_ACTIVITIES] = { "read", "upload", "kernels", "download", "write" };

struct gf_report *gf_report_new(void)
{
    struct gf_report *r = calloc(1, sizeof *r);

    if (r == NULL)
        return NULL;
    pthread_mutex_init(&r->lock, NULL);
    r->start = gf_clock_seconds();
    return r;
}

void gf_report_free(struct gf_report *r)
{
    if (r == NULL)
        return;
    pthread_mutex_destroy(&r->lock);
    free(r->kept);
    free(r);
}

void gf_report_plan(struct gf_report *r, const struct gf_plan *plan)
{
    pthread_mutex_lock(&r->lock);
    r->cuda = plan->cuda;
    for (int p = 0; p < plan->passes; p++)
        for (int k = 0; k <= plan->pass[p].steps; k++) {
            const struct gf_step *s = k < plan->pass[p].steps ? &plan->pass[p].step[k] : &plan->pass[p].measure.step;

            snprintf(r->names[p][k], sizeof r->names[p][k], "%s %.20s", gf_op_word(s->op), s->stage ? s->stage : "");
        }
    pthread_mutex_unlock(&r->lock);
}

static void keep(struct gf_report *r, const struct gf_interval *i)
{
    if (r->count == r->room) {
        const int room = r->room ? r->room * 2 : 1024;
        struct gf_interval *more = room <= KEPT_MOST ? realloc(r->kept, (size_t)room * sizeof *more) : NULL;

        if (more == NULL) {
            r->dropped = true;
            return;
        }
        r->kept = more;
        r->room = room;
    }
    r->kept[r->count++] = *i;
}

static void add(struct sum *s, const struct gf_interval *i)
{
    s->seconds += i->end - i->start;
    s->bytes += i->bytes;
    s->count++;
}

void gf_report_record(void *report, const struct gf_interval *interval)
{
    struct gf_report *r = report;

    pthread_mutex_lock(&r->lock);
    add(&r->sums[interval->activity], interval);
    if (interval->activity == GF_WORKING && interval->step >= 0 && interval->step <= GF_PASS_STEPS)
        add(&r->steps[interval->pass][interval->step], interval);
    keep(r, interval);
    pthread_mutex_unlock(&r->lock);
}

/* ---- overlap: how long uploads, kernels and downloads were under way, and how long at once ---- */

struct edge {
    double at;
    enum gf_activity activity;
    int step;                            /* +1: one begins, -1: one ends */
};

static int by_time(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    return x->at < y->at ? -1 : x->at > y->at ? 1 : x->step - y->step;
}

struct overlap {
    double busy[GF_ACTIVITIES];          /* at least one of the kind */
    double two, three;                   /* of upload, kernels and download at once */
};

static struct overlap overlap_of(const struct gf_report *r)
{
    struct edge *edges = malloc((size_t)(2 * r->count + 1) * sizeof *edges);
    int open[GF_ACTIVITIES] = { 0 };
    struct overlap o = { 0 };

    if (edges == NULL)
        return o;
    for (int i = 0; i < r->count; i++) {
        edges[2 * i] = (struct edge) { r->kept[i].start, r->kept[i].activity, 1 };
        edges[2 * i + 1] = (struct edge) { r->kept[i].end, r->kept[i].activity, -1 };
    }
    qsort(edges, (size_t)(2 * r->count), sizeof *edges, by_time);
    for (int i = 0; i + 1 < 2 * r->count; i++) {
        const double span = edges[i + 1].at - edges[i].at;
        int engines;

        open[edges[i].activity] += edges[i].step;
        engines = (open[GF_UPLOAD] > 0) + (open[GF_WORKING] > 0) + (open[GF_DOWNLOAD] > 0);
        for (int a = 0; a < GF_ACTIVITIES; a++)
            o.busy[a] += open[a] > 0 ? span : 0;
        o.two += engines >= 2 ? span : 0;
        o.three += engines == 3 ? span : 0;
    }
    free(edges);
    return o;
}

/* ---- saying it ---- */

static double rate(const struct sum *s)
{
    return s->seconds > 0 ? (double)s->bytes / s->seconds / 1e9 : 0;
}

static void print_text(const struct gf_report *r, int64_t signals, double wall, FILE *to)
{
    const struct overlap o = overlap_of(r);

    fprintf(to, "%-28s %10s %10s %14s %10s\n", "what", "busy s", "of wall", "bytes", "GB/s");
    for (int a = 0; a < GF_ACTIVITIES; a++)
        if (r->sums[a].count > 0)
            fprintf(to, "%-28s %10.4f %9.0f%% %14lld %10.2f\n", a == GF_WORKING && !r->cuda ? "work" : activity_words[a],
                    o.busy[a], 100 * o.busy[a] / wall, (long long)r->sums[a].bytes, rate(&r->sums[a]));
    for (int p = 0; p < GF_PASSES; p++)
        for (int k = 0; k <= GF_PASS_STEPS; k++)
            if (r->steps[p][k].count > 0)
                fprintf(to, "  %d.%d %-22s %10.4f\n", p + 1, k + 1, r->names[p][k], r->steps[p][k].seconds);
    if (r->cuda)
        fprintf(to, "upload, kernels and download: two at once for %.4f s (%.0f%% of wall), all three for %.4f s (%.0f%%)\n",
                o.two, 100 * o.two / wall, o.three, 100 * o.three / wall);
    fprintf(to, "%lld signal%s in %.4f s on %s%s\n", (long long)signals, signals == 1 ? "" : "s", wall, r->cuda ? "cuda" : "cpu",
            r->dropped ? "; overlap is of the first part only" : "");
}

static void print_json(const struct gf_report *r, int64_t signals, double wall, FILE *to)
{
    const struct overlap o = overlap_of(r);
    const char *comma = "";

    fprintf(to, "{\"device\":\"%s\",\"signals\":%lld,\"wall_seconds\":%.6f,\"activities\":[", r->cuda ? "cuda" : "cpu",
            (long long)signals, wall);
    for (int a = 0; a < GF_ACTIVITIES; a++)
        if (r->sums[a].count > 0) {
            fprintf(to, "%s{\"name\":\"%s\",\"busy_seconds\":%.6f,\"sum_seconds\":%.6f,\"bytes\":%lld}", comma,
                    activity_words[a], o.busy[a], r->sums[a].seconds, (long long)r->sums[a].bytes);
            comma = ",";
        }
    fprintf(to, "],\"steps\":[");
    comma = "";
    for (int p = 0; p < GF_PASSES; p++)
        for (int k = 0; k <= GF_PASS_STEPS; k++)
            if (r->steps[p][k].count > 0) {
                fprintf(to, "%s{\"pass\":%d,\"operation\":\"%.*s\",\"seconds\":%.6f}", comma, p + 1,
                        (int)strcspn(r->names[p][k], " "), r->names[p][k], r->steps[p][k].seconds);
                comma = ",";
            }
    fprintf(to, "],\"two_engines_seconds\":%.6f,\"three_engines_seconds\":%.6f}\n", o.two, o.three);
}

void gf_report_print(const struct gf_report *r, int64_t signals, bool json, FILE *to)
{
    const double wall = gf_clock_seconds() - r->start;

    if (json)
        print_json(r, signals, wall, to);
    else
        print_text(r, signals, wall, to);
}
