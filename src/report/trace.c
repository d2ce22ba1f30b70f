/* The timeline of a run in Chrome's trace format: a process a lane, in it a thread an engine. */
#define _GNU_SOURCE
#include "report/trace.h"

#include "base/files.h"
#include "io/output.h"
#include "report/report_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* An output that stdio writes to. */
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

/* Threads are shown in the order of their numbers; what frames the others comes first. */
static int thread_of(enum gf_activity a)
{
    return a == GF_SEGMENT ? 1 : 2 + (int)a;
}

static void print_names(const struct gf_report_summary *summary, FILE *to)
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
        fprintf(to, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":0,\"args\":{\"name\":\"%s\"}},\n", lane + 1, name);
        for (int a = 0; a < GF_ACTIVITIES; a++)
            if (has[lane * GF_ACTIVITIES + a])
                fprintf(to, "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":\"%s\"}},\n", lane + 1,
                        thread_of((enum gf_activity)a), gf_report_activity_name((enum gf_activity)a));
    }
    free(has);
}

static void print_event(const struct gf_report_summary *summary, const struct gf_report_event *k, FILE *to)
{
    char name[160];

    gf_report_event_name(summary, k, name);
    fputs("{\"name\":", to);
    gf_report_print_json_text(to, name);
    fprintf(to, ",\"cat\":\"%s\",\"ph\":\"X\",\"ts\":%.3f,\"dur\":%.3f,\"pid\":%d,\"tid\":%d,\"args\":{\"pass\":%d,\"bytes\":%lld",
            gf_report_activity_name(k->interval.activity), 1e6 * (k->interval.start - summary->start),
            1e6 * (k->interval.end - k->interval.start), k->interval.lane + 1, thread_of(k->interval.activity),
            k->interval.pass + 1, (long long)k->interval.bytes);
    if (k->interval.activity == GF_SEGMENT)
        fprintf(to, ",\"from\":%lld,\"to\":%lld", (long long)k->interval.units.start, (long long)k->interval.units.end);
    fputs("}},\n", to);
}

static void print_json(const struct gf_report_summary *summary, FILE *to)
{
    fprintf(to, "{\"displayTimeUnit\":\"ms\",\n\"otherData\":{\"program\":\"gpufilter\",\"device\":\"%s\",\"wall_seconds\":%.6f,"
            "\"signals\":%lld,\"segments\":%lld,\"bottleneck\":\"%s\",\"missed\":%lld},\n\"traceEvents\":[\n",
            summary->cuda ? "cuda" : "cpu", summary->wall, (long long)summary->signals, (long long)summary->sum[GF_SEGMENT].count,
            gf_report_activity_name(summary->bottleneck), (long long)summary->missed);
    print_names(summary, to);
    for (int i = 0; i < summary->event_count; i++)
        print_event(summary, &summary->events[i], to);
    if (summary->missed > 0 && summary->event_count > 0)
        fprintf(to, "{\"name\":\"from here on, %lld events had no room\",\"ph\":\"i\",\"s\":\"g\",\"ts\":%.3f,\"pid\":1,\"tid\":0},\n",
                (long long)summary->missed, 1e6 * (summary->events[summary->event_count - 1].interval.end - summary->start));
    fprintf(to, "{\"name\":\"end\",\"ph\":\"i\",\"s\":\"g\",\"ts\":%.3f,\"pid\":1,\"tid\":0}\n]}\n", 1e6 * summary->wall);
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
        return gf_fail(err, GF_FAILED, "--trace %s: its folder can't take a new file: %s", path, strerror(why));
    return gf_output_check(path, keep, err);
}

int gf_trace_write(const struct gf_report *r, const char *path, const struct gf_output_rules *rules, struct gf_error *err)
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
