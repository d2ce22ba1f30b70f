/*
 * Makes a call on each device, and compares: a result with its reference, the GPU's result with the
 * CPU's.
 */
#include "bench/check/check_compare.h"

#include "bench/check/check_slow.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- problems ---- */

/* Writes the kinds and channels of a program's steps, and the channels that PICK takes. */
static const char *describe_program(const struct gf_point *p, char *text, size_t room)
{
    size_t at = 0;

    text[0] = '\0';
    for (int i = 0; p != NULL && i < p->count && at + 40 < room; i++) {
        const struct gf_point_step *s = &p->step[i];

        at += (size_t)snprintf(text + at, room - at, "%s%d(%d to %d)", i ? " " : "", (int)s->kind, s->channels,
                               s->outs);
        for (int o = 0; s->kind == GF_POINT_PICK && o < s->outs && at + 8 < room; o++)
            at += (size_t)snprintf(text + at, room - at, ",%d", s->pick[o]);
    }
    return text;
}

void gf_check_report(struct gf_check *check, const char *what, const struct gf_operation *op, const struct gf_io *io,
                     int c, int64_t x, int64_t y, double got, double wanted)
{
    const struct gf_block *s = &io->src, *d = &io->dst;
    char load[200], store[200];

    if (check->problem[0] == '\0')
        snprintf(check->problem, sizeof check->problem,
                 "%s %s: channel %d at %" PRId64 ", %" PRId64 " is %.9g, not %.9g (%" PRId64 " by %" PRId64
                 " of type %d%s, %d channels, units %" PRId64 " to %" PRId64 " of type %d%s, load %s, store %s)",
                 op->word, what, c, x, y, got, wanted, s->width, io->src_units, (int)s->type, s->planar ? " planar"
                 : "", s->channels, d->span.start, d->span.end, (int)d->type, d->planar ? " planar" : "",
                 describe_program(io->load, load, sizeof load), describe_program(io->store, store, sizeof store));
}

bool gf_check_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

void gf_check_untouched(struct gf_check *check, const struct gf_operation *op, const struct gf_block *d,
                        const unsigned char *bytes, size_t size)
{
    const size_t sample = gf_type_bytes(d->type),
        row = (size_t)d->width * (size_t)(d->planar ? 1 : d->channels) * sample;
    const size_t first = (size_t)((const unsigned char *)d->data - bytes);
    unsigned char *seen = calloc(size, 1);

    if (seen == NULL) {
        snprintf(check->problem, sizeof check->problem, "%s: no memory to compare", op->word);
        return;
    }
    for (int c = 0; c < (d->planar ? d->channels : 1); c++)
        for (int64_t y = 0; y < gf_span_units(d->span); y++)
            memset(seen + first + (size_t)(c * d->plane_samples + y * d->pitch_samples) * sample, 1, row);
    for (size_t i = 0; i < size; i++)
        if (!seen[i] && bytes[i] != GF_CHECK_POISON && check->problem[0] == '\0')
            snprintf(check->problem, sizeof check->problem, "%s: byte %zu beyond the result was written", op->word, i);
    free(seen);
}

/* ---- a result and its reference ---- */

void gf_check_sample(struct gf_check *check, const struct gf_operation *op, const struct gf_io *io, int c, int64_t x,
                     int64_t y, double wanted, double slack)
{
    const double got = gf_slow_sample(&io->dst, c, x, y), stored = gf_slow_stored(&io->dst, wanted);

    check->compared++;
    if (!(fabs(got - stored) <= slack + 1.001 * gf_slow_step(&io->dst)))
        gf_check_report(check, check->on_gpu ? "on a GPU, and the reference" : "and the reference", op, io, c, x, y,
                        got, stored);
}

