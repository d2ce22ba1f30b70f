/* Measures operations: chooses the device and the sizes, and writes the table. */
#include "bench/bench.h"

#include "base/memory_share.h"
#include "base/notice.h"
#include "base/terminal.h"
#include "base/words.h"
#include "batch/output_names.h"
#include "bench/bench_call.h"
#include "bench/bench_cpu.h"
#include "bench/bench_gpu.h"
#include "bench/bench_results.h"
#include "bench/bench_topics.h"
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
    char where[200];                     /* the device, for people */
    int64_t ceiling;                     /* bytes that a call may use, on the device and on the host */
    struct gf_bench_results results;
    struct gf_writer *writer;            /* of the table */
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
    *bytes = (double)m.src_bytes + (double)(m.dst_bytes > m.src_bytes ? m.dst_bytes : m.src_bytes) + (double)m.carry_bytes
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
static int open_table(struct bench *b, const struct gf_bench_request *r, struct gf_error *err)
{
    const struct gf_format none = { .kind = GF_IMAGE };

    b->writer = gf_writer_open(r->output, r->write, &none, true, err);
    if (b->writer == NULL)
        return -1;
    gf_output_names_warn_guess(b->writer);
    if (gf_notices_check(r->write->notices, err) != 0 || gf_writer_create(b->writer, err) != 0)
        return -1;
    gf_notices_print(r->write->notices);
    return 0;
}

static int write_table(struct bench *b, const char *name, struct gf_error *err)
{
    const struct gf_bench_results *found = &b->results;
    const char *const fields[] = { "us", found->unit != NULL ? found->unit : "GB/s", "of_copy", "Msamples/s" };
    const char *names[GF_BENCH_SERIES], *notes[GF_BENCH_NOTES + 1] = { NULL };
    double *values = malloc((size_t)(found->series * found->sizes) * sizeof found->value[0][0]);
    char source[300];
    struct gf_table t = { .source = source, .channels = found->series, .channel_names = names,
                          .fields = GF_BENCH_FIELDS, .field_names = fields, .values = values, .sizes = found->sizes,
                          .size_samples = found->size, .axis = found->axis, .axis_linear = found->axis_linear,
                          .drawn = found->draw_time ? GF_BENCH_US : GF_BENCH_RATE, .notes = notes };
    int result = -1;

    gf_terminal_erase();
    snprintf(source, sizeof source, "%s on %s", name, b->where);
    for (int i = 0; i < found->series; i++)
        names[i] = found->name[i];
    for (int i = 0; i < found->notes; i++)
        notes[i] = found->note[i];
    for (int i = 0; values != NULL && i < found->series; i++)
        memcpy(values + (ptrdiff_t)i * found->sizes * GF_BENCH_FIELDS, found->value[i],
               (size_t)found->sizes * sizeof found->value[0][0]);
    if (values == NULL)
        gf_fail_memory(err, NULL);
    else if (gf_writer_table(b->writer, &t, err) == 0)
        result = gf_writer_commit(b->writer, err);
    free(values);
    return result;
}

int gf_bench_run(const struct gf_bench_request *r, struct gf_error *err)
{
    struct bench *b = calloc(1, sizeof *b);
    const struct gf_bench_group *group;
    const struct gf_lesson *lesson;
    struct gf_bench_pick pick;
    char name[64] = "all";
    int64_t most = 0;
    int result = -1;

    if (b == NULL)
        return gf_fail_memory(err, NULL);
    if (r->topic != NULL && read_topic(r->topic, name, sizeof name, &most, err) != 0)
        goto out;
    group = gf_bench_group_find(name);
    lesson = gf_lesson_find(name);
    if (group == NULL && lesson == NULL && strcmp(name, "all") != 0) {
        if (gf_bench_topic_of_stage(name, r->quiet ? NULL : r->program, &group, err) != 0
            || (group == NULL && gf_bench_topic_unknown(name, err) != 0))
            goto out;
        snprintf(name, sizeof name, "%s", group->name);
        lesson = gf_lesson_find(name);
    }
    if (group != NULL)
        pick = gf_bench_pick_first(group, group->cases);
    b->results.progress = r->progress;
    if (open_device(b, r, err) != 0 || open_table(b, r, err) != 0)
        goto out;
    if ((strcmp(name, "all") == 0 ? measure_all(b, most, err)
         : lesson != NULL ? measure_lesson(b, lesson, most > 0 ? most : GF_BENCH_MOST, err)
         : measure_one(b, &pick, most > 0 ? most : GF_BENCH_MOST, err)) == 0)
        result = write_table(b, strcmp(name, "all") == 0 ? "every operation" : name, err);
    for (int i = 0; result == 0 && !r->quiet && i < b->results.notes; i++)
        gf_terminal_print("%s: %s\n", r->program, b->results.note[i]);
    if (result == 0 && b->results.incomplete)
        result = gf_fail(err, GF_FAILED, "some operations were not measured; the warnings say why");
out:
    gf_terminal_erase();
    gf_writer_close(b->writer);
    if (b->device.kind != NULL)
        b->device.kind->close(&b->device);
    gf_device_cuda.settle();
    free(b);
    return result;
}
