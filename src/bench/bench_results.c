/* Collects results, and shows progress on standard error. */
#include "bench/bench_results.h"

#include "base/terminal.h"
#include "bench/speed_table.h"
#include "table/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONG_SECONDS 2.0                 /* after such a call, no larger size is measured */

static int by_time(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

double gf_bench_results_median(double *seconds, int count)
{
    qsort(seconds, (size_t)count, sizeof *seconds, by_time);
    return seconds[count / 2];
}

int gf_bench_results_add(struct gf_bench_results *r, const char *name)
{
    const int series = r->series < GF_BENCH_SERIES - 1 ? r->series++ : r->series;

    snprintf(r->name[series], sizeof r->name[series], "%s", name);
    for (int i = 0; i < GF_BENCH_SIZES; i++)
        for (int f = 0; f < GF_BENCH_FIELDS; f++)
            r->value[series][i][f] = NAN;
    return series;
}

void gf_bench_results_put(struct gf_bench_results *r, int series, int size, double seconds, double moved,
                          double copy_rate)
{
    double *v = r->value[series][size];

    v[GF_BENCH_US] = seconds * 1e6;
    v[GF_BENCH_RATE] = moved / seconds * 1e-9;
    v[GF_BENCH_SHARE] = moved / seconds / copy_rate;
    v[GF_BENCH_SAMPLES] = (double)(r->axis != NULL ? r->samples : r->size)[size] / seconds * 1e-6;
}

void gf_bench_results_note(struct gf_bench_results *r, const char *format, ...)
{
    va_list args;

    if (r->notes == GF_BENCH_NOTES)
        return;
    va_start(args, format);
    vsnprintf(r->note[r->notes++], sizeof r->note[0], format, args);
    va_end(args);
}

void gf_bench_results_announce(const struct gf_bench_results *r, int series, int size)
{
    char samples[24], text[100];

    if (!r->progress)
        return;
    gf_speed_table_size_text(r->size[size], samples);
    if (r->axis != NULL)
        snprintf(text, sizeof text, "%.60s: %.20s = %d", r->name[series], r->axis, (int)r->size[size]);
    else
        snprintf(text, sizeof text, "%.60s: %s samples", r->name[series], samples);
    gf_terminal_show(text, 0);
}

bool gf_bench_results_is_slow(struct gf_bench_results *r, int series, int size)
{
    const double seconds = r->value[series][size][GF_BENCH_US] * 1e-6;
    char samples[24];

    if (!(seconds > LONG_SECONDS) || size + 1 >= r->sizes)
        return false;
    gf_speed_table_size_text(r->size[size], samples);
    if (r->axis != NULL)
        snprintf(samples, sizeof samples, "%.10s = %d", r->axis, (int)r->size[size]);
    gf_bench_results_note(r, "%s: a call with %s%s takes %.1f s; larger sizes were skipped", r->name[series],
                          samples, r->axis != NULL ? "" : " samples", seconds);
    return true;
}