/* Returns the largest value of the reference, and of the inputs if sums of them may cancel. */
static double find_largest(const struct gf_check *check, const struct gf_bench_group *g, const struct gf_io *io,
                           const void *params)
{
    double v[GF_SLOW_CHANNELS], largest = 1e-3;

    for (int64_t y = io->dst.span.start; y < io->dst.span.end; y++)
        for (int64_t x = 0; x < io->dst.width; x++) {
            if (g->cancels)
                gf_slow_load(check, io, x, y, v);
            for (int c = 0; g->cancels && c < io->src.channels; c++)
                largest = fmax(largest, fabs(v[c]));
            g->slow(check, io, params, x, y, v);
            gf_slow_program(check, io->store, v);
            for (int c = 0; c < io->dst.channels; c++)
                largest = fmax(largest, fabs(gf_slow_stored(&io->dst, v[c])));
        }
    return largest;
}

void gf_check_reference(struct gf_check *check, const struct gf_operation *op, const struct gf_io *io,
                        const void *params, double slack)
{
    const struct gf_bench_group *g = gf_bench_group_of(op);
    double wanted[GF_SLOW_CHANNELS];

    if (g->compare != NULL)
        g->compare(check, io, params, slack);
    if (g->slow == NULL)
        return;
    slack *= find_largest(check, g, io, params);
    for (int64_t y = io->dst.span.start; y < io->dst.span.end; y++)
        for (int64_t x = 0; x < io->dst.width; x++) {
            g->slow(check, io, params, x, y, wanted);
            gf_slow_program(check, io->store, wanted);
            for (int c = 0; c < io->dst.channels; c++)
                gf_check_sample(check, op, io, c, x, y, wanted[c], slack);
        }
}

/* ---- the devices ---- */

/* Compares samples first, so that a message can name one; then all bytes. */
static void compare_bits(struct gf_check *check, const struct gf_operation *op, const struct gf_io *cpu,
                         const struct gf_io *cuda, size_t bytes)
{
    bool nan = false;

    for (int64_t y = cpu->dst.span.start; y < cpu->dst.span.end; y++)
        for (int64_t x = 0; x < cpu->dst.width; x++)
            for (int c = 0; c < cpu->dst.channels; c++) {
                const double v = gf_slow_sample(&cpu->dst, c, x, y), w = gf_slow_sample(&cuda->dst, c, x, y);

                nan = nan || v != v;
                if (!gf_check_same(v, w))
                    gf_check_report(check, "on a GPU", op, cpu, c, x, y, w, v);
            }
    if (!nan && memcmp(check->cpu, check->gpu, bytes) != 0 && check->problem[0] == '\0')
        snprintf(check->problem, sizeof check->problem, "%s: bytes beyond the result differ", op->word);
}

/*
 * Compares results that each device rounds differently: within a part of the largest one, and a
 * step of what is stored.
 */
static void compare_near(struct gf_check *check, const struct gf_operation *op, const struct gf_io *cpu,
                         const struct gf_io *cuda, double rounding)
{
    const double step = gf_slow_step(&cpu->dst);
    double largest = 1e-3;

    for (int pass = 0; pass < 2; pass++)
        for (int64_t y = cpu->dst.span.start; y < cpu->dst.span.end; y++)
            for (int64_t x = 0; x < cpu->dst.width; x++)
                for (int c = 0; c < cpu->dst.channels; c++) {
                    const double v = gf_slow_sample(&cpu->dst, c, x, y), w = gf_slow_sample(&cuda->dst, c, x, y);

                    if (pass == 0)
                        largest = isfinite(v) ? fmax(largest, fabs(v)) : largest;
                    else if (!gf_check_same(v, w) && !(fabs(v - w) <= rounding * largest + 1.001 * step))
                        gf_check_report(check, "on a GPU", op, cpu, c, x, y, w, v);
                }
}

/* ---- calls ---- */

