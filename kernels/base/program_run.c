/* The point operation: loads samples, runs programs on them, and stores them. */
#include "kernels/base/program_run.h"

#include "kernels/base/byte_table.h"
#include "kernels/base/convert.h"
#include "kernels/base/luma.h"
#include "kernels/base/pack.h"
#include "kernels/base/program_steps.h"
#include "kernels/base/word_table.h"

#include <string.h>

/*
 * Moves rows that are in planes of dst, but not in their own, to free rows; storing would overwrite
 * them.
 */
static void leave_planes(const struct gf_block *dst, int64_t unit, int64_t x, int64_t n, float **row, float *room,
                         int64_t piece)
{
    for (int c = 0; c < dst->channels; c++)
        for (int p = 0; p < dst->channels; p++)
            if (p != c && row[c] == gf_plane_at(dst, p, unit) + x) {
                memcpy(room + p * piece, row[c], (size_t)n * sizeof *room);
                row[c] = room + p * piece;
            }
}

/*
 * Runs n pixels from (x, unit) on: load, both programs, store. Planar results are computed in place.
 * `floats` replaces the first steps; NULL: it replaces none.
 */
static void convert(const struct gf_work *work, const struct gf_io *io, const struct gf_byte_floats *floats, int widest,
                    int64_t unit, int64_t x, int64_t n)
{
    _Alignas(64) float room[GF_RUN_SAMPLES];
    float *row[GF_MAX_CHANNELS + GF_POINT_MATRIX_MAX];
    const int64_t piece = GF_RUN_SAMPLES / widest / 16 * 16 < GF_RUN_PIXELS ? GF_RUN_SAMPLES / widest / 16 * 16
                          : GF_RUN_PIXELS;

    for (int64_t end = x + n, m; x < end; x += m) {
        m = end - x < piece ? end - x : piece;
        for (int c = 0; c < widest; c++)
            row[c] = io->dst.planar && c < io->dst.channels ? gf_plane_at(&io->dst, c, unit) + x : room + c * piece;
        if (floats != NULL)
            gf_byte_floats_load(floats, &io->src, unit, x, m, row);
        else
            gf_load_pixels(&io->src, unit, x, m, row);
        gf_point_run(floats != NULL ? &floats->rest : io->load, work->tables, row, m);
        gf_point_run(io->store, work->tables, row, m);
        if (io->dst.planar)
            leave_planes(&io->dst, unit, x, m, row, room, piece);
        gf_store_pixels(&io->dst, unit, x, m, (const float *const *)row);
    }
}

/* A call whose programs may be changed. */
struct own_call {
    struct gf_io io;
    struct gf_point load, store;
};

static void own(struct own_call *call, const struct gf_io *io)
{
    const struct gf_point *load = io->load, *store = io->store;

    call->io = *io;
    gf_point_init(&call->load, io->src.channels);
    gf_point_init(&call->store, io->dst.channels);
    call->load = load != NULL ? *load : call->load;
    call->store = store != NULL ? *store : call->store;
    call->io.load = &call->load;
    call->io.store = &call->store;
}

/* Lets the last step know that its results are stored in 8 bits. */
static void prepare_bytes(struct own_call *call)
{
    struct gf_point *last = call->store.count > 0 ? &call->store : &call->load;

    if (!call->io.dst.planar && call->io.dst.type == GF_U8 && call->io.dst.maxval == 255 && last->count > 0
        && last->step[last->count - 1].kind == GF_POINT_SRGB)
        last->step[last->count - 1].bins = GF_BYTE_BINS;
}

static void flatten_block(struct gf_block *b)
{
    b->width *= b->channels;
    b->channels = 1;
}

static void flatten_program(struct gf_point *p)
{
    p->in = p->out = 1;
    for (int i = 0; i < p->count; i++)
        p->step[i].channels = 1;
}

/* Makes packed pixels samples of one channel if programs treat all alike: then no channels are separated. */
static void flatten(struct own_call *call)
{
    struct gf_io *io = &call->io;
    const int channels = io->src.channels;

    if (io->src.planar || io->dst.planar || io->dst.channels != channels
        || !gf_point_is_uniform(&call->load, channels) || !gf_point_is_uniform(&call->store, channels))
        return;
    flatten_block(&io->src);
    flatten_block(&io->dst);
    flatten_program(&call->load);
    flatten_program(&call->store);
}

static void run_call(const struct gf_work *work, const struct gf_io *io)
{
    const int64_t units = gf_span_units(io->dst.span);
    const int widest = gf_point_widest_of(io);
    struct gf_byte_floats table;
    const struct gf_byte_floats *floats = gf_byte_floats_make(work, io, &table) ? &table : NULL;

    if (gf_block_is_run(&io->src) && gf_block_is_run(&io->dst)) {
        convert(work, io, floats, widest, io->dst.span.start, 0, units * io->dst.width);
    } else {
        for (int64_t u = io->dst.span.start; u < io->dst.span.end; u++)
            convert(work, io, floats, widest, u, 0, io->dst.width);
    }
}

/* If the scratch memory is that of the point operation, tables may be in it. */
static void apply(const struct gf_work *work, const struct gf_io *io, bool owns_scratch)
{
    struct own_call call;

    if (gf_convert_apply(io) || gf_byte_table_apply(work, io) || gf_luma_apply(work, io))
        return;
    own(&call, io);
    flatten(&call);
    prepare_bytes(&call);
    if (!owns_scratch || !gf_word_table_apply(work, &call.io))
        run_call(work, &call.io);
}

void gf_point_apply(const struct gf_work *work, const struct gf_io *io)
{
    apply(work, io, false);
}

int gf_point_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    (void)params;
    (void)err;
    apply(work, io, true);
    return 0;
}

static size_t point_scratch(const struct gf_io *shape, const void *params)
{
    struct own_call call;

    (void)params;
    own(&call, shape);
    flatten(&call);
    return gf_word_table_bytes(&call.io);
}

/* Unpacking and packing. The plan adds the programs. */
static struct gf_cost point_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    (void)params;
    return (struct gf_cost) { .light = (in->type != GF_F32 ? 0.8 : 0.3) * in->channels / out->channels
                                       + (out->type != GF_F32 ? 1.2 : 0.3) };
}

const struct gf_operation gf_op_point = {
    .word = "point",
    .text = "Changes each sample independently with a point program, and converts packed "
            "samples to floats and back. Used by all stages that need no neighbors, if no other "
            "operation can run their program.",
    .only_programs = true,
    .cpu = { .body = gf_point_cpu, GF_OP_READS_AND_STORES, .scratch_bytes = point_scratch, .cost = point_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_point_cuda), GF_OP_READS_AND_STORES },
};
