/* The facts of all operations, a row each. */
#include "kernels/operations.h"

#include "kernels/geometry/resize.h"
#include "kernels/geometry/sample.h"
#include "kernels/geometry/yuv.h"
#include "kernels/gpu_scratch.h"
#include "kernels/neighbourhood/bilateral.h"
#include "kernels/neighbourhood/box.h"
#include "kernels/neighbourhood/conv.h"
#include "kernels/neighbourhood/fftconv.h"
#include "kernels/neighbourhood/hysteresis.h"
#include "kernels/neighbourhood/nonmax.h"
#include "kernels/neighbourhood/rank.h"
#include "kernels/neighbourhood/ssim.h"
#include "kernels/pixel/blend.h"
#include "kernels/pixel/noise.h"
#include "kernels/pixel/vignette.h"
#include "kernels/sound/echo.h"
#include "kernels/sound/fade.h"
#include "kernels/sound/limit.h"
#include "kernels/sound/recur.h"
#include "kernels/sound/resample.h"
#include "kernels/sound/spectrum.h"
#include "kernels/statistics/collect.h"
#include "kernels/statistics/loudness.h"
#include "kernels/statistics/reduce.h"

#include <math.h>
#include <stdio.h>

/* ---- records ---- */

static struct gf_records reduce_records(const void *params)
{
    const struct gf_reduce *r = params;

    return (struct gf_records) { r->block_units, r->channels, sizeof(struct gf_reduced), r->keep, r->joined };
}

static struct gf_records loudness_records(const void *params)
{
    const struct gf_loudness *l = params;

    return (struct gf_records) { l->block_units, l->channels, sizeof(struct gf_loudness_record), false, 0 };
}

static struct gf_records collect_records(const void *params)
{
    const struct gf_collect *k = params;

    return (struct gf_records) { 1, k->channels, (size_t)k->width * sizeof(float), true, k->joined };
}

static struct gf_records seams_records(const void *params)
{
    const struct gf_hysteresis *c = params;

    return (struct gf_records) { GF_HYSTERESIS_ROWS, 1, (size_t)c->width * 2 * sizeof(uint32_t), true, 0 };
}

/* ---- costs ---- */

static struct gf_cost light(double times)
{
    return (struct gf_cost) { .light = times };
}

/* Weights come on top of a light operation. */
static struct gf_cost conv_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_conv *conv = params;

    (void)in, (void)out;
    return (struct gf_cost) { 1, conv->full ? conv->nx * conv->ny : conv->nx + conv->ny };
}

/* The rows are as wide as they were when they are summed. */
static struct gf_cost resize_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_resize *r = params;

    return (struct gf_cost) { 1, r->x.taps + r->y.taps * (double)in->width / (double)out->width };
}

static struct gf_cost resample_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    (void)in, (void)out;
    return (struct gf_cost) { 1, ((const struct gf_resample *)params)->taps };
}

/* A median of a large square takes long; of samples that are not bytes, longer with its side. */
static struct gf_cost rank_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_rank *rank = params;

    (void)in;
    if (rank->pick != GF_RANK_MIDDLE)
        return light(2);
    if (rank->radius <= 4)
        return light(1 + rank->radius);
    return light(out->type == GF_U8 ? 16 : 16 + 4.0 * rank->radius);
}

/* Each pixel of the square has a weight of its own, for all channels. */
static struct gf_cost bilateral_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_bilateral *b = params;
    const double side = 2 * b->radius + 1;

    (void)in;
    return light(1 + side * side * (3 + b->channels) / out->channels / 8);
}

/* Pieces are found once for each of the two. */
static struct gf_cost pieces_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    (void)params, (void)in, (void)out;
    return light(3);
}

static struct gf_cost window_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    (void)params, (void)in, (void)out;
    return light(4);
}

/*
 * What follows was timed on a core: stereo of 48 kHz, beside the mean of unpacking with a gain and of
 * packing. A section took 4.6 to 5.1 light operations; limiting 7.6 with 5 ms ahead and 8.5 with 50.
 */
static struct gf_cost recur_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    (void)in, (void)out;
    return light(5 * ((const struct gf_recur *)params)->sections);
}

static struct gf_cost limit_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    (void)params, (void)in, (void)out;
    return light(8);
}

/* Two sections, of which the second has no weights of its own for what comes in, and several runs beside each other: 5. */
static struct gf_cost loudness_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    (void)params, (void)in, (void)out;
    return light(5);
}

static struct gf_cost noise_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    (void)in, (void)out;
    return light(((const struct gf_noise *)params)->shape == GF_NOISE_GAUSSIAN ? 3 : 1.5);
}

/* Colours of 8 bits, opaque, beside the mean of unpacking and of packing: normal took 1.9, differences 2.0, softlight 2.8. */
static struct gf_cost blend_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_blend *p = params;

    (void)in, (void)out;
    return light(p->mode == GF_BLEND_NORMAL || p->mode >= GF_BLEND_MASK ? 2 : 2.5);
}