int gf_check_run_cpu(struct gf_check *check, const struct gf_operation *op, const struct gf_io *io, const void *params)
{
    struct gf_work w = { .masks = check->masks, .tables = check->tables,
                         .scratch_bytes = gf_op_scratch_bytes(&op->cpu, params, io) };
    int result;

    w.carry = memcpy(check->carried[GF_CHECK_ON_CPU], check->carried[GF_CHECK_BEFORE], check->carried_bytes);
    w.scratch = aligned_alloc(64, (w.scratch_bytes + 127) / 64 * 64);
    if (w.scratch == NULL)
        return gf_fail_memory(&check->failure, NULL);
    result = op->cpu.body(&w, io, params, &check->failure);
    free(w.scratch);
    return result;
}

/* The plan counts the memory that a body borrows; it may count more, but not less. */
static void check_borrowed(struct gf_check *check, const struct gf_operation *op, const struct gf_io *io,
                           const void *params)
{
    const size_t most = check->device.kind->borrowed(&check->device);
    const size_t planned = gf_op_scratch_bytes(&op->cuda, params, io);

    if (most > planned && check->problem[0] == '\0')
        snprintf(check->problem, sizeof check->problem,
                 "%s: %zu bytes were borrowed on a GPU, and %zu planned (%" PRId64 " by %" PRId64 ", %d channels)",
                 op->word, most, planned, io->src.width, gf_span_units(io->dst.span), io->src.channels);
}

int gf_check_run_gpu(struct gf_check *check, const struct gf_operation *op, struct gf_io *io, const void *params,
                     size_t src_size, size_t dst_size)
{
    struct gf_device *d = &check->device;
    const struct gf_device_kind *k = d->kind;
    struct gf_error *err = &check->failure;
    struct gf_work w = k->work(d);
    struct gf_block frame[GF_MOST_FRAMES];
    struct gf_io there = *io;
    const size_t dst_at = (size_t)((unsigned char *)io->dst.data - check->cpu);

    there.src.data = (char *)check->gpu_src + ((unsigned char *)io->src.data - check->src);
    there.dst.data = (char *)check->gpu_dst + dst_at;
    io->dst.data = check->gpu + dst_at;
    if (check->second_bytes > 0 && io->beside.data != NULL)
        there.beside.data = (char *)check->gpu_second + ((unsigned char *)io->beside.data - check->second);
    for (int i = 0; io->frame != NULL && i < io->frames; i++) {
        frame[i] = io->frame[i];
        frame[i].data = (char *)check->gpu_second + ((unsigned char *)io->frame[i].data - check->second);
    }
    there.frame = io->frame != NULL ? frame : NULL;
    w.carry = check->gpu_carried;
    k->borrowed(d);
    if (k->upload(d, check->gpu_src, check->src, src_size, err) != 0
        || k->upload(d, check->gpu_second, check->second, check->second_bytes, err) != 0
        || k->upload(d, check->gpu_carried, check->carried[GF_CHECK_BEFORE], check->carried_bytes, err) != 0
        || k->upload(d, check->gpu_dst, check->gpu, dst_size, err) != 0
        || gf_device_body(k, op)(&w, &there, params, err) != 0 || k->wait(d, err) != 0
        || k->download(d, check->gpu, check->gpu_dst, dst_size, err) != 0
        || k->download(d, check->carried[GF_CHECK_ON_GPU], check->gpu_carried, check->carried_bytes, err) != 0)
        return -1;
    check_borrowed(check, op, io, params);
    return 0;
}

