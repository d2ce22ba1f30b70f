/* --bench: which device, which sizes, what is told of it. */
#include "bench/bench.h"
#include "base/words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "table/table.h"
#include "chain/option.h"
#include "kernels/operations.h"

#define ALL_ON_GPU (INT64_C(64) << 20)   /* samples of each operation, where all are asked for */
#define ALL_ON_CPU (INT64_C(1) << 20)
#define LONG_SECONDS 2.0                 /* of a call: four times as many samples are not tried */

static const char *const fields[] = { "us", "GB/s", "of_copy", "Msamples/s" };

/* ---- what has been found ---- */

static int by_time(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

double gf_bench_median(double *seconds, int count)
{
    qsort(seconds, (size_t)count, sizeof *seconds, by_time);
    return seconds[count / 2];
}

int gf_bench_way(struct gf_bench *b, const char *name)
{
    const int way = b->ways < GF_BENCH_WAYS - 1 ? b->ways++ : b->ways;

    snprintf(b->name[way], sizeof b->name[way], "%s", name);
    for (int i = 0; i < GF_BENCH_SIZES; i++)
        for (int f = 0; f < GF_BENCH_FIELDS; f++)
            b->value[way][i][f] = NAN;
    return way;
}

void gf_bench_put(struct gf_bench *b, int way, int size, double seconds, double moved, double copy_rate)
{
    double *v = b->value[way][size];

    v[GF_BENCH_US] = seconds * 1e6;
    v[GF_BENCH_RATE] = moved / seconds * 1e-9;
    v[GF_BENCH_SHARE] = moved / seconds / copy_rate;
    v[GF_BENCH_SAMPLES] = (double)b->size[size] / seconds * 1e-6;
}

void gf_bench_note(struct gf_bench *b, const char *format, ...)
{
    va_list args;

    if (b->notes == GF_BENCH_NOTES)
        return;
    va_start(args, format);
    vsnprintf(b->note[b->notes++], sizeof b->note[0], format, args);
    va_end(args);
}

void gf_bench_tell(struct gf_bench *b, int way, int size)
{
    char samples[24];

    if (!b->tells)
        return;
    gf_table_size_text(b->size[size], samples);
    fprintf(stderr, "\r%.60s: %s samples\033[K", b->name[way], samples);
    b->told = true;
}

/* The line goes, for something else to be said. */
static void erase(struct gf_bench *b)
{
    if (b->told)
        fputs("\r\033[K", stderr);
    b->told = false;
}

bool gf_bench_is_long(struct gf_bench *b, int way, int size)
{
    const double seconds = b->value[way][size][GF_BENCH_US] * 1e-6;
    char samples[24];

    if (!(seconds > LONG_SECONDS) || size + 1 >= b->sizes)
        return false;
    gf_table_size_text(b->size[size], samples);
    gf_bench_note(b, "%s: a call with %s samples takes %.1f s, and more samples are not tried", b->name[way], samples, seconds);
    return true;
}

/* ---- the device ---- */

/* The GPU that was asked for, or the one there is; else the CPU. */
static int open_device(struct gf_bench *b, const struct gf_request *r, struct gf_error *err)
{
    const int index = r->where == GF_CUDA && r->cuda.count > 0 ? r->cuda.index[0] : 0;
    struct gf_device_facts facts = { 0 }, host = { 0 };
    char why[512] = "";

    if (r->where != GF_CPU)
        gf_device_cuda.facts(index, &facts, why, sizeof why);
    if (r->where == GF_CUDA && !facts.present)
        return gf_fail(err, GF_FAILED, "no GPU: %s", why);
    gf_device_cpu.facts(0, &host, NULL, 0);
    b->cuda = facts.present;
    b->device.kind = b->cuda ? &gf_device_cuda : &gf_device_cpu;
    b->threads = r->limits.threads > 0 ? r->limits.threads : host.cores;
    b->ceiling = host.memory_bytes / 4;
    if (b->cuda && facts.memory_bytes / 2 < b->ceiling)
        b->ceiling = facts.memory_bytes / 2;
    if (r->limits.memory_bytes > 0)
        b->ceiling = r->limits.memory_bytes;
    snprintf(b->where, sizeof b->where, b->cuda ? "%.*s" : "%d CPU thread%s", b->cuda ? (int)strcspn(why, ",") : b->threads,
             b->cuda ? why : b->threads == 1 ? "" : "s");
    return b->device.kind->open(&b->device, b->cuda ? index : 0, err);
}

/* ---- sizes ---- */

/* Bytes that a case of so many samples takes, on the device or, of copies, on the host as well. */
static int bytes_of(const struct gf_bench *b, const struct gf_bench_case *c, const struct gf_lesson *lesson, int64_t samples, double *bytes,
                    struct gf_error *err)
{
    struct gf_bench_made m;
    int64_t width, rows;

    *bytes = 2.0 * (double)samples * sizeof(uint32_t);
    if (c != NULL) {
        struct gf_io io;

        gf_bench_sides(samples, &width, &rows);
        if (gf_bench_make(c, width, rows, b->cuda ? &gf_bench_cuda : &gf_bench_cpu, &m, err) != 0)
            return -1;
        io = gf_bench_io(&m, NULL, NULL);
        *bytes = (double)m.src_bytes + (double)(m.dst_bytes > m.src_bytes ? m.dst_bytes : m.src_bytes) + (double)m.carry_bytes
               + (double)m.state_bytes + (double)(m.mask_count + m.table_count) * sizeof(float);
        *bytes += (double)(b->cuda ? gf_op_gpu_scratch_bytes(m.op, &m.params, &io) : gf_op_scratch_bytes(m.op, &m.params, &io));
        gf_bench_drop(&m);
    }
    if (lesson != NULL && lesson->scratch_bytes != NULL)
        *bytes += (double)lesson->scratch_bytes(samples);
    return 0;
}

/* Up to `most` samples, as far as there is memory for them. */
static int choose_sizes(struct gf_bench *b, const struct gf_bench_case *c, const struct gf_lesson *lesson, int64_t most,
                        struct gf_error *err)
{
    b->sizes = 0;
    for (int64_t samples = GF_BENCH_LEAST; samples <= most && b->sizes < GF_BENCH_SIZES; samples *= 4) {
        double bytes = 0;

        if (bytes_of(b, c, lesson, samples, &bytes, err) != 0)
            return -1;
        if (bytes > (double)b->ceiling)
            break;
        b->size[b->sizes++] = samples;
    }
    if (b->sizes == 0)
        return gf_fail(err, GF_FAILED, "--bench %s: there is no memory for %d samples; raise --memory", c != NULL ? c->name : lesson->name,
                       GF_BENCH_LEAST);
    return 0;
}

/* ---- what is asked for ---- */

/* NAME or NAME:SIZE; the name goes to `name`. */
static int read_topic(const char *topic, char *name, size_t room, int64_t *most, struct gf_error *err)
{
    const size_t length = strcspn(topic, ":");

    snprintf(name, room, "%.*s", (int)length, topic);
    if (topic[length] == '\0')
        return 0;
    if (gf_parse_bytes(topic + length + 1, most) != 0 || *most < GF_BENCH_LEAST)
        return gf_fail(err, GF_MISUSED, "--bench %s: takes a number of samples, 1K or more, not '%s'", name, topic + length + 1);
    return 0;
}

static int one(struct gf_bench *b, const struct gf_bench_case *c, const struct gf_lesson *lesson, int64_t most, struct gf_error *err)
{
    char name[120];
    int copy;

    if (c == NULL && !b->cuda)
        return gf_fail(err, GF_FAILED, "the lesson %s is about a GPU, and --devices tells why there is none to use", lesson->name);
    if (choose_sizes(b, c, b->cuda ? lesson : NULL, most, err) != 0)
        return -1;
    if (b->cuda && lesson != NULL)
        return gf_bench_on_lesson(b, lesson, c, err);
    if (b->cuda) {
        copy = gf_bench_way(b, "copy");
        return gf_bench_on_gpu(b, c, copy, gf_bench_way(b, c->what), err);
    }
    for (int threads = 1; threads <= b->threads; threads += b->threads > 1 ? b->threads - 1 : 1) {
        snprintf(name, sizeof name, "copy, %d thread%s", threads, threads == 1 ? "" : "s");
        copy = gf_bench_way(b, name);
        snprintf(name, sizeof name, "%.90s, %d thread%s", c->what, threads, threads == 1 ? "" : "s");
        if (gf_bench_on_cpu(b, c, threads, copy, gf_bench_way(b, name), err) != 0)
            return -1;
    }
    if (lesson != NULL)
        gf_bench_note(b, "the steps of the lesson %s need a GPU", lesson->name);
    return 0;
}

/* One of all operations; what can't be done is told, and the others follow. */
static void one_of_all(struct gf_bench *b, const struct gf_bench_case *c, int64_t samples, int copy)
{
    struct gf_error err = { 0 };
    char name[120];
    int way, result;

    snprintf(name, sizeof name, "%s: %s", c->name, c->what);
    way = gf_bench_way(b, name);
    result = choose_sizes(b, c, NULL, samples, &err);
    if (result == 0 && b->size[b->sizes - 1] < samples)
        result = gf_fail(&err, GF_FAILED, "there is no memory for so many samples; raise --memory, or ask for fewer with all:SIZE");
    b->size[0] = samples;
    b->sizes = 1;
    if (result == 0)
        result = b->cuda ? gf_bench_on_gpu(b, c, copy, way, &err) : gf_bench_on_cpu(b, c, b->threads, copy, way, &err);
    if (result == 0)
        return;
    gf_bench_note(b, "%s is not measured: %.300s", c->name, err.text);
    b->incomplete = true;
}

/* Every operation at one size: the largest that there is memory for of the first one. */
static int all(struct gf_bench *b, int64_t most, struct gf_error *err)
{
    int64_t samples;

    if (choose_sizes(b, gf_bench_pictures, NULL, most > 0 ? most : b->cuda ? ALL_ON_GPU : ALL_ON_CPU, err) != 0)
        return -1;
    samples = b->size[b->sizes - 1];
    one_of_all(b, gf_bench_pictures, samples, gf_bench_way(b, "copy of bytes"));
    for (const struct gf_bench_case *c = gf_bench_pictures + 1; c->name != NULL; c++)
        one_of_all(b, c, samples, -1);
    for (const struct gf_bench_case *c = gf_bench_sounds; c->name != NULL; c++)
        one_of_all(b, c, samples, -1);
    return 0;
}

/* ---- telling ---- */

static int write_table(struct gf_bench *b, const char *name, const struct gf_request *r, struct gf_error *err)
{
    const char *names[GF_BENCH_WAYS], *notes[GF_BENCH_NOTES + 1] = { NULL };
    const struct gf_format none = { .kind = GF_IMAGE };
    double *values = malloc((size_t)(b->ways * b->sizes) * sizeof b->value[0][0]);
    char source[300];
    struct gf_table t = { .source = source, .channels = b->ways, .channel_names = names, .fields = GF_BENCH_FIELDS, .field_names = fields,
                          .values = values, .sizes = b->sizes, .size_samples = b->size, .drawn = GF_BENCH_RATE, .notes = notes };
    struct gf_writer *w = NULL;
    int result = -1;

    erase(b);
    snprintf(source, sizeof source, "%s on %s", name, b->where);
    for (int i = 0; i < b->ways; i++)
        names[i] = b->name[i];
    for (int i = 0; i < b->notes; i++)
        notes[i] = b->note[i];
    for (int i = 0; values != NULL && i < b->ways; i++)
        memcpy(values + (ptrdiff_t)i * b->sizes * GF_BENCH_FIELDS, b->value[i], (size_t)b->sizes * sizeof b->value[0][0]);
    if (values == NULL)
        gf_fail(err, GF_FAILED, "not enough memory");
    else
        w = gf_writer_open(r->output, &r->write, &none, true, err);
    if (w != NULL && gf_writer_table(w, &t, err) == 0)
        result = gf_writer_commit(w, err);
    gf_writer_close(w);
    free(values);
    return result;
}

int gf_bench_answer(const struct gf_request *r, struct gf_error *err)
{
    struct gf_bench *b = calloc(1, sizeof *b);
    const struct gf_bench_case *c;
    const struct gf_lesson *lesson;
    char name[64] = "all";
    int64_t most = 0;
    int result = -1;

    if (b == NULL)
        return gf_fail(err, GF_FAILED, "not enough memory");
    if (r->topic != NULL && read_topic(r->topic, name, sizeof name, &most, err) != 0)
        goto out;
    c = gf_bench_find(name);
    lesson = gf_bench_lesson(name);
    if (c == NULL && lesson == NULL && strcmp(name, "all") != 0) {
        if (gf_bench_stage(name, r->quiet, &c, err) != 0 || (c == NULL && gf_bench_unknown(name, err) != 0))
            goto out;
        snprintf(name, sizeof name, "%s", c->name);
        lesson = gf_bench_lesson(name);
    }
    b->tells = r->progress == GF_PROGRESS_ALWAYS || (r->progress == GF_PROGRESS_AUTO && !r->quiet && isatty(STDERR_FILENO));
    if (open_device(b, r, err) != 0)
        goto out;
    if ((strcmp(name, "all") == 0 ? all(b, most, err) : one(b, c, lesson, most > 0 ? most : GF_BENCH_MOST, err)) == 0)
        result = write_table(b, strcmp(name, "all") == 0 ? "every operation" : name, r, err);
    for (int i = 0; result == 0 && !r->quiet && i < b->notes; i++)
        fprintf(stderr, "gpufilter: %s\n", b->note[i]);
    if (result == 0 && b->incomplete)
        result = gf_fail(err, GF_FAILED, "not everything could be measured");
out:
    erase(b);
    if (b->device.kind != NULL)
        b->device.kind->close(&b->device);
    gf_device_cuda.settle();
    free(b);
    return result;
}
