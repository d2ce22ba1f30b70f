/* Compares promises of textbooks with measured rates. */
#include "bench/lessons/lesson_notes.h"

#include "bench/speed_table.h"
#include "table/table.h"

#include <math.h>
#include <stdio.h>

#define FEW 0.7                          /* of a promise: less needs an explanation, and so does more than MANY */
#define MANY 1.4
#define LARGE (INT64_C(1) << 20)         /* with fewer samples, launches take most of the time */

void gf_lesson_note_steps(struct gf_bench_results *r, const struct gf_lesson *lesson)
{
    for (const struct gf_lesson_step *step = lesson->steps; step->name != NULL; step++)
        if (step->why != NULL)
            gf_bench_results_note(r, "%s: %s", step->name, step->why);
    if (lesson->operation_why != NULL)
        gf_bench_results_note(r, "gpufilter: %s", lesson->operation_why);
}

static int series_of(const struct gf_lesson_series *at, int step)
{
    return step == GF_LESSON_OURS ? at->ours : step == GF_LESSON_ONE_CORE ? at->one_core
        : step == GF_LESSON_ALL_CORES ? at->all_cores : at->steps + step;
}

/* Writes a value of the axis: "64K samples" or "stride = 4". */
static void axis_text(const struct gf_bench_results *r, int size, char text[60])
{
    char samples[24];

    gf_speed_table_size_text(r->size[size], samples);
    if (r->axis != NULL)
        snprintf(text, 60, "%.40s = %d", r->axis, (int)r->size[size]);
    else
        snprintf(text, 60, "%s samples", samples);
}

/* Returns how many times as fast one series is as another. */
static double ratio_at(const struct gf_bench_results *r, int fast, int slow, int size)
{
    return r->value[slow][size][GF_BENCH_US] / r->value[fast][size][GF_BENCH_US];
}

/* Says at which sizes a series is faster. Sizes that were not measured do not count. */
static void note_crossing(struct gf_bench_results *r, const struct gf_lesson_promise *p, int fast, int slow)
{
    int first = -1, last_faster = -1, last = -1, gaps = 0, slower = 0;
    char from[60], to[60];

    for (int i = 0; i < r->sizes; i++) {
        const double ratio = ratio_at(r, fast, slow, i);

        if (isnan(ratio))
            continue;
        last = i;
        if (ratio > 1) {
            first = first < 0 ? i : first;
            last_faster = i;
            gaps += slower;
            slower = 0;
        } else if (first >= 0) {
            slower++;
        }
    }
    if (last < 0)
        return;
    axis_text(r, first < 0 ? last : first, from);
    axis_text(r, last_faster < 0 ? last : last_faster, to);
    if (first < 0)
        gf_bench_results_note(r, "'%s' is not faster than '%s' at any size up to %s: %s", r->name[fast], r->name[slow],
                              to, p->why);
    else if (last_faster == last)
        gf_bench_results_note(r, "'%s' is faster than '%s' from %s on%s: %s", r->name[fast], r->name[slow], from,
                              gaps > 0 ? ", but not at all sizes" : "", p->why);
    else
        gf_bench_results_note(r, "'%s' is faster than '%s' from %s to %s, but not at larger sizes: %s", r->name[fast],
                              r->name[slow], from, to, p->why);
}

/* Returns what explains that a ratio is far from the promise; NULL: nothing. */
static const char *reason_of(const struct gf_bench_results *r, const struct gf_lesson_promise *p, int size,
                             double ratio)
{
    if (ratio >= FEW * p->times && ratio <= MANY * p->times)
        return NULL;
    if (r->axis == NULL && r->size[size] < LARGE && p->at == 0)
        return "with so few samples, launches take most of the time";
    return ratio < p->times ? p->less : p->more;
}

static void note_ratio(struct gf_bench_results *r, const struct gf_lesson_promise *p, int fast, int slow)
{
    const int size = p->at > 0 && p->at <= r->sizes ? p->at - 1 : r->sizes - 1;
    const double ratio = ratio_at(r, fast, slow, size);
    const char *reason = reason_of(r, p, size, ratio);
    char at[60];

    if (isnan(ratio))
        return;
    axis_text(r, size, at);
    gf_bench_results_note(r, "'%s' is %.3g times as fast as '%s' at %s; textbooks: %s%.3g (%s); "
                          "measured / expected: %.2g%s%s", r->name[fast], ratio, r->name[slow], at,
                          p->kind == GF_LESSON_UP_TO ? "up to " : "", p->times, p->why, ratio / p->times,
                          reason != NULL ? "; the reason here: " : "", reason != NULL ? reason : "");
}

void gf_lesson_note_promises(struct gf_bench_results *r, const struct gf_lesson *lesson,
                             const struct gf_lesson_series *at)
{
    for (const struct gf_lesson_promise *p = lesson->promises; p->times > 0; p++) {
        const int fast = series_of(at, p->faster), slow = series_of(at, p->slower);

        if (fast < 0 || slow < 0)
            continue;
        if (p->kind == GF_LESSON_CROSSING)
            note_crossing(r, p, fast, slow);
        else
            note_ratio(r, p, fast, slow);
    }
}
