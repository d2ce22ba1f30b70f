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

/* A check that is going on. */
struct check {
    struct gf_lesson_memory m;
    void *wanted, *got;
    bool ran[GF_LESSON_STEPS_MOST];      /* steps that applied at least once */
};

static int fail_wrong(const struct check *c, const char *name, struct gf_error *err)
{
    const struct gf_lesson *lesson = c->m.lesson;

    if (lesson->axis != NULL)
        return gf_fail(err, GF_FAILED, "lesson %s: '%s': wrong result for %" PRId64 " samples, %s = %d", lesson->name,
                       name, c->m.cpu.count, lesson->axis, c->m.cpu.value);
    return gf_fail(err, GF_FAILED, "lesson %s: '%s': wrong result for %" PRId64 " samples", lesson->name, name,
                   c->m.cpu.count);
}

/* Computes a result in plain C: the whole, or in three uneven parts. */
static void compute(const struct check *c, gf_lesson_part *part, bool parts, void *to)
{
    struct gf_lesson_io io = c->m.cpu;
    const int64_t first = parts ? io.count / 5 : io.count, second = parts ? first + io.count / 2 : io.count;

    io.dst = to;
    memset(to, 0, c->m.result_bytes);
    part(&io, 0, first);
    if (parts) {
        part(&io, first, second);
        part(&io, second, io.count);
    }
}

/* Checks the ways in plain C with each other, whole and in parts. */
static int check_plain(const struct check *c, struct gf_error *err)
{
    const struct gf_lesson *lesson = c->m.lesson;

    compute(c, lesson->cpu[0].part, false, c->wanted);
    for (const struct gf_lesson_cpu *cpu = lesson->cpu; cpu->name != NULL; cpu++) {
        compute(c, cpu->part, !cpu->serial, c->got);
        if (!is_near(lesson, c->got, c->wanted, c->m.result_bytes))
            return fail_wrong(c, cpu->name, err);
    }
    return 0;
}

static int check_step(struct check *c, int number, struct gf_error *err)
{
    const struct gf_lesson_step *step = &c->m.lesson->steps[number];
    bool applies;

    compute(c, step->wanted != NULL ? step->wanted : c->m.lesson->cpu[0].part, false, c->wanted);
    if (run_step(&c->m, step, c->got, &applies, err) != 0)
        return -1;
    if (!applies)
        return 0;
    c->ran[number] = true;
    return is_near(c->m.lesson, c->got, c->wanted, c->m.result_bytes) ? 0 : fail_wrong(c, step->name, err);
}

static int check_at(struct check *c, int64_t count, int value, struct gf_error *err)
{
    if (gf_lesson_memory_bind(&c->m, count, value, err) != 0 || check_plain(c, err) != 0)
        return -1;
    for (int k = 0; c->m.device != NULL && c->m.lesson->steps[k].name != NULL; k++)
        if (check_step(c, k, err) != 0)
            return -1;
    return 0;
}

/* Checks each value of the axis with each count, or the counts that belong to listed values. */
static int check_all(struct check *c, struct gf_error *err)
{
    const struct gf_lesson *lesson = c->m.lesson;

    for (const int64_t *at = checked_of(lesson); *at != 0; at++) {
        if (lesson->count_at != NULL && check_at(c, lesson->count_at((int)*at), (int)*at, err) != 0)
            return -1;
        for (int i = 0; lesson->count_at == NULL && i < (lesson->axis != NULL ? lesson->value_count : 1); i++)
            if (check_at(c, *at, lesson->values[i], err) != 0)
                return -1;
    }
    return 0;
}

/* Writes for what results are checked: "for 1, 1000 and 4096 samples". */
static void describe_counts(const struct gf_lesson *lesson, char text[200])
{
    const int64_t *at = checked_of(lesson);
    int n = snprintf(text, 200, lesson->count_at != NULL ? "for %s " : "for ", lesson->axis);

    for (int i = 0; at[i] != 0; i++)
        n += snprintf(text + n, (size_t)(200 - n), "%s%" PRId64, i == 0 ? "" : at[i + 1] != 0 ? ", " : " and ", at[i]);
    if (lesson->count_at == NULL)
        snprintf(text + n, (size_t)(200 - n), lesson->axis != NULL ? " samples, at each value of '%s'" : " samples",
                 lesson->axis);
}

/* Says which steps are right, and which do not run here. */
static void describe(const struct check *c, char text[GF_LESSON_CHECKED])
{
    const struct gf_lesson *lesson = c->m.lesson;
    char counts[200], missing[400] = "", slack[60] = "";
    int ran = 0, others = 0, own = 0, n = 0;

    for (int k = 0; lesson->steps[k].name != NULL; k++) {
        own += lesson->steps[k].wanted != NULL;
        if (c->ran[k])
            ran++;
        else if (n < (int)sizeof missing)
            n += snprintf(missing + n, sizeof missing - (size_t)n, "%s'%s'", others++ > 0 ? ", " : "",
                          lesson->steps[k].name);
    }
    if (lesson->tolerance > 0)
        snprintf(slack, sizeof slack, ", within %.2g of the largest value", lesson->tolerance);
    describe_counts(lesson, counts);
    if (ran == 0)
        snprintf(text, GF_LESSON_CHECKED, "no step runs on this machine, so none was checked");
    else
        snprintf(text, GF_LESSON_CHECKED, "every step%s gives the %s%s, %s%s%s",
                 others > 0 ? " that runs on this machine" : "",
                 own > 0 ? "result that plain C computes for it" : "same result as plain C", slack, counts,
                 others > 0 ? "; these do not: " : "", missing);
}

int gf_lesson_check(const struct gf_lesson *lesson, struct gf_device *device, char text[GF_LESSON_CHECKED],
                    struct gf_error *err)
{
    struct check c = { .wanted = NULL };
    int64_t most = 0, last = 0;
    int result = -1;

    for (const int64_t *at = checked_of(lesson); *at != 0; at++) {
        const int64_t count = lesson->count_at != NULL ? lesson->count_at((int)*at) : *at;

        most = count > most ? count : most;
        last = *at > last ? *at : last;
    }
    c.wanted = malloc(gf_lesson_result_bytes(lesson, most));
    c.got = malloc(gf_lesson_result_bytes(lesson, most));
    if (c.wanted == NULL || c.got == NULL)
        gf_fail_memory(err, NULL);
    else if (gf_lesson_memory_open(&c.m, lesson, device, most,
                                   lesson->count_at != NULL ? (int)last : lesson->values[0], err) == 0)
        result = check_all(&c, err);
    if (result == 0)
        describe(&c, text);
    gf_lesson_memory_close(&c.m);
    free(c.wanted);
    free(c.got);
    return result;
}
