/* Measures operations: finds what a request names, and chooses the sizes. */
#include "bench/measure.h"

#include "base/terminal.h"
#include "base/words.h"
#include "bench/bench_call.h"
#include "bench/bench_cpu.h"
#include "bench/bench_gpu.h"
#include "bench/bench_topics.h"
#include "bench/lessons/lesson_measure.h"
#include "bench/measure_lessons.h"
#include "bench/measurement.h"
#include "kernels/operations.h"
#include "table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL_ON_GPU (INT64_C(64) << 20)   /* samples of each operation when all are measured */
#define ALL_ON_CPU (INT64_C(1) << 20)

/* ---- sizes ---- */

/* Computes the bytes that a case needs for so many samples. */
static int find_needed_bytes(const struct gf_measurement *m, const struct gf_bench_pick *pick, int64_t samples,
                             double *bytes, struct gf_error *err)
{
    const struct gf_operation *op = pick->group->op;
    const struct gf_op_device *can = m->cuda ? &op->cuda : &op->cpu;
    struct gf_bench_call call;
    int64_t width, rows;
    struct gf_io io;

    gf_bench_square(samples, &width, &rows);
    if (gf_bench_call_make(pick, width, rows, can, &call, err) != 0)
        return -1;
    io = gf_bench_call_io(&call, NULL, NULL);
    *bytes = (double)call.src_bytes + (double)(call.dst_bytes > call.src_bytes ? call.dst_bytes : call.src_bytes)
        + (double)call.carry_bytes + (double)(call.mask_count + call.table_count) * sizeof(float)
        + (double)gf_op_scratch_bytes(can, call.params, &io);
    gf_bench_call_release(&call);
    return 0;
}

static int over_memory(const struct gf_measurement *m, double bytes, const char *otherwise, struct gf_error *err)
{
    char needed[40], given[40];

    gf_bytes_text((int64_t)bytes, needed);
    gf_bytes_text(m->ceiling, given);
    return gf_fail(err, GF_FAILED, "%s of memory needed, %s allowed;; raise --memory%s", needed, given,
                   otherwise);
}

/* Chooses the sizes, up to `most` samples and as far as memory lasts. */
static int choose_sizes(struct gf_measurement *m, const struct gf_bench_pick *pick, int64_t most, struct gf_error *err)
{
    double bytes = 0;

    m->results.sizes = 0;
    for (int64_t samples = GF_BENCH_LEAST; samples <= most && m->results.sizes < GF_BENCH_SIZES; samples *= 4) {
        if (find_needed_bytes(m, pick, samples, &bytes, err) != 0)
            return -1;
        if (bytes > (double)m->ceiling)
            break;
        m->results.size[m->results.sizes++] = samples;
    }
    return m->results.sizes > 0 ? 0 : over_memory(m, bytes, "", err);
}

/* ---- what is asked for ---- */

/* Splits NAME or NAME:SIZE. */
static int read_topic(const char *topic, char *name, size_t room, int64_t *most, struct gf_error *err)
{
    const size_t length = strcspn(topic, ":");

    snprintf(name, room, "%.*s", (int)length, topic);
    if (topic[length] == '\0')
        return 0;
    if (gf_parse_bytes(topic + length + 1, most) != 0 || *most < GF_BENCH_LEAST)
        return gf_fail(err, GF_MISUSED, "%s: the size must be 1K samples or more, as in %s:1M", topic, name);
    return 0;
}

static int measure_one(struct gf_measurement *m, const struct gf_bench_pick *pick, int64_t most, struct gf_error *err)
{
    char name[120];
    int copy;

    if (choose_sizes(m, pick, most, err) != 0)
        return -1;
    if (m->cuda) {
        copy = gf_bench_results_add(&m->results, "copy");
        return gf_bench_gpu_measure(&m->device, &m->results, pick, copy,
                                    gf_bench_results_add(&m->results, pick->one->what), err);
    }
    for (int threads = 1; threads <= m->threads; threads += m->threads > 1 ? m->threads - 1 : 1) {
        snprintf(name, sizeof name, "copy, %d thread%s", threads, threads == 1 ? "" : "s");
        copy = gf_bench_results_add(&m->results, name);
        snprintf(name, sizeof name, "%.90s, %d thread%s", pick->one->what, threads, threads == 1 ? "" : "s");
        if (gf_bench_cpu_measure(&m->results, pick, threads, copy, gf_bench_results_add(&m->results, name), err) != 0)
            return -1;
    }
    return 0;
}

