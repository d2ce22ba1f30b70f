/* One call of a body on each device: what a CPU gives against slow answers, what a GPU gives against that, bit by bit. */
#include "bench/check/check_compare.h"

#include "bench/check/check_slow.h"
#include "kernels/geometry/sample.h"
#include "kernels/neighbourhood/bilateral.h"
#include "kernels/neighbourhood/conv.h"
#include "kernels/operations.h"
#include "kernels/sound/spectrum.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gf_device gf_gpu;
bool gf_gpu_open;
char gf_gpu_why[300], gf_trouble[400];
unsigned char *gf_cpu_bytes, *gf_gpu_bytes;
double gf_carried[3][GF_MAX_CHANNELS * 300];
size_t gf_carried_bytes;
double gf_rounding;
struct gf_error gf_failure;

unsigned char *gf_beside_bytes;
size_t gf_beside_size;

static void *gpu_src, *gpu_dst, *gpu_beside, *gpu_carried;

/* "3 1.2.4": the kinds of a program's steps, with what PICK picks. */
static const char *kinds(const struct gf_point *p, char *text, size_t room)
{
    size_t at = 0;

    text[0] = '\0';
    for (int i = 0; p != NULL && i < p->count && at + 40 < room; i++) {
        const struct gf_point_step *s = &p->step[i];

        at += (size_t)snprintf(text + at, room - at, "%s%d(%d to %d)", i ? " " : "", (int)s->kind, s->channels, s->outs);
        for (int o = 0; s->kind == GF_POINT_PICK && o < s->outs && at + 8 < room; o++)
            at += (size_t)snprintf(text + at, room - at, ",%d", s->pick[o]);
    }
    return text;
}

void gf_complain(const char *what, const struct gf_operation *op, const struct gf_io *io, int c, int64_t x, int64_t y, double got, double wanted)
{
    const struct gf_block *s = &io->src, *d = &io->dst;
    char load[200], store[200];

    if (gf_trouble[0] == '\0')
        snprintf(gf_trouble, sizeof gf_trouble,
                 "%s %s: channel %d at %" PRId64 ", %" PRId64 " is %.9g, not %.9g (%" PRId64 " by %" PRId64
                 " of type %d%s, %d channels, units %" PRId64 " to %" PRId64 " of type %d%s, load %s, store %s)",
                 op->word, what, c, x, y, got, wanted, s->width, io->src_units, (int)s->type, s->planar ? " planar" : "",
                 s->channels, d->span.start, d->span.end, (int)d->type, d->planar ? " planar" : "",
                 kinds(io->load, load, sizeof load), kinds(io->store, store, sizeof store));
}

/*
 * Near a jump of a table or of nearest neighbours two answers are right; those cases are left to
 * the bits. `slack` is a part of the largest value, which a sum may have gone through although
 * little is left of it: for a convolution and a bilateral mean, those that come in count too.
 */
static void compare_slow(const struct gf_operation *op, const struct gf_io *io, const void *params, double slack)
{
    const double step = gf_step_of(&io->dst);
    const bool differences = op == &gf_op_conv || op == &gf_op_bilateral;
    double wanted[GF_MAX_CHANNELS + 4], seen[GF_MAX_CHANNELS + 4], largest = 1e-3;

    for (int pass = 0; pass < 2; pass++)
        for (int64_t y = io->dst.span.start; y < io->dst.span.end; y++)
            for (int64_t x = 0; x < io->dst.width; x++) {
                gf_slow(op, io, params, x, y, wanted);
                if (differences && pass == 0)
                    gf_loaded(io, x, y, seen);
                for (int c = 0; differences && pass == 0 && c < io->src.channels; c++)
                    largest = fabs(seen[c]) > largest ? fabs(seen[c]) : largest;
                for (int c = 0; c < io->dst.channels; c++) {
                    const double got = gf_get(&io->dst, c, x, y),
                                 w = step > 0 ? gf_clamp(wanted[c], io->dst.type == GF_U8 || io->dst.type == GF_U16 ? 0 : -1,
                                                         1) : wanted[c];

                    if (pass == 0)
                        largest = fabs(w) > largest ? fabs(w) : largest;
                    else if (!(fabs(got - w) <= slack * largest + 1.001 * step))
                        gf_complain("on a CPU", op, io, c, x, y, got, w);
                }
            }
}

