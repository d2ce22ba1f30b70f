/*
 * Times frames from memory to memory through the executor, and compares the rate with plain copies:
 *   stream [-t TOTAL_GB] [-s SOURCE_GB] [-l FRAMES] [-b SEGMENT_BYTES] [-g GPUS] [-c] [-G] [-o TRACE] STAGE...
 * The source is noise. Unless -c is given, the checksum of every result is compared with that of
 * the CPU's. -G also times CUDA graphs.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "copies.h"
#include "base/clock.h"
#include "base/threads.h"
#include "run/frames.h"
#include "io/memory.h"
#include "report/report.h"
#include "report/trace.h"

#define WIDTH 3840
#define HEIGHT 2160
#define THREADS 16

static struct gf_error error;
static struct gf_chain chain;

static void must(int result)
{
    if (result == 0)
        return;
    fprintf(stderr, "stream: %s\n", error.text);
    _Exit(1);
}

/* ---- repeated frames in memory ---- */

struct source {
    struct gf_format format;
    char *frames;                        /* a room */
    int64_t count, total, at;
};

/* A view of a frame. */
struct place {
    char *at;
    struct source *source;
};

static int source_next(struct gf_reader *r, struct gf_error *err)
{
    struct place *p = r->state;
    struct source *s = p->source;
    const struct gf_format stored = gf_stored_format(&s->format);

    (void)err;
    if (++s->at >= s->total)
        return 0;
    p->at = s->frames + (size_t)(s->at % s->count) * (size_t)stored.units * gf_unit_bytes(&stored);
    return 1;
}

static void *source_place(const struct gf_reader *r, int64_t start)
{
    const struct place *p = r->state;
    const struct gf_format stored = gf_stored_format(&r->format);

    return p->at + (size_t)start * gf_unit_bytes(&stored);
}

static int source_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    (void)err;
    memcpy(units, source_place(r, start), (size_t)count * gf_unit_bytes(&r->format));
    return 0;
}

static const struct gf_reader_ops source_ops = {
    .next = source_next, .read_at = source_read_at, .in_place = source_place,
    .view_bytes = sizeof(struct place), .reading = GF_LABOUR_COPY,
};

/* The state of the sink is the place of the current and of the next frame. */
struct sink {
    char *at, *next;
};

static int sink_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    (void)w;
    (void)f;
    (void)err;
    return 0;
}

static int sink_begin(struct gf_writer *w, struct gf_error *err)
{
    struct sink *s = w->state;

    (void)err;
    s->at = s->next;
    w->random = true;
    return 0;
}

static int sink_end(struct gf_writer *w, struct gf_error *err)
{
    struct sink *s = w->state;

    (void)err;
    s->next = s->at + (size_t)w->format.units * gf_unit_bytes(&w->format);
    return 0;
}

static void *sink_place(struct gf_writer *w, int64_t start)
{
    const struct sink *s = w->state;

    return s->at + (size_t)start * gf_unit_bytes(&w->format);
}

static int sink_write_at(struct gf_writer *w, int64_t start, const void *units, int64_t count, struct gf_error *err)
{
    (void)err;
    memcpy(sink_place(w, start), units, (size_t)count * gf_unit_bytes(&w->format));
    return 0;
}

static const struct gf_writer_ops sink_ops = {
    .name = "memory", .kind = GF_IMAGE, .fit = sink_fit, .begin = sink_begin, .end = sink_end,
        .write_at = sink_write_at,
    .in_place = sink_place, .part_bytes = sizeof(struct sink), .writing = GF_LABOUR_COPY,
};

/* gf_writer_begin() keeps a writer that has begun. */
static void open_sink(struct gf_writer *w, struct sink *s, char *memory)
{
    *s = (struct sink) { memory, memory };
    *w = (struct gf_writer) { .ops = &sink_ops, .out = (struct gf_output *)(void *)s, .name = "memory", .state = s };
}

/* ---- filling and comparing, on all cores ---- */

struct range {
    uint64_t *words;
    int64_t count;                       /* of words in all */
    const char *frames;
    size_t frame_bytes;
    int64_t frame_count;
    uint64_t *sums;
    atomic_long next;
};