/* One echo 0.7, three 1.2. */
static struct gf_cost echo_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    (void)in, (void)out;
    return light(0.5 + 0.25 * ((const struct gf_echo *)params)->count);
}

/* A transform and its inverse, of which `step` samples in `size` are new: 960 taps took 13, 9600 took 21, 96000 took 32. */
static struct gf_cost fftconv_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_fftconv *f = params;

    (void)in, (void)out;
    return light((log2((double)f->size) + f->parts) * (double)f->size / (double)f->step);
}

/* A transform for each window of a row: 55 with 6 windows of 2048 frames, 22 with 2 of 8192. */
static struct gf_cost spectrum_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_spectrum *s = params;

    (void)in, (void)out;
    return light(s->windows * log2(s->size));
}

/* Eight sums of eleven in double, for two samples of the result: 12 to 14. */
static struct gf_cost ssim_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    (void)params, (void)in, (void)out;
    return light(12);
}

/* ---- words ---- */

static void describe_conv(const void *params, char *text, size_t room)
{
    const struct gf_conv *conv = params;

    snprintf(text, room, ", %d by %d weights%s", conv->nx ? conv->nx : 1, conv->ny ? conv->ny : 1,
             conv->full || conv->nx == 0 || conv->ny == 0 ? "" : " in two directions");
}

/* ---- the table ---- */

/* What most bodies can do on a GPU: programs and packing ride in the store; and more, of packed samples. */
#define STORES { .stores_packed = true, .stores_program = true }
#define READS_AND_STORES { .reads = GF_READS_PACKED, .stores_packed = true, .stores_program = true }
#define LOADS_AND_STORES { .reads = GF_READS_PACKED, .loads = true, .stores_packed = true, .stores_program = true }
#define MOVES .moves = true, .keeps_layout = true, .cpu = { .reads = GF_READS_PACKED }, .cuda = { .reads = GF_READS_PACKED }

