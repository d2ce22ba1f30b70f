/* Measures operations: chooses the device and the sizes, and writes the table. */
#include "bench/measure.h"

#include "base/memory_share.h"
#include "base/notice.h"
#include "base/terminal.h"
#include "base/words.h"
#include "batch/output_names.h"
#include "bench/bench_call.h"
#include "bench/bench_cpu.h"
#include "bench/bench_gpu.h"
#include "bench/bench_results.h"
#include "bench/bench_table.h"
#include "bench/bench_topics.h"
#include "bench/lessons/course_page.h"
#include "bench/roofline/roofline.h"
#include "bench/lessons/lesson_measure.h"
#include "device/device.h"
#include "kernels/operations.h"
#include "table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL_ON_GPU (INT64_C(64) << 20)   /* samples of each operation when all are measured */
#define ALL_ON_CPU (INT64_C(1) << 20)

/* An open device, and the results. */
struct bench {
    struct gf_device device;
    bool cuda;
    int threads;                         /* used on a CPU */
    char where[200], facts[512]; /* the device, for people: its name, and all that is known */
    int64_t ceiling;                     /* bytes that a call may use, on the device and on the host */
    struct gf_bench_results results;
    struct gf_writer *writer;            /* of the table */
    struct gf_course *course;            /* or a page of tables */
};

/* ---- the device ---- */

/* Opens the requested GPU, or the first one; otherwise the CPU. */
static int open_device(struct bench *b, const struct gf_bench_request *r, struct gf_error *err)
{
    const int index = r->where == GF_CUDA ? r->gpu : 0;
    struct gf_device_facts facts = { 0 }, host = { 0 };
    char why[512] = "";

    if (r->where != GF_CPU)
        gf_device_cuda.facts(index, &facts, why, sizeof why);
    if (r->where == GF_CUDA && !facts.present)
        return gf_fail(err, GF_FAILED, "no GPU: %s", why);
    gf_device_cpu.facts(0, &host, NULL, 0);
    b->cuda = facts.present;
    b->device.kind = b->cuda ? &gf_device_cuda : &gf_device_cpu;
    b->threads = r->threads > 0 ? r->threads : host.cores;
    b->ceiling = gf_memory_share(GF_MEMORY_BENCH, host.memory_bytes);
    if (b->cuda && gf_memory_share(GF_MEMORY_BENCH_GPU, facts.memory_bytes) < b->ceiling)
        b->ceiling = gf_memory_share(GF_MEMORY_BENCH_GPU, facts.memory_bytes);
    if (r->memory_bytes > 0)
        b->ceiling = r->memory_bytes;
    snprintf(b->where, sizeof b->where, b->cuda ? "%.*s" : "%d CPU thread%s", b->cuda ? (int)strcspn(why, ",")
             : b->threads, b->cuda ? why : b->threads == 1 ? "" : "s");
    snprintf(b->facts, sizeof b->facts, b->cuda ? "%.400s, and %d CPU thread%s" : "%s", b->cuda ? why : b->where,
             b->threads, b->threads == 1 ? "" : "s");
    return b->device.kind->open(&b->device, b->cuda ? index : 0, err);
}

/* ---- sizes ---- */

/* Computes the bytes that a case needs for so many samples. */
static int find_needed_bytes(const struct bench *b, const struct gf_bench_pick *pick, int64_t samples, double *bytes,
                             struct gf_error *err)
{
    const struct gf_operation *op = pick->group->op;
    const struct gf_op_device *can = b->cuda ? &op->cuda : &op->cpu;
    struct gf_bench_call m;
    int64_t width, rows;
    struct gf_io io;

    gf_bench_square(samples, &width, &rows);
    if (gf_bench_call_make(pick, width, rows, can, &m, err) != 0)
        return -1;
    io = gf_bench_call_io(&m, NULL, NULL);
    *bytes = (double)m.src_bytes + (double)(m.dst_bytes > m.src_bytes ? m.dst_bytes : m.src_bytes)
        + (double)m.carry_bytes
        + (double)(m.mask_count + m.table_count) * sizeof(float) + (double)gf_op_scratch_bytes(can, m.params, &io);
    gf_bench_call_release(&m);
    return 0;
}

