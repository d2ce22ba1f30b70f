/* Compares the results of steps with plain C. */
#include "bench/lessons/lesson_check.h"

#include "bench/lessons/lesson_memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t usual_counts[] = { 1, 1000, 4096, 100003, 0 };

static const int64_t *checked_of(const struct gf_lesson *lesson)
{
    return lesson->checked[0] != 0 ? lesson->checked : usual_counts;
}

/* Returns true if floats differ by at most a part of the largest, or if all bits are equal. */
static bool is_near(const struct gf_lesson *lesson, const void *got, const void *wanted, size_t bytes)
{
    const float *a = got, *b = wanted;
    float most = 0;

    if (lesson->tolerance <= 0)
        return memcmp(got, wanted, bytes) == 0;
    for (size_t i = 0; i < bytes / sizeof *b; i++)
        most = fmaxf(most, fabsf(b[i]));
    for (size_t i = 0; i < bytes / sizeof *b; i++)
        if (!(fabsf(a[i] - b[i]) <= lesson->tolerance * most))
            return false;
    return true;
}

/* Runs a step on a cleared result, and copies what it computed to `got`. */
static int run_step(struct gf_lesson_memory *m, const struct gf_lesson_step *step, void *got, bool *applies,
                    struct gf_error *err)
{
    const struct gf_device_kind *kind = m->device->kind;
    void *host = step->to_host ? m->gpu.host_dst : step->to_pageable ? m->gpu.pageable_dst : NULL;
    double seconds = 0;

    m->gpu.seconds = &seconds;
    memset(got, 0, m->result_bytes);
    if (host != NULL)
        memset(host, 0, m->result_bytes);
    if (kind->upload(m->device, m->gpu.dst, got, m->result_bytes, err) != 0 || step->run(&m->gpu, err) != 0
        || kind->wait(m->device, err) != 0)
        return -1;
    *applies = !isnan(seconds);
    if (host == NULL)
        return kind->download(m->device, got, m->gpu.dst, m->result_bytes, err);
    memcpy(got, host, m->result_bytes);
    return 0;
}

static int check_step(struct gf_lesson_memory *m, const struct gf_lesson_step *step, void *wanted, void *got,
                      struct gf_error *err)
{
    const struct gf_lesson *lesson = m->lesson;
    struct gf_lesson_io io = m->cpu;
    bool applies;

    io.dst = wanted;
    memset(wanted, 0, m->result_bytes);
    (step->wanted != NULL ? step->wanted : lesson->cpu[0].part)(&io, 0, io.count);
    if (run_step(m, step, got, &applies, err) != 0)
        return -1;
    if (!applies || is_near(lesson, got, wanted, m->result_bytes))
        return 0;
    if (lesson->axis != NULL)
        return gf_fail(err, GF_FAILED, "lesson %s: step '%s': wrong result for %" PRId64 " samples, %s = %d",
                       lesson->name, step->name, io.count, lesson->axis, io.value);
    return gf_fail(err, GF_FAILED, "lesson %s: step '%s': wrong result for %" PRId64 " samples", lesson->name,
                   step->name, io.count);
}

static int check_at(struct gf_lesson_memory *m, int64_t count, int value, void *wanted, void *got, struct gf_error *err)
{
    if (gf_lesson_memory_bind(m, count, value, err) != 0)
        return -1;
    for (const struct gf_lesson_step *step = m->lesson->steps; step->name != NULL; step++)
        if (check_step(m, step, wanted, got, err) != 0)
            return -1;
    return 0;
}

/* Checks each value of the axis with each count, or the counts that belong to listed values. */
static int check_all(struct gf_lesson_memory *m, void *wanted, void *got, struct gf_error *err)
{
    const struct gf_lesson *lesson = m->lesson;

    for (const int64_t *at = checked_of(lesson); *at != 0; at++) {
        if (lesson->count_at != NULL && check_at(m, lesson->count_at((int)*at), (int)*at, wanted, got, err) != 0)
            return -1;
        for (int i = 0; lesson->count_at == NULL && i < (lesson->axis != NULL ? lesson->value_count : 1); i++)
            if (check_at(m, *at, lesson->values[i], wanted, got, err) != 0)
                return -1;
    }
    return 0;
}

static void describe(const struct gf_lesson *lesson, char text[200])
{
    const int64_t *at = checked_of(lesson);
    int n = snprintf(text, 200, lesson->count_at != NULL ? "for %s " : "for ", lesson->axis);

    for (int i = 0; at[i] != 0; i++)
        n += snprintf(text + n, (size_t)(200 - n), "%s%" PRId64, i == 0 ? "" : at[i + 1] != 0 ? ", " : " and ", at[i]);
    if (lesson->count_at == NULL)
        snprintf(text + n, (size_t)(200 - n), lesson->axis != NULL ? " samples, at each value of '%s'" : " samples",
                 lesson->axis);
}

int gf_lesson_check(const struct gf_lesson *lesson, struct gf_device *device, char text[200], struct gf_error *err)
{
    struct gf_lesson_memory m = { .device = NULL };
    int64_t most = 0, last = 0;
    void *wanted, *got;
    int result = -1;

    for (const int64_t *at = checked_of(lesson); *at != 0; at++) {
        const int64_t count = lesson->count_at != NULL ? lesson->count_at((int)*at) : *at;

        most = count > most ? count : most;
        last = *at > last ? *at : last;
    }
    wanted = malloc(gf_lesson_result_bytes(lesson, most));
    got = malloc(gf_lesson_result_bytes(lesson, most));
    if (wanted == NULL || got == NULL)
        gf_fail_memory(err, NULL);
    else if (gf_lesson_memory_open(&m, lesson, device, most, lesson->count_at != NULL ? (int)last : lesson->values[0],
                                   err) == 0)
        result = check_all(&m, wanted, got, err);
    gf_lesson_memory_close(&m);
    free(wanted);
    free(got);
    describe(lesson, text);
    return result;
}