bool gf_same_value(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

/* Samples first, for the words; then every byte around them. */
static void compare_bits(const struct gf_operation *op, const struct gf_io *cpu, const struct gf_io *cuda, const unsigned char *a,
                         const unsigned char *b, size_t bytes)
{
    bool nan = false;

    for (int64_t y = cpu->dst.span.start; y < cpu->dst.span.end; y++)
        for (int64_t x = 0; x < cpu->dst.width; x++)
            for (int c = 0; c < cpu->dst.channels; c++) {
                const double v = gf_get(&cpu->dst, c, x, y), w = gf_get(&cuda->dst, c, x, y);

                nan = nan || v != v;
                if (!gf_same_value(v, w))
                    gf_complain("on a GPU", op, cpu, c, x, y, w, v);
            }
    if (!nan && memcmp(a, b, bytes) != 0 && gf_trouble[0] == '\0')
        snprintf(gf_trouble, sizeof gf_trouble, "%s: bytes beyond the result differ", op->word);
}

/* Texture units weigh in their own way, but not another way by more than one step of what is stored. */
static void compare_steps(const struct gf_operation *op, const struct gf_io *cpu, const struct gf_io *cuda)
{
    for (int64_t y = cpu->dst.span.start; y < cpu->dst.span.end; y++)
        for (int64_t x = 0; x < cpu->dst.width; x++)
            for (int c = 0; c < cpu->dst.channels; c++) {
                const double v = gf_get(&cpu->dst, c, x, y), w = gf_get(&cuda->dst, c, x, y);

                if (!(fabs(v - w) <= 1.001 * gf_step_of(&cpu->dst)))
                    gf_complain("on a GPU, coarse", op, cpu, c, x, y, w, v);
            }
}

/* Each device rounds in its own way: within a part of the largest result. */
static void compare_nearly(const struct gf_operation *op, const struct gf_io *cpu, const struct gf_io *cuda, double slack)
{
    double largest = 1e-3;

    for (int pass = 0; pass < 2; pass++)
        for (int64_t y = cpu->dst.span.start; y < cpu->dst.span.end; y++)
            for (int64_t x = 0; x < cpu->dst.width; x++)
                for (int c = 0; c < cpu->dst.channels; c++) {
                    const double v = gf_get(&cpu->dst, c, x, y), w = gf_get(&cuda->dst, c, x, y);

                    if (pass == 0)
                        largest = fmax(largest, fabs(v));
                    else if (!(fabs(v - w) <= slack * largest))
                        gf_complain("on a GPU, nearly", op, cpu, c, x, y, w, v);
                }
}

/* Poison must stand wherever no sample of dst lies. */
void gf_check_poison(const struct gf_operation *op, const struct gf_block *d, const unsigned char *bytes, size_t size)
{
    const size_t sample = gf_type_bytes(d->type), row = (size_t)d->width * (size_t)(d->planar ? 1 : d->channels) * sample;
    const size_t first = (size_t)((const unsigned char *)d->data - bytes);
    unsigned char *seen = calloc(size, 1);

    for (int c = 0; c < (d->planar ? d->channels : 1); c++)
        for (int64_t y = 0; y < gf_span_units(d->span); y++)
            memset(seen + first + (size_t)(c * d->plane_samples + y * d->pitch_samples) * sample, 1, row);
    for (size_t i = 0; i < size; i++)
        if (!seen[i] && bytes[i] != GF_POISON && gf_trouble[0] == '\0')
            snprintf(gf_trouble, sizeof gf_trouble, "%s: byte %zu beyond the result was written", op->word, i);
    free(seen);
}

int gf_run_cpu(const struct gf_operation *op, const struct gf_io *io, const void *params)
{
    struct gf_work w = { .masks = gf_masks, .tables = gf_tables, .scratch_bytes = gf_op_scratch_bytes(&op->cpu, params, io) };
    int result;

    w.carry = memcpy(gf_carried[1], gf_carried[0], gf_carried_bytes);
    w.scratch = aligned_alloc(64, (w.scratch_bytes + 127) / 64 * 64);
    result = op->cpu.body(&w, io, params, &gf_failure);
    free(w.scratch);
    return result;
}

/* The plan counts what a body borrows; it may say more, but not less. */
static void check_borrowed(const struct gf_operation *op, const struct gf_io *io, const void *params)
{
    const size_t most = gf_gpu.kind->borrowed(&gf_gpu), said = gf_op_scratch_bytes(&op->cuda, params, io);

    if (most > said && gf_trouble[0] == '\0')
        snprintf(gf_trouble, sizeof gf_trouble, "%s: %zu bytes were borrowed on a GPU, not %zu at most (%" PRId64 " by %" PRId64 ", %d channels)",
                 op->word, most, said, io->src.width, gf_span_units(io->dst.span), io->src.channels);
}

/* Makes the same call in the memory of the GPU, which mirrors ours: src at its place, `dst_bytes` of results around dst. */
int gf_run_gpu(const struct gf_operation *op, struct gf_io *io, const void *params, size_t src_size, size_t dst_size)
{
    const struct gf_device_kind *k = &gf_device_cuda;
    struct gf_work w = k->work(&gf_gpu);
    struct gf_io there = *io;
    const size_t src_at = (size_t)((unsigned char *)io->src.data - gf_src_bytes);
    const size_t dst_at = (size_t)((unsigned char *)io->dst.data - gf_cpu_bytes);

    there.src.data = (char *)gpu_src + src_at;
    there.dst.data = (char *)gpu_dst + dst_at;
    io->dst.data = gf_gpu_bytes + dst_at;
    if (gf_beside_size > 0)
        there.beside.data = (char *)gpu_beside + ((unsigned char *)io->beside.data - gf_beside_bytes);
    w.carry = gpu_carried;
    k->borrowed(&gf_gpu);
    if (k->upload(&gf_gpu, gpu_src, gf_src_bytes, src_size, &gf_failure) != 0
        || k->upload(&gf_gpu, gpu_beside, gf_beside_bytes, gf_beside_size, &gf_failure) != 0
        || k->upload(&gf_gpu, gpu_carried, gf_carried[0], gf_carried_bytes, &gf_failure) != 0
        || k->upload(&gf_gpu, gpu_dst, gf_gpu_bytes, dst_size, &gf_failure) != 0
        || gf_device_body(k, op)(&w, &there, params, &gf_failure) != 0 || k->wait(&gf_gpu, &gf_failure) != 0
        || k->download(&gf_gpu, gf_gpu_bytes, gpu_dst, dst_size, &gf_failure) != 0
        || k->download(&gf_gpu, gf_carried[2], gpu_carried, gf_carried_bytes, &gf_failure) != 0)
        return -1;
    check_borrowed(op, io, params);
    return 0;
}

/* One call on a device; slack < 0: only the bits count. */
void gf_try_call(bool on_gpu, const struct gf_operation *op, const struct gf_io *io, const void *params, size_t src_size, size_t dst_size,
                     double slack)
{
    struct gf_io there = *io;

    if (gf_trouble[0] != '\0')
        return;
    memset(gf_cpu_bytes, GF_POISON, dst_size);
    if (op->counts != NULL)
        memset(gf_cpu_bytes, 0, dst_size);
    memcpy(gf_gpu_bytes, gf_cpu_bytes, dst_size);
    if (gf_run_cpu(op, io, params) != 0 || (on_gpu && gf_run_gpu(op, &there, params, src_size, dst_size) != 0)) {
        snprintf(gf_trouble, sizeof gf_trouble, "%s: %.300s", op->word, gf_failure.text);
        return;
    }
    if (op->counts != NULL || op->records != NULL) {
        if (on_gpu && memcmp(gf_cpu_bytes, gf_gpu_bytes, dst_size) != 0)
            gf_complain("on a GPU: records differ", op, io, 0, 0, 0, 0, 0);
        return;
    }
    if (op == &gf_op_spectrum) {                  /* each FFT rounds in its own way */
        const double off = gf_spectrum_error(on_gpu ? &there : io, params);

        if (!(off < 1e-5))
            gf_complain(on_gpu ? "on a GPU" : "on a CPU", op, io, 0, 0, io->dst.span.start, off, 0);
        gf_check_poison(op, on_gpu ? &there.dst : &io->dst, on_gpu ? gf_gpu_bytes : gf_cpu_bytes, dst_size);
        return;
    }
    if (on_gpu && gf_rounding > 0) {
        compare_nearly(op, io, &there, gf_rounding);
        gf_check_poison(op, &there.dst, gf_gpu_bytes, dst_size);
        return;
    }
    if (on_gpu && op == &gf_op_sample && ((const struct gf_sample *)params)->coarse) {
        compare_steps(op, io, &there);
        gf_check_poison(op, &there.dst, gf_gpu_bytes, dst_size);
        return;
    }
    if (on_gpu) {
        compare_bits(op, io, &there, gf_cpu_bytes, gf_gpu_bytes, dst_size);
        return;
    }
    gf_check_poison(op, &io->dst, gf_cpu_bytes, dst_size);
    if (slack >= 0)
        compare_slow(op, io, params, slack);
}

void gf_open_gpu(void)
{
    const struct gf_device_kind *k = &gf_device_cuda;
    struct gf_device_facts facts;

    k->facts(0, &facts, gf_gpu_why, sizeof gf_gpu_why);
    if (!facts.present)
        return;
    gf_gpu.kind = k;
    if (k->open(&gf_gpu, 0, &gf_failure) != 0 || k->alloc(&gf_gpu, GF_ROOM, &gpu_src, &gf_failure) != 0
        || k->alloc(&gf_gpu, GF_ROOM, &gpu_dst, &gf_failure) != 0 || k->alloc(&gf_gpu, GF_ROOM, &gpu_beside, &gf_failure) != 0
        || k->alloc(&gf_gpu, sizeof gf_carried[0], &gpu_carried, &gf_failure) != 0) {
        snprintf(gf_gpu_why, sizeof gf_gpu_why, "%.250s", gf_failure.text);
        return;
    }
    gf_gpu_open = true;
}

int gf_set_pools(float *masks, int64_t mask_count, float *tables, int64_t table_count)
{
    const struct gf_pools pools = { masks, tables, mask_count, table_count };

    gf_masks = masks;
    gf_tables = tables;
    return gf_gpu_open ? gf_gpu.kind->set_pools(&gf_gpu, &pools, &gf_failure) : 0;
}

void gf_close_gpu(void)
{
    if (!gf_gpu_open)
        return;
    gf_gpu.kind->release(&gf_gpu, gpu_src);
    gf_gpu.kind->release(&gf_gpu, gpu_dst);
    gf_gpu.kind->release(&gf_gpu, gpu_beside);
    gf_gpu.kind->release(&gf_gpu, gpu_carried);
    gf_gpu.kind->close(&gf_gpu);
}