void gf_check_call(struct gf_check *check, const struct gf_operation *op, const struct gf_io *io, const void *params,
                   size_t src_size, size_t dst_size, double slack)
{
    const struct gf_bench_group *g = gf_bench_group_of(op);
    const bool records = op->counts != NULL || op->records != NULL, near = g->rounding > 0;
    struct gf_io there = *io;

    if (check->problem[0] != '\0')
        return;
    memset(check->cpu, op->counts != NULL ? 0 : GF_CHECK_POISON, dst_size);
    memcpy(check->gpu, check->cpu, dst_size);
    if (gf_check_run_cpu(check, op, io, params) != 0
        || (check->on_gpu && gf_check_run_gpu(check, op, &there, params, src_size, dst_size) != 0)) {
        snprintf(check->problem, sizeof check->problem, "%s: %.300s", op->word, check->failure.text);
        return;
    }
    if (check->on_gpu && records && memcmp(check->cpu, check->gpu, dst_size) != 0)
        gf_check_report(check, "on a GPU: records differ", op, io, 0, 0, 0, 0, 0);
    else if (check->on_gpu && !records && near)
        compare_near(check, op, io, &there, g->rounding);
    else if (check->on_gpu && !records)
        compare_bits(check, op, io, &there, dst_size);
    if (!records && (!check->on_gpu || near))
        gf_check_untouched(check, op, check->on_gpu ? &there.dst : &io->dst, check->on_gpu ? check->gpu : check->cpu,
                           dst_size);
    if (slack < 0 || check->problem[0] != '\0' || (check->on_gpu && !near && !check->thorough))
        return;
    gf_check_reference(check, op, check->on_gpu ? &there : io, params, slack + (check->on_gpu ? g->rounding : 0));
}

void gf_check_trial(struct gf_check *check, struct gf_trial *t, const struct gf_operation *op, const void *params,
                    struct gf_span in, struct gf_span out, int64_t out_width, const struct gf_form *to, double slack)
{
    size_t src_size, dst_size;

    t->io.src = gf_draw_block(check, t->form, t->form->channels, check->src, t->width, in);
    t->io.dst = gf_draw_block(check, to, t->store.out, check->cpu, out_width, out);
    t->io.src.pitch_samples = t->src_adjacent ? t->width : t->io.src.pitch_samples;
    t->io.dst.pitch_samples = t->dst_adjacent ? out_width : t->io.dst.pitch_samples;
    src_size = gf_check_block_bytes(&t->io.src);
    dst_size = gf_check_block_bytes(&t->io.dst);
    gf_draw_samples(check, &t->io.src, src_size, t->fill);
    gf_check_call(check, op, &t->io, params, src_size, dst_size, t->smooth ? slack : -1);
}

/* ---- the GPU ---- */

void gf_check_open_gpu(struct gf_check *check, int index)
{
    const struct gf_device_kind *k = &gf_device_cuda;
    struct gf_device *d = &check->device;
    struct gf_error *err = &check->failure;
    struct gf_device_facts facts;

    k->facts(index, &facts, check->gpu_why, sizeof check->gpu_why);
    if (!facts.present)
        return;
    d->kind = k;
    check->gpu_open = k->open(d, index, err) == 0 && k->alloc(d, GF_CHECK_ROOM, &check->gpu_src, err) == 0
                   && k->alloc(d, GF_CHECK_ROOM, &check->gpu_dst, err) == 0
                   && k->alloc(d, GF_CHECK_ROOM, &check->gpu_second, err) == 0
                   && k->alloc(d, sizeof check->carried[0], &check->gpu_carried, err) == 0;
    if (check->gpu_open)
        return;
    snprintf(check->gpu_why, sizeof check->gpu_why, "%.250s", err->text);
    gf_check_close_gpu(check);
}

int gf_check_set_pools(struct gf_check *check, float *masks, int64_t mask_count, float *tables, int64_t table_count)
{
    const struct gf_pools pools = { masks, tables, mask_count, table_count };

    check->masks = masks;
    check->tables = tables;
    return check->gpu_open ? check->device.kind->set_pools(&check->device, &pools, &check->failure) : 0;
}

void gf_check_close_gpu(struct gf_check *check)
{
    struct gf_device *d = &check->device;

    if (d->kind == NULL)
        return;
    d->kind->release(d, check->gpu_src);
    d->kind->release(d, check->gpu_dst);
    d->kind->release(d, check->gpu_second);
    d->kind->release(d, check->gpu_carried);
    d->kind->close(d);
    d->kind = NULL;
    check->gpu_open = false;
}