/* Measures one of all operations. A failure becomes a note, and the others go on. */
static void measure_one_of_all(struct gf_measurement *m, const struct gf_bench_group *group, int64_t samples, int copy)
{
    const struct gf_bench_pick pick = gf_bench_pick_first(group, group->cases);
    struct gf_error err = { 0 };
    double bytes = 0;
    char name[120];
    int own, result;

    snprintf(name, sizeof name, "%s: %s", group->name, group->cases->what);
    own = gf_bench_results_add(&m->results, name);
    result = find_needed_bytes(m, &pick, samples, &bytes, &err);
    if (result == 0 && bytes > (double)m->ceiling)
        result = over_memory(m, bytes, ", or measure fewer samples with all:SIZE", &err);
    m->results.size[0] = samples;
    m->results.sizes = 1;
    if (result == 0)
        result = m->cuda ? gf_bench_gpu_measure(&m->device, &m->results, &pick, copy, own, &err)
                         : gf_bench_cpu_measure(&m->results, &pick, m->threads, copy, own, &err);
    if (result == 0)
        return;
    gf_bench_results_note(&m->results, "warning: %s was not measured: %.300s", group->name, err.text);
    m->results.incomplete = true;
}

/*
 * Measures every operation at one size: the largest for which the point operation has memory. Rates
 * are compared with its copy.
 */
static int measure_all(struct gf_measurement *m, int64_t most, struct gf_error *err)
{
    const struct gf_bench_group *first = gf_bench_group_find("point");
    const struct gf_bench_pick pick = gf_bench_pick_first(first, first->cases);
    int64_t samples;
    int copy;

    if (choose_sizes(m, &pick, most > 0 ? most : m->cuda ? ALL_ON_GPU : ALL_ON_CPU, err) != 0)
        return -1;
    samples = m->results.size[m->results.sizes - 1];
    copy = gf_bench_results_add(&m->results, "copy of bytes");
    for (int i = 0; i < gf_bench_group_count; i++)
        if (gf_bench_groups[i]->cases != NULL)
            measure_one_of_all(m, gf_bench_groups[i], samples, gf_bench_groups[i] == first ? copy : -1);
    return 0;
}

/* ---- one request ---- */

/* Finds what a name means: an operation, a lesson or both. */
static int find_topic(const struct gf_bench_request *r, char *name, size_t room, const struct gf_bench_group **group,
                      const struct gf_lesson **lesson, struct gf_error *err)
{
    *group = gf_bench_group_find(name);
    *lesson = gf_lesson_find(name);
    if (*group != NULL || *lesson != NULL || gf_bench_topic_is_special(name))
        return 0;
    if (gf_bench_topic_of_stage(name, r->quiet ? NULL : r->program, group, err) != 0
        || (*group == NULL && gf_bench_topic_unknown(name, err) != 0))
        return -1;
    snprintf(name, room, "%s", (*group)->name);
    *lesson = gf_lesson_find(name);
    return 0;
}

static int measure_and_write(struct gf_measurement *m, const char *name, const struct gf_bench_group *group,
                             const struct gf_lesson *lesson, int64_t most, struct gf_error *err)
{
    const int64_t largest = most > 0 ? most : GF_BENCH_MOST;
    struct gf_bench_pick pick;

    if (strcmp(name, "lessons") == 0)
        return gf_measure_all_lessons(m, most, err);
    if (strcmp(name, "roofline") == 0)
        return gf_measure_roofline(m, most, err);
    if (strcmp(name, "all") == 0)
        return measure_all(m, most, err) == 0 ? gf_measurement_write(m, "every operation", NULL, err) : -1;
    if (lesson != NULL)
        return gf_measure_lesson(m, lesson, largest, err);
    pick = gf_bench_pick_first(group, group->cases);
    return measure_one(m, &pick, largest, err) == 0 ? gf_measurement_write(m, name, NULL, err) : -1;
}

int gf_bench_run(const struct gf_bench_request *r, struct gf_error *err)
{
    struct gf_measurement *m = calloc(1, sizeof *m);
    const struct gf_bench_group *group;
    const struct gf_lesson *lesson;
    char name[64] = "all";
    int64_t most = 0;
    bool several;
    int result = -1;

    if (m == NULL)
        return gf_fail_memory(err, NULL);
    if ((r->topic != NULL && read_topic(r->topic, name, sizeof name, &most, err) != 0)
        || find_topic(r, name, sizeof name, &group, &lesson, err) != 0)
        goto out;
    several = strcmp(name, "lessons") == 0;
    m->results.progress = r->progress;
    if (gf_measurement_open(m, r, err) != 0 || gf_measurement_output(m, r, several, err) != 0)
        goto out;
    result = measure_and_write(m, name, group, lesson, most, err);
    if (result == 0)
        result = gf_measurement_commit(m, err);
    for (int i = 0; result == 0 && !r->quiet && m->page == NULL && i < m->results.notes; i++)
        gf_terminal_print("%s: %s\n", r->program, m->results.note[i]);
    if (result == 0 && m->results.incomplete)
        result = gf_fail(err, GF_FAILED, several ? "some lessons were not measured; the output says why"
                         : "some operations were not measured; the warnings say why");
out:
    gf_terminal_erase();
    gf_measurement_close(m);
    free(m);
    return result;
}
