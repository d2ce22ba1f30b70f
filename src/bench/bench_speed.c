/*
 * Measures how fast a device is: a light operation, a convolution, and copies through pinned
 * memory.
 */
#include "bench/bench_speed.h"

#include "base/clock.h"
#include "base/threads.h"
#include "kernels/base/program_run.h"
#include "kernels/neighbourhood/conv.h"
#include "kernels/operations.h"

#include <stdlib.h>
#include <string.h>

#define CPU_SECONDS 0.01                 /* length of a sample of an operation; … */
#define CPU_LOOKS 20                     /* … the fastest of so many counts, as other programs use the machine too */
#define CPU_ROWS 32                      /* a strip that fits into the L2 cache, as in the engine */
#define COLUMNS 1024
#define CHANNELS 3
#define TAPS 25
#define COPY_BYTES ((size_t)16 << 20)    /* a typical segment of a GPU */
#define GPU_ROWS 5000                    /* 61 MB of floats: more than the caches hold */
#define GPU_TIMES 8

/* Images of bytes and of floats, and the operations on them. */
struct speed_trial {
    struct gf_point program;             /* a light operation: one step */
    struct gf_conv along, across;        /* along columns and along rows */
    float masks[TAPS];
    struct gf_block packed, planar[2];
    int64_t rows;
    struct gf_work work;
};

static size_t float_bytes(int64_t rows)
{
    return (size_t)rows * COLUMNS * CHANNELS * sizeof(float);
}

/*
 * Lays out two images of floats and one of bytes in `memory`, which has room for three of floats.
 */
static int make_trial(struct speed_trial *b, void *memory, int64_t rows)
{
    const struct gf_format f = { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = CHANNELS,
                                 .width = COLUMNS, .units = rows };
    const struct gf_span all = { 0, rows };
    const struct gf_point_step half = { .kind = GF_POINT_AFFINE, .channels = CHANNELS, .a = 0.5f, .b = 0.25f };

    memset(b, 0, sizeof *b);
    gf_point_init(&b->program, CHANNELS);
    b->rows = rows;
    b->along = (struct gf_conv) { .nx = TAPS, .cx = TAPS / 2, .mask_channels = 1 };
    b->across = (struct gf_conv) { .ny = TAPS, .cy = TAPS / 2, .mask_channels = 1 };
    for (int i = 0; i < TAPS; i++)
        b->masks[i] = 1.0f / TAPS;
    b->work.masks = b->masks;
    for (int i = 0; i < 2; i++)
        b->planar[i] = gf_block_planar((char *)memory + (size_t)i * float_bytes(rows), &f, all, COLUMNS, rows);
    b->packed = gf_block_packed((char *)memory + 2 * float_bytes(rows), &f, all);
    return gf_point_add(&b->program, &half);
}

/* Runs an operation from one image to another. A light operation has the program. */
static int apply_once(struct speed_trial *b, const struct gf_device_kind *kind, const struct gf_operation *op,
                      const void *params, const struct gf_block *from, const struct gf_block *to)
{
    const struct gf_io io = { .src = *from, .dst = *to, .load = op->only_programs ? &b->program : NULL,
                              .src_units = b->rows };
    struct gf_error err;

    return gf_device_body(kind, op)(&b->work, &io, params, &err);
}

/* ---- the CPU ---- */

/* Seconds of each operation, measured by a core; 0 if it failed. */
struct core_times {
    double in, out, along, across;
};

/* Measures the seconds for a strip, warm, while all cores work. */
static double strip_time(struct speed_trial *b, const struct gf_operation *op, const void *params,
                         const struct gf_block *from, const struct gf_block *to)
{
    double best = 0;

    if (apply_once(b, &gf_device_cpu, op, params, from, to) != 0)
        return 0;
    for (int i = 0; i < CPU_LOOKS; i++) {
        const double start = gf_clock_seconds();
        double now;
        int times = 0;

        do {
            if (apply_once(b, &gf_device_cpu, op, params, from, to) != 0)
                return 0;
            times++;
            now = gf_clock_seconds();
        } while (now - start < CPU_SECONDS);
        if (i == 0 || (now - start) / times < best)
            best = (now - start) / times;
    }
    return best;
}

static size_t scratch_bytes(const struct speed_trial *b)
{
    const struct gf_io io = { .src = b->planar[0], .dst = b->planar[1], .src_units = b->rows };
    const size_t along = gf_op_scratch_bytes(&gf_op_conv.cpu, &b->along, &io),
        across = gf_op_scratch_bytes(&gf_op_conv.cpu, &b->across, &io);

    return along > across ? along : across;
}