static int over_memory(const struct bench *b, double bytes, const char *otherwise, struct gf_error *err)
{
    char needed[40], given[40];

    gf_bytes_text((int64_t)bytes, needed);
    gf_bytes_text(b->ceiling, given);
    return gf_fail(err, GF_FAILED, "%s of memory needed, %s allowed; raise --memory%s", needed, given,
                   otherwise);
}

/* Chooses the sizes, up to `most` samples and as far as memory lasts. */
static int choose_sizes(struct bench *b, const struct gf_bench_pick *pick, int64_t most, struct gf_error *err)
{
    double bytes = 0;

    b->results.sizes = 0;
    for (int64_t samples = GF_BENCH_LEAST; samples <= most && b->results.sizes < GF_BENCH_SIZES; samples *= 4) {
        if (find_needed_bytes(b, pick, samples, &bytes, err) != 0)
            return -1;
        if (bytes > (double)b->ceiling)
            break;
        b->results.size[b->results.sizes++] = samples;
    }
    return b->results.sizes > 0 ? 0 : over_memory(b, bytes, "", err);
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

static int measure_one(struct bench *b, const struct gf_bench_pick *pick, int64_t most, struct gf_error *err)
{
    char name[120];
    int copy;

    if (choose_sizes(b, pick, most, err) != 0)
        return -1;
    if (b->cuda) {
        copy = gf_bench_results_add(&b->results, "copy");
        return gf_bench_gpu_measure(&b->device, &b->results, pick, copy,
                                    gf_bench_results_add(&b->results, pick->one->what), err);
    }
    for (int threads = 1; threads <= b->threads; threads += b->threads > 1 ? b->threads - 1 : 1) {
        snprintf(name, sizeof name, "copy, %d thread%s", threads, threads == 1 ? "" : "s");
        copy = gf_bench_results_add(&b->results, name);
        snprintf(name, sizeof name, "%.90s, %d thread%s", pick->one->what, threads, threads == 1 ? "" : "s");
        if (gf_bench_cpu_measure(&b->results, pick, threads, copy, gf_bench_results_add(&b->results, name), err) != 0)
            return -1;
    }
    return 0;
}

static int measure_lesson(struct bench *b, const struct gf_lesson *lesson, int64_t most, struct gf_error *err)
{
    const struct gf_lesson_request request = { .lesson = lesson, .device = b->cuda ? &b->device : NULL,
                                               .threads = b->threads, .most = most, .ceiling = (double)b->ceiling };

    return gf_lesson_measure(&request, &b->results, err);
}

/* Measures one of all operations. A failure becomes a note, and the others go on. */
static void measure_one_of_all(struct bench *b, const struct gf_bench_group *group, int64_t samples, int copy)
{
    const struct gf_bench_pick pick = gf_bench_pick_first(group, group->cases);
    struct gf_error err = { 0 };
    double bytes = 0;
    char name[120];
    int own, result;

    snprintf(name, sizeof name, "%s: %s", group->name, group->cases->what);
    own = gf_bench_results_add(&b->results, name);
    result = find_needed_bytes(b, &pick, samples, &bytes, &err);
    if (result == 0 && bytes > (double)b->ceiling)
        result = over_memory(b, bytes, ", or measure fewer samples with all:SIZE", &err);
    b->results.size[0] = samples;
    b->results.sizes = 1;
    if (result == 0)
        result = b->cuda ? gf_bench_gpu_measure(&b->device, &b->results, &pick, copy, own, &err)
                         : gf_bench_cpu_measure(&b->results, &pick, b->threads, copy, own, &err);
    if (result == 0)
        return;
    gf_bench_results_note(&b->results, "warning: %s was not measured: %.300s", group->name, err.text);
    b->results.incomplete = true;
}

/*
 * Measures every operation at one size: the largest for which the point operation has memory. Rates
 * are compared with its copy.
 */
static int measure_all(struct bench *b, int64_t most, struct gf_error *err)
{
    const struct gf_bench_group *first = gf_bench_group_find("point");
    const struct gf_bench_pick pick = gf_bench_pick_first(first, first->cases);
    int64_t samples;
    int copy;

    if (choose_sizes(b, &pick, most > 0 ? most : b->cuda ? ALL_ON_GPU : ALL_ON_CPU, err) != 0)
        return -1;
    samples = b->results.size[b->results.sizes - 1];
    copy = gf_bench_results_add(&b->results, "copy of bytes");
    for (int i = 0; i < gf_bench_group_count; i++)
        if (gf_bench_groups[i]->cases != NULL)
            measure_one_of_all(b, gf_bench_groups[i], samples, gf_bench_groups[i] == first ? copy : -1);
    return 0;
}

/* ---- the table ---- */

/* Creates the output before measurements, which may take minutes, so that its errors are reported at once. */
static int open_table(struct bench *b, const struct gf_bench_request *r, bool several, struct gf_error *err)
{
    const struct gf_format none = { .kind = GF_IMAGE };

    if (several || gf_course_is_page(r->output, r->write->to)) {
        b->course = gf_course_open(r->output, r->write, b->facts, err);
        return b->course != NULL ? 0 : -1;
    }
    b->writer = gf_writer_open(r->output, r->write, &none, true, err);
    if (b->writer == NULL)
        return -1;
    gf_output_names_warn_guess(b->writer);
    if (gf_notices_check(r->write->notices, err) != 0 || gf_writer_create(b->writer, err) != 0)
        return -1;
    gf_notices_print(r->write->notices);
    return 0;
}

/* Writes the results, or adds them to the page. `lesson` may be NULL. */
static int write_results(struct bench *b, const char *name, const struct gf_lesson *lesson, struct gf_error *err)
{
    struct gf_course_section section = { .name = name, .summary = lesson != NULL ? lesson->summary : NULL,
                                         .lesson = lesson != NULL };
    struct gf_bench_table t;
    int result;

    snprintf(t.source, sizeof t.source, "%s on %s", name, b->where);
    result = gf_bench_table_make(&b->results, &t, err);

    gf_terminal_erase();
    section.table = &t.table;
    if (result == 0)
        result = b->course != NULL ? gf_course_add(b->course, &section, err)
                                   : gf_writer_table(b->writer, &t.table, err);
    gf_bench_table_release(&t);
    return result;
}

/* ---- several lessons ---- */

/* Adds a lesson to the page; if it cannot be measured, the reason. */
static int add_lesson(struct bench *b, const struct gf_lesson *lesson, int64_t most, struct gf_error *err)
{
    const bool progress = b->results.progress, incomplete = b->results.incomplete;
    struct gf_course_section section = { .name = lesson->name, .summary = lesson->summary, .lesson = true };
    struct gf_error why = { 0 };

    memset(&b->results, 0, sizeof b->results);
    b->results.progress = progress;
    b->results.incomplete = incomplete;
    if (measure_lesson(b, lesson, most > 0 ? most : GF_BENCH_MOST, &why) == 0)
        return write_results(b, lesson->name, lesson, err);
    b->results.incomplete = true;
    section.missing = why.text;
    return gf_course_add(b->course, &section, err);
}

#define ROOFLINE_ON_GPU (INT64_C(64) << 20)
#define ROOFLINE_ON_CPU (INT64_C(16) << 20)
#define ROOFLINE_BYTES 12                /* per sample: source, result, and what operations need besides */

/* Measures the roofline, and writes it, or adds it to the page. */
static int add_roofline(struct bench *b, int64_t most, struct gf_error *err)
{
    struct gf_roofline *found = calloc(1, sizeof *found);
    struct gf_roofline_table *t = calloc(1, sizeof *t);
    struct gf_course_section section = { .name = "roofline", .summary = "where operations stand below what the memory "
                                         "and the arithmetic of this device allow" };
    int64_t samples = b->cuda ? ROOFLINE_ON_GPU : ROOFLINE_ON_CPU;
    int result = -1;

    while (samples > GF_BENCH_LEAST && ((most > 0 && samples > most) || samples * ROOFLINE_BYTES > b->ceiling))
        samples /= 4;
    if (found == NULL || t == NULL)
        gf_fail_memory(err, NULL);
    else {
        snprintf(found->device, sizeof found->device, "%s", b->where);
        result = gf_roofline_measure(&b->device, b->threads, samples, b->results.progress, found, err);
    }
    if (result == 0) {
        gf_terminal_erase();
        gf_roofline_tabulate(found, t);
        section.table = &t->table;
        b->results.notes = 0;
        for (int i = 0; t->notes[i] != NULL; i++)
            gf_bench_results_note(&b->results, "%s", t->notes[i]);
        result = b->course != NULL ? gf_course_add(b->course, &section, err)
                                   : gf_writer_table(b->writer, &t->table, err);
    }
    free(found);
    free(t);
    return result;
}

static int add_all_lessons(struct bench *b, int64_t most, struct gf_error *err)
{
    for (const struct gf_lesson *const *l = gf_lessons; *l != NULL; l++)
        if (add_lesson(b, *l, most, err) != 0)
            return -1;
    return add_roofline(b, most, err);
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

static int measure_and_write(struct bench *b, const char *name, const struct gf_bench_group *group,
                             const struct gf_lesson *lesson, int64_t most, struct gf_error *err)
{
    const int64_t largest = most > 0 ? most : GF_BENCH_MOST;
    struct gf_bench_pick pick;

    if (strcmp(name, "lessons") == 0)
        return add_all_lessons(b, most, err);
    if (strcmp(name, "roofline") == 0)
        return add_roofline(b, most, err);
    if (strcmp(name, "all") == 0)
        return measure_all(b, most, err) == 0 ? write_results(b, "every operation", NULL, err) : -1;
    if (lesson != NULL)
        return measure_lesson(b, lesson, largest, err) == 0 ? write_results(b, name, lesson, err) : -1;
    pick = gf_bench_pick_first(group, group->cases);
    return measure_one(b, &pick, largest, err) == 0 ? write_results(b, name, NULL, err) : -1;
}

int gf_bench_run(const struct gf_bench_request *r, struct gf_error *err)
{
    struct bench *b = calloc(1, sizeof *b);
    const struct gf_bench_group *group;
    const struct gf_lesson *lesson;
    char name[64] = "all";
    int64_t most = 0;
    bool several;
    int result = -1;

    if (b == NULL)
        return gf_fail_memory(err, NULL);
    if ((r->topic != NULL && read_topic(r->topic, name, sizeof name, &most, err) != 0)
        || find_topic(r, name, sizeof name, &group, &lesson, err) != 0)
        goto out;
    several = strcmp(name, "lessons") == 0;
    b->results.progress = r->progress;
    if (open_device(b, r, err) != 0 || open_table(b, r, several, err) != 0)
        goto out;
    result = measure_and_write(b, name, group, lesson, most, err);
    if (result == 0)
        result = b->course != NULL ? gf_course_commit(b->course, err) : gf_writer_commit(b->writer, err);
    for (int i = 0; result == 0 && !r->quiet && b->course == NULL && i < b->results.notes; i++)
        gf_terminal_print("%s: %s\n", r->program, b->results.note[i]);
    if (result == 0 && b->results.incomplete)
        result = gf_fail(err, GF_FAILED, several ? "some lessons were not measured; the output says why"
                         : "some operations were not measured; the warnings say why");
out:
    gf_terminal_erase();
    gf_writer_close(b->writer);
    gf_course_close(b->course);
    if (b->device.kind != NULL)
        b->device.kind->close(&b->device);
    gf_device_cuda.settle();
    free(b);
    return result;
}
