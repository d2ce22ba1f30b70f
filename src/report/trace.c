/*
 * Writes the timeline of a run in Chrome's trace format: a process for each lane, in it a thread
 * for each engine.
 */
#define _GNU_SOURCE
#include "report/trace.h"

#include "base/files.h"
#include "io/output.h"
#include "report/report_names.h"
#include "table/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* An output file with its stdio stream. */
struct sink {
    struct gf_output *out;
    struct gf_error *err;
    bool failed;
};

static ssize_t put(void *cookie, const char *bytes, size_t size)
{
    struct sink *s = cookie;

    if (!s->failed && gf_output_write(s->out, bytes, size, s->err) != 0)
        s->failed = true;
    return s->failed ? 0 : (ssize_t)size;
}

/* ---- Chrome's trace format: times in microseconds ---- */

/* Threads are shown in the order of their numbers, so the enclosing activity comes first. */
static int thread_of(enum gf_activity a)
{
    return a == GF_SEGMENT ? 1 : 2 + (int)a;
}

/* Begins an event on a new line; the caller adds the other members and ends it. */
static void begin_event(struct gf_json *j, const char *name, const char *category, const char *kind)
{
    gf_json_break(j);
    gf_json_begin(j, NULL, '{');
    gf_json_text(j, "name", name);
    if (category != NULL)
        gf_json_text(j, "cat", category);
    gf_json_text(j, "ph", kind);
}

static void put_place(struct gf_json *j, int process, int thread)
{
    gf_json_integer(j, "pid", process);
    gf_json_integer(j, "tid", thread);
}

/* Names a process or a thread; `what` is process_name or thread_name. */
static void put_name(struct gf_json *j, const char *what, int process, int thread, const char *name)
{
    begin_event(j, what, NULL, "M");
    put_place(j, process, thread);
    gf_json_begin(j, "args", '{');
    gf_json_text(j, "name", name);
    gf_json_end(j);
    gf_json_end(j);
}

static void put_names(const struct gf_report_summary *summary, struct gf_json *j)
{
    char *has = calloc((size_t)summary->lanes * GF_ACTIVITIES + 1, 1);

    for (int i = 0; has != NULL && i < summary->event_count; i++) {
        const struct gf_interval *k = &summary->events[i].interval;

        if (k->lane >= 0 && k->lane < summary->lanes)
            has[k->lane * GF_ACTIVITIES + (int)k->activity] = 1;
    }
    for (int lane = 0; has != NULL && lane < summary->lanes; lane++) {
        char name[40];

        gf_report_lane_name(summary, lane, name);
        put_name(j, "process_name", lane + 1, 0, name);
        for (int a = 0; a < GF_ACTIVITIES; a++)
            if (has[lane * GF_ACTIVITIES + a])
                put_name(j, "thread_name", lane + 1, thread_of((enum gf_activity)a),
                         gf_report_activity_name((enum gf_activity)a));
    }
    free(has);
}

static void put_event(const struct gf_report_summary *summary, const struct gf_report_event *k, struct gf_json *j)
{
    const struct gf_interval *interval = &k->interval;
    char name[160];

    gf_report_event_name(summary, k, name);
    begin_event(j, name, gf_report_activity_name(interval->activity), "X");
    gf_json_number(j, "ts", "%.3f", 1e6 * (interval->start - summary->start));
    gf_json_number(j, "dur", "%.3f", 1e6 * (interval->end - interval->start));
    put_place(j, interval->lane + 1, thread_of(interval->activity));
    gf_json_begin(j, "args", '{');
    gf_json_integer(j, "pass", interval->pass + 1);
    gf_json_integer(j, "bytes", interval->bytes);
    if (interval->activity == GF_SEGMENT) {
        gf_json_integer(j, "from", interval->units.start);
        gf_json_integer(j, "to", interval->units.end);
    }
    gf_json_end(j);
    gf_json_end(j);
}

/* Writes an instant event; `seconds` count from the start of the run. */
static void put_moment(struct gf_json *j, const char *name, double seconds)
{
    begin_event(j, name, NULL, "i");
    gf_json_text(j, "s", "g");
    gf_json_number(j, "ts", "%.3f", 1e6 * seconds);
    put_place(j, 1, 0);
    gf_json_end(j);
}

static void put_facts(const struct gf_report_summary *summary, struct gf_json *j)
{
    gf_json_begin(j, "otherData", '{');
    gf_json_text(j, "program", "gpufilter");
    gf_json_text(j, "device", summary->cuda ? "cuda" : "cpu");
    gf_json_number(j, "wall_seconds", "%.6f", summary->wall);
    gf_json_integer(j, "signals", summary->signals);
    gf_json_integer(j, "segments", summary->sum[GF_SEGMENT].count);
    gf_json_text(j, "bottleneck", gf_report_activity_name(summary->bottleneck));
    gf_json_integer(j, "missed", summary->missed);
    gf_json_end(j);
}

static void print_json(const struct gf_report_summary *summary, FILE *to)
{
    struct gf_json j = { .to = to };
    char name[60];

    gf_json_begin(&j, NULL, '{');
    gf_json_text(&j, "displayTimeUnit", "ms");
    gf_json_break(&j);
    put_facts(summary, &j);
    gf_json_break(&j);
    gf_json_begin(&j, "traceEvents", '[');
    put_names(summary, &j);
    for (int i = 0; i < summary->event_count; i++)
        put_event(summary, &summary->events[i], &j);
    snprintf(name, sizeof name, "%lld later events were not kept", (long long)summary->missed);
    if (summary->missed > 0 && summary->event_count > 0)
        put_moment(&j, name, summary->events[summary->event_count - 1].interval.end - summary->start);
    put_moment(&j, "end", summary->wall);
    fputc('\n', to);
    gf_json_finish(&j);
}

/* ---- the file ---- */

int gf_trace_check(const char *path, bool keep, struct gf_error *err)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    const bool there = folder != NULL && access(folder, W_OK) == 0;
    const int why = errno;

    free(folder);
    if (!there)
        return gf_fail_system(err, why, "--trace %s: cannot create a file in its folder", path);
    return gf_output_check(path, keep, err);
}

int gf_trace_write(const struct gf_report *r, const char *path, const struct gf_output_rules *rules,
                   struct gf_error *err)
{
    static const cookie_io_functions_t calls = { .write = put };
    const size_t length = strlen(path);
    struct sink s = { .err = err };
    struct gf_report_summary summary;
    FILE *to;

    gf_report_summarize(r, &summary);
    if (gf_output_open(&s.out, path, rules, err) != 0)
        return -1;
    to = fopencookie(&s, "w", calls);
    if (to == NULL) {
        gf_output_close(s.out);
        return gf_fail_memory(err, path);
    }
    setvbuf(to, NULL, _IOFBF, 1 << 16);
    if (length > 4 && strcasecmp(path + length - 4, ".svg") == 0)
        gf_trace_draw(&summary, to);
    else
        print_json(&summary, to);
    if (gf_files_close_written(to) != 0 || s.failed) {
        if (!s.failed)
            gf_fail_memory(err, path);
        gf_output_close(s.out);
        return -1;
    }
    return gf_output_commit(s.out, err);
}