static const struct gf_op_facts facts[GF_OP_COUNT] = {
    [GF_OP_POINT] = { .word = "point", .cpu = READS_AND_STORES, .cuda = READS_AND_STORES },
    [GF_OP_CONV] = { .word = "conv", .cuda = LOADS_AND_STORES, .scratch_bytes = gf_conv_scratch_bytes, .cost = conv_cost,
                     .describe = describe_conv, .gpu_scratch_bytes = gf_gpu_scratch_conv },
    [GF_OP_SAMPLE] = { .word = "sample", .cuda = READS_AND_STORES, .scratch_bytes = gf_sample_scratch_bytes, .cost = window_cost,
                       .gpu_scratch_bytes = gf_gpu_scratch_programs },
    [GF_OP_MOVE] = { .word = "move", MOVES },
    [GF_OP_HISTOGRAM] = { .word = "histogram", .cuda = STORES },
    [GF_OP_REDUCE] = { .word = "reduce", .cuda = STORES, .records = reduce_records },
    [GF_OP_SCAN] = { .word = "scan", .cuda = STORES, .gpu_scratch_bytes = gf_gpu_scratch_scan },
    [GF_OP_YUV] = { .word = "yuv", .scratch_bytes = gf_yuv_scratch_bytes },
    [GF_OP_PAD] = { .word = "pad", MOVES },
    [GF_OP_BOX] = { .word = "box", .starts_anew = 1, .cuda = LOADS_AND_STORES, .scratch_bytes = gf_box_scratch_bytes,
                    .cost = window_cost, .gpu_scratch_bytes = gf_gpu_scratch_box },
    [GF_OP_BILATERAL] = { .word = "bilateral", .cuda = READS_AND_STORES, .scratch_bytes = gf_bilateral_scratch_bytes,
                          .cost = bilateral_cost, .gpu_scratch_bytes = gf_gpu_scratch_programs },
    [GF_OP_RESIZE] = { .word = "resize", .cpu = { .reads = GF_READS_PACKED, .stores_packed = true }, .cuda = LOADS_AND_STORES,
                       .scratch_bytes = gf_resize_scratch_bytes, .cost = resize_cost, .gpu_scratch_bytes = gf_gpu_scratch_resize },
    [GF_OP_TABLE_GRID] = { .word = "lattice", .cuda = STORES },
    [GF_OP_RANK] = { .word = "rank", .keeps_layout = true, .starts_anew = 1, .cpu = { .reads = GF_READS_INTEGERS },
                     .cuda = { .reads = GF_READS_INTEGERS }, .scratch_bytes = gf_rank_scratch_bytes, .cost = rank_cost,
                     .gpu_scratch_bytes = gf_gpu_scratch_rank },
    [GF_OP_PREFIX] = { .word = "prefix", .cpu = { .reads = GF_READS_PACKED, .stores_packed = true }, .cuda = READS_AND_STORES,
                       .gpu_scratch_bytes = gf_gpu_scratch_prefix },
    [GF_OP_RECUR] = { .word = "recur", .cuda = READS_AND_STORES, .cost = recur_cost, .gpu_scratch_bytes = gf_gpu_scratch_recur },
    [GF_OP_RESAMPLE] = { .word = "resample", .scratch_bytes = gf_resample_scratch_bytes, .cost = resample_cost,
                         .gpu_scratch_bytes = gf_gpu_scratch_resample },
    [GF_OP_LOUDNESS] = { .word = "loudness", .cuda = STORES, .scratch_bytes = gf_loudness_scratch_bytes,
                         .records = loudness_records, .cost = loudness_cost,
                         .gpu_scratch_bytes = gf_gpu_scratch_loudness },
    [GF_OP_SELECT] = { .word = "select", MOVES },
    [GF_OP_SHIFT] = { .word = "place", MOVES },
    [GF_OP_ECHO] = { .word = "echo", .cuda = STORES, .scratch_bytes = gf_echo_scratch_bytes, .cost = echo_cost,
                     .gpu_scratch_bytes = gf_gpu_scratch_programs },
    [GF_OP_FADE] = { .word = "fade", .cuda = STORES, .scratch_bytes = gf_fade_scratch_bytes,
                     .gpu_scratch_bytes = gf_gpu_scratch_programs },
    [GF_OP_LIMIT] = { .word = "limit", .cuda = STORES, .scratch_bytes = gf_limit_scratch_bytes, .cost = limit_cost,
                      .gpu_scratch_bytes = gf_gpu_scratch_limit },
    [GF_OP_NOISE] = { .word = "noise", .cuda = READS_AND_STORES, .scratch_bytes = gf_noise_scratch_bytes, .cost = noise_cost,
                      .gpu_scratch_bytes = gf_gpu_scratch_programs },
    [GF_OP_FFTCONV] = { .word = "fftconv", .cpu = { .reads = GF_READS_PACKED, .stores_packed = true }, .cuda = READS_AND_STORES,
                        .scratch_bytes = gf_fftconv_scratch_bytes, .cost = fftconv_cost, .gpu_scratch_bytes = gf_gpu_scratch_fftconv },
    [GF_OP_SPECTRUM] = { .word = "spectrum", .scratch_bytes = gf_spectrum_scratch_bytes, .cost = spectrum_cost },
    [GF_OP_BLEND] = { .word = "blend", .cpu = READS_AND_STORES, .cuda = READS_AND_STORES, .scratch_bytes = gf_blend_scratch_bytes,
                      .cost = blend_cost, .gpu_scratch_bytes = gf_gpu_scratch_programs },
    [GF_OP_NONMAX] = { .word = "thin", .starts_anew = true, .cuda = READS_AND_STORES, .scratch_bytes = gf_nonmax_scratch_bytes,
                       .gpu_scratch_bytes = gf_gpu_scratch_programs },
    [GF_OP_SEAMS] = { .word = "seams", .cuda = STORES, .scratch_bytes = gf_seams_scratch_bytes, .records = seams_records,
                      .cost = pieces_cost, .gpu_scratch_bytes = gf_gpu_scratch_seams },
    [GF_OP_HYSTERESIS] = { .word = "connect", .cuda = READS_AND_STORES, .scratch_bytes = gf_hysteresis_scratch_bytes,
                           .cost = pieces_cost, .gpu_scratch_bytes = gf_gpu_scratch_hysteresis },
    [GF_OP_VIGNETTE] = { .word = "vignette", .cuda = READS_AND_STORES, .scratch_bytes = gf_vignette_scratch_bytes,
                         .gpu_scratch_bytes = gf_gpu_scratch_programs },
    [GF_OP_SSIM] = { .word = "similar", .starts_anew = 4, .cuda = { .reads = GF_READS_PACKED },
                     .scratch_bytes = gf_ssim_scratch_bytes, .cost = ssim_cost },
    [GF_OP_COLLECT] = { .word = "collect", .cuda = STORES, .records = collect_records },
};

const struct gf_op_facts *gf_op_facts(enum gf_op op)
{
    return &facts[op];
}

const char *gf_op_word(enum gf_op op)
{
    return facts[op].word;
}

struct gf_records gf_op_records(enum gf_op op, const void *params)
{
    return facts[op].records != NULL ? facts[op].records(params) : (struct gf_records) { .block_units = 1 };
}

size_t gf_op_scratch_bytes(enum gf_op op, const void *params, const struct gf_io *shape)
{
    return facts[op].scratch_bytes != NULL ? facts[op].scratch_bytes(shape, params) : 0;
}

size_t gf_op_gpu_scratch_bytes(enum gf_op op, const void *params, const struct gf_io *shape)
{
    return facts[op].gpu_scratch_bytes != NULL ? facts[op].gpu_scratch_bytes(shape, params) : 0;
}

struct gf_cost gf_op_cost(enum gf_op op, const void *params, const struct gf_format *in, const struct gf_format *out)
{
    return facts[op].cost != NULL ? facts[op].cost(params, in, out) : light(1);
}