static void fill(void *argument, int number)
{
    struct range *r = argument;
    uint64_t x = 0x9e3779b97f4a7c15u * (uint64_t)(number + 1);

    for (int64_t i = r->count / THREADS * number; i < r->count / THREADS * (number + 1); i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        r->words[i] = x;
    }
}

static void sum(void *argument, int number)
{
    struct range *r = argument;
    int64_t i;

    (void)number;
    while ((i = atomic_fetch_add(&r->next, 1)) < r->frame_count) {
        const unsigned char *at = (const unsigned char *)r->frames + (size_t)i * r->frame_bytes;
        uint64_t h = 1469598103934665603u, word;

        for (size_t b = 0; b + 8 <= r->frame_bytes; b += 8) {
            memcpy(&word, at + b, 8);
            h = (h ^ word) * 1099511628211u;
            h ^= h >> 29;
        }
        r->sums[i] = h;
    }
}

static uint64_t *sums_of(const char *frames, size_t frame_bytes, int64_t count)
{
    struct range r = { .frames = frames, .frame_bytes = frame_bytes, .frame_count = count,
                       .sums = calloc((size_t)count, sizeof(uint64_t)) };

    gf_threads_run(THREADS, sum, &r);
    return r.sums;
}

/* ---- runs ---- */

struct result {
    double seconds;                      /* of all but the first frame */
    size_t frame_bytes;
};

static struct result run(struct gf_run_context *context, struct source *s, int64_t total, char *to, size_t room)
{
    struct place place = { s->frames, s };
    struct gf_reader reader = { .ops = &source_ops, .format = s->format, .name = "frames", .random = true,
                                .state = &place };
    struct gf_reader *read = &reader;
    struct gf_worker *first = gf_worker_new(context, &context->limits, -1, &error);
    struct sink sink;
    struct gf_writer writer;
    const struct gf_sink sinks[GF_CHAIN_EXITS] = { { .writer = &writer } };
    const struct gf_format *stored;
    struct gf_run_results results;
    struct result result;
    struct gf_part part;
    struct gf_writer *parts[] = { &part.writer };
    int64_t count;
    double start;

    must(first == NULL);
    s->at = 0;
    s->total = total;
    open_sink(&writer, &sink, to);
    must(gf_task_bind(first, &s->format, "frames", &error));
    must(gf_task_plan(first, &reader, sinks, &error));
    stored = &first->task.outputs.stored[0];
    result.frame_bytes = (size_t)stored->units * gf_unit_bytes(stored);
    must(result.frame_bytes * (size_t)total > room ? gf_fail(&error, GF_FAILED, "the sink is too small") : 0);
    must(gf_writer_begin(&writer, stored, &error));
    must(gf_writer_part(&writer, &part) ? 0 : gf_fail(&error, GF_FAILED, "the sink has no parts"));
    must(gf_task_run(first, &reader, parts, &results, &error));
    must(gf_writer_end(&writer, &error));
    must(source_next(&reader, &error) == 1 ? 0 : 1);
    start = gf_clock_seconds();
    must(gf_frames_run(first, &read, sinks, NULL, &count, &error));
    result.seconds = gf_clock_seconds() - start;
    must(count == total - 1 ? 0 : gf_fail(&error, GF_FAILED, "%lld frames came out", (long long)count));
    gf_worker_free(first);
    return result;
}

struct options {
    double total_gb, source_gb;
    const char *trace;
    bool check, graphs;
};

static int read_options(int argc, char **argv, struct options *o, struct gf_run_context *context)
{
    int option;

    *o = (struct options) { .total_gb = 20, .source_gb = 2, .check = true };
    context->gpus.count = 1;
    while ((option = getopt(argc, argv, "t:s:l:b:g:o:cG")) >= 0) {
        switch (option) {
        case 't': o->total_gb = atof(optarg); break;
        case 's': o->source_gb = atof(optarg); break;
        case 'l': context->limits.lanes = atoi(optarg); break;
        case 'b': context->limits.segment_bytes = atoll(optarg); break;
        case 'g': context->gpus.count = atoi(optarg); break;
        case 'o': o->trace = optarg; break;
        case 'c': o->check = false; break;
        case 'G': o->graphs = true; break;
        default: return -1;
        }
    }
    for (int i = 0; i < context->gpus.count; i++)
        context->gpus.index[i] = i;
    must(gf_chain_parse(&chain, (const char *const *)(argv + optind), NULL, argc - optind, 0, &error));
    must(gf_chain_load(&chain, NULL, &error));
    context->chain = &chain;
    return 0;
}

