/* Prints the statistics: a table for people, an object for programs. */
#include "device/used.h"
#include "report/report.h"
#include "report/report_names.h"
#include "table/json.h"

static double per_second(int64_t bytes, double seconds)
{
    return seconds > 0 ? (double)bytes / seconds : 0;
}

static void print_steps(const struct gf_report_summary *s, FILE *to)
{
    for (int i = 0; i < s->step_count; i++) {
        const struct gf_report_step *k = &s->steps[i];
        char name[160];

        snprintf(name, sizeof name, "%d.%d %s %s", k->pass + 1, k->step + 1, k->operation, k->stage);
        fprintf(to, "  %-26s %10.4f %10s %14lld %10.2f\n", name, k->seconds, "", (long long)k->bytes,
                per_second(k->bytes, k->seconds) / 1e9);
    }
}

/* Returns true if the device is that of a process that stays. */
static bool stays(bool cuda)
{
    return gf_device_for(cuda)->ready != NULL;
}

static void print_bottleneck(const struct gf_report_summary *s, FILE *to)
{
    fprintf(to, "bottleneck: %s, busy for %.0f%% of the time", gf_report_activity_name(s->bottleneck),
            100 * s->sum[s->bottleneck].busy / s->wall);
    if (s->bottleneck_step >= 0) {
        const struct gf_report_step *k = &s->steps[s->bottleneck_step];

        fprintf(to, ", mainly by %s in %s", k->operation, k->stage);
    }
    if (s->cuda && s->bottleneck == GF_STARTING && !stays(true))
        fprintf(to, "; --stay 60 keeps the GPU ready for the next runs");
    fputc('\n', to);
}

static void print_text(const struct gf_report_summary *s, FILE *to)
{
    fprintf(to, "%-28s %10s %10s %14s %10s\n", "what", "busy s", "of wall", "bytes", "GB/s");
    for (int a = 0; a < GF_SEGMENT; a++) {
        const struct gf_report_sum *sum = &s->sum[a];

        if (sum->count == 0)
            continue;
        fprintf(to, "%-28s %10.4f %9.0f%% %14lld %10.2f\n", gf_report_activity_name((enum gf_activity)a), sum->busy,
                100 * sum->busy / s->wall, (long long)sum->bytes, per_second(sum->bytes, sum->busy) / 1e9);
        if (a == GF_WORKING)
            print_steps(s, to);
    }
    if (s->cuda)
        fprintf(to,
                "upload, kernels and download: two at once for %.4f s (%.0f%% of wall), all three for %.4f s "
                "(%.0f%%)%s\n",
                s->two, 100 * s->two / s->events_seconds, s->three, 100 * s->three / s->events_seconds,
                s->missed > 0 ? ", in the first part" : "");
    fprintf(to, "%lld signal%s, %lld segment%s, in %.4f s on %s\n", (long long)s->signals, s->signals == 1 ? "" : "s",
            (long long)s->sum[GF_SEGMENT].count, s->sum[GF_SEGMENT].count == 1 ? "" : "s", s->wall,
                s->cuda ? "cuda" : "cpu");
    if (stays(s->cuda))
        fprintf(to, "device: kept ready by --stay\n");
    print_bottleneck(s, to);
}

/* Prints the bytes and their rate, and ends the object. */
static void end_with_rate(struct gf_json *j, int64_t bytes, double seconds)
{
    gf_json_integer(j, "bytes", bytes);
    gf_json_number(j, "bytes_per_second", "%.0f", per_second(bytes, seconds));
    gf_json_end(j);
}

static void put_activity(struct gf_json *j, const char *name, const struct gf_report_sum *sum)
{
    gf_json_begin(j, NULL, '{');
    gf_json_text(j, "name", name);
    gf_json_number(j, "busy_seconds", "%.6f", sum->busy);
    gf_json_number(j, "sum_seconds", "%.6f", sum->seconds);
    end_with_rate(j, sum->bytes, sum->busy);
}

static void put_step(struct gf_json *j, const struct gf_report_step *k)
{
    gf_json_begin(j, NULL, '{');
    gf_json_integer(j, "pass", k->pass + 1);
    gf_json_integer(j, "step", k->step + 1);
    gf_json_text(j, "operation", k->operation);
    gf_json_text(j, "stage", k->stage);
    gf_json_number(j, "seconds", "%.6f", k->seconds);
    end_with_rate(j, k->bytes, k->seconds);
}

static void print_json(const struct gf_report_summary *s, FILE *to)
{
    struct gf_json j = { .to = to };

    gf_json_begin(&j, NULL, '{');
    gf_json_text(&j, "device", s->cuda ? "cuda" : "cpu");
    gf_json_integer(&j, "signals", s->signals);
    gf_json_integer(&j, "segments", s->sum[GF_SEGMENT].count);
    gf_json_number(&j, "wall_seconds", "%.6f", s->wall);
    gf_json_begin(&j, "activities", '[');
    for (int a = 0; a < GF_SEGMENT; a++)
        if (s->sum[a].count > 0)
            put_activity(&j, gf_report_activity_name((enum gf_activity)a), &s->sum[a]);
    gf_json_end(&j);
    gf_json_begin(&j, "steps", '[');
    for (int i = 0; i < s->step_count; i++)
        put_step(&j, &s->steps[i]);
    gf_json_end(&j);
    gf_json_number(&j, "two_engines_seconds", "%.6f", s->two);
    gf_json_number(&j, "three_engines_seconds", "%.6f", s->three);
    gf_json_text(&j, "bottleneck", gf_report_activity_name(s->bottleneck));
    gf_json_finish(&j);
}

void gf_report_print(const struct gf_report *r, bool json, FILE *to)
{
    struct gf_report_summary summary;

    gf_report_summarize(r, &summary);
    if (json)
        print_json(&summary, to);
    else
        print_text(&summary, to);
}