static void measure_core(void *argument, int number)
{
    struct core_times *found = (struct core_times *)argument + number;
    void *memory = calloc(3, float_bytes(CPU_ROWS));
    struct speed_trial b;

    if (memory == NULL || make_trial(&b, memory, CPU_ROWS) != 0)
        goto out;
    found->in = strip_time(&b, &gf_op_point, NULL, &b.packed, &b.planar[0]);
    found->out = strip_time(&b, &gf_op_point, NULL, &b.planar[0], &b.packed);
    b.work.scratch_bytes = scratch_bytes(&b);
    b.work.scratch = malloc(b.work.scratch_bytes + 1);
    if (b.work.scratch == NULL)
        goto out;
    found->along = strip_time(&b, &gf_op_conv, &b.along, &b.planar[0], &b.planar[1]);
    found->across = strip_time(&b, &gf_op_conv, &b.across, &b.planar[0], &b.planar[1]);
    free(b.work.scratch);
out:
    free(memory);
}

void gf_bench_speed_cpu(int cores, struct gf_rates *r)
{
    const double bytes = 2.0 * (double)float_bytes(CPU_ROWS);
    struct core_times *found = calloc((size_t)cores, sizeof *found);

    memset(r, 0, sizeof *r);
    if (found == NULL)
        return;
    gf_threads_run(cores, measure_core, found);
    for (int i = 0; i < cores; i++) {
        if (found[i].in > 0 && found[i].out > 0)
            r->work_bytes_per_second += bytes / (found[i].in + found[i].out);
        if (found[i].along > 0 && found[i].across > 0)
            r->conv_bytes_per_second += TAPS * bytes / (found[i].along + found[i].across);
    }
    r->known = r->present = r->measured = r->work_bytes_per_second > 0;
    free(found);
}

/* ---- a device of its own ---- */

/* Measures bytes per second of copies both ways, from pinned memory. */
static double copy_rate(struct gf_device *d, void *memory)
{
    const struct gf_device_kind *kind = d->kind;
    struct gf_room room = { 0 };
    double best = 0;
    struct gf_error err;

    if (kind->room_open(d, &room, COPY_BYTES, &err) == 0 && kind->room_pin(d, &room, &err) == 0) {
        for (int i = 0; i < 3; i++) {
            const double start = gf_clock_seconds();
            double took;

            if (kind->upload(d, memory, room.data, COPY_BYTES, &err) != 0
                || kind->download(d, room.data, memory, COPY_BYTES, &err) != 0)
                break;
            took = gf_clock_seconds() - start;
            best = best <= 0 || took < best ? took : best;
        }
    }
    kind->room_close(d, &room);
    return best > 0 ? 2.0 * (double)COPY_BYTES / best : 0;
}

/* Measures bytes per second of light operations, counted as floats. */
static double light_rate(struct gf_device *d, void *memory)
{
    const struct gf_device_kind *kind = d->kind;
    double start = 0;
    struct speed_trial b;
    struct gf_error err;

    if (make_trial(&b, memory, GPU_ROWS) != 0)
        return 0;
    b.work = kind->work(d);
    for (int i = 0; i <= GPU_TIMES; i++) {
        if (apply_once(&b, kind, &gf_op_point, NULL, &b.packed, &b.planar[0]) != 0
            || apply_once(&b, kind, &gf_op_point, NULL, &b.planar[0], &b.packed) != 0
            || (i == 0 && kind->wait(d, &err) != 0))
            return 0;
        if (i == 0)                                          /* the first call warms up */
            start = gf_clock_seconds();
    }
    return kind->wait(d, &err) == 0 ? 2.0 * GPU_TIMES * (double)float_bytes(GPU_ROWS) / (gf_clock_seconds() - start)
        : 0;
}

void gf_bench_speed_device(struct gf_device *d, struct gf_rates *r)
{
    void *memory = NULL;
    struct gf_error err;

    memset(r, 0, sizeof *r);
    if (d->kind->alloc(d, 3 * float_bytes(GPU_ROWS), &memory, &err) == 0) {
        r->copy_bytes_per_second = copy_rate(d, memory);
        r->work_bytes_per_second = light_rate(d, memory);
    }
    d->kind->release(d, memory);
    r->known = r->present = r->measured = r->copy_bytes_per_second > 0 && r->work_bytes_per_second > 0;
}