static void print_result(const struct result *r, int64_t frames, size_t in_bytes, const struct bench_copies *c)
{
    const double up = (double)frames * (double)in_bytes / r->seconds;

    printf("%.1f GB of frames up, %.1f GB down, %.3f s: up %.1f GB/s, "
           "%.0f %% of %.1f both ways at once, %.0f %% of %.1f one way\n",
           (double)frames * (double)in_bytes * 1e-9, (double)frames * (double)r->frame_bytes * 1e-9, r->seconds,
           up * 1e-9, 100 * up / c->both, c->both * 1e-9, 100 * up / c->up, c->up * 1e-9);
}

/* Counts the frames that differ from the CPU's. */
static int64_t compare(const struct gf_run_context *context, struct source *s, int64_t total, struct gf_room *to,
                       size_t frame_bytes)
{
    uint64_t *have = sums_of(to->data, frame_bytes, total), *want;
    struct gf_run_context cpu = *context;
    int64_t wrong = 0;

    cpu.where = GF_CPU;
    cpu.report = NULL;
    cpu.limits = (struct gf_limits) { 0 };
    memset(to->data, 0, (size_t)s->count * frame_bytes);
    run(&cpu, s, s->count, to->data, to->bytes);
    want = sums_of(to->data, frame_bytes, s->count);
    for (int64_t i = 0; i < total; i++)
        wrong += have[i] != want[i % s->count];
    printf("%lld of %lld frames differ from the CPU's\n", (long long)wrong, (long long)total);
    free(have);
    free(want);
    return wrong;
}

static void tell_graphs(void)
{
    double call, graph;

    bench_graphs(0, &call, &graph);
    printf("segments of 16 MB in 4 lanes: as graphs %.4f of the time of single calls\n", graph / call);
}

int main(int argc, char **argv)
{
    struct source s = { .format = { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 3,
                                    .width = WIDTH, .units = HEIGHT } };
    const size_t in_bytes = (size_t)WIDTH * HEIGHT * 3;
    struct gf_run_context context = { .where = GF_CUDA, .device = "cuda" };
    struct gf_device gpu = { .kind = &gf_device_cuda };
    struct gf_room from, to;
    struct range noise = { 0 };
    struct bench_copies copies;
    struct options o;
    struct result r;
    int64_t total, wrong = 0;

    if (read_options(argc, argv, &o, &context) != 0)
        return 2;
    must(gf_run_context_find_devices(&context, 2, &error));
    must(gpu.kind->open(&gpu, 0, &error));
    s.count = (int64_t)(o.source_gb * 1e9 / (double)in_bytes) + 1;
    total = (int64_t)(o.total_gb * 1e9 / (double)in_bytes) + 1;
    must(gpu.kind->room_open(&gpu, &from, (size_t)s.count * in_bytes, &error));
    must(gpu.kind->room_pin(&gpu, &from, &error));
    must(gpu.kind->room_open(&gpu, &to, (size_t)total * in_bytes, &error));
    must(gpu.kind->room_pin(&gpu, &to, &error));
    s.frames = from.data;
    noise.words = from.data;
    noise.count = (int64_t)(from.bytes / 8);
    gf_threads_run(THREADS, fill, &noise);
    bench_copies(0, &copies);
    if (o.graphs)
        tell_graphs();
    if (o.trace != NULL)
        must((context.report = gf_report_new(true)) == NULL);
    r = run(&context, &s, total, to.data, to.bytes);
    print_result(&r, total - 1, in_bytes, &copies);
    if (o.trace != NULL) {
        gf_report_stop(context.report, total);
        gf_report_print(context.report, false, stdout);
        must(gf_trace_write(context.report, o.trace, false, &error));
    }
    if (o.check)
        wrong = compare(&context, &s, total, &to, r.frame_bytes);
    gpu.kind->room_close(&gpu, &from);
    gpu.kind->room_close(&gpu, &to);
    gpu.kind->close(&gpu);
    return wrong != 0;
}
