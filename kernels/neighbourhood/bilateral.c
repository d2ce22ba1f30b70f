/* Bilateral means on a CPU: padded rows, and the whole square for several adjacent pixels. */
#include "kernels/neighbourhood/bilateral.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"
#include "kernels/neighbourhood/bilateral_bytes.h"

#include <string.h>

#define SIDE_BY_SIDE 32                  /* pixels whose sums stay in registers or in the first-level cache */

/* Rows of the source, padded on all sides, by channel. */
struct rows {
    const float *data;                   /* the sample `radius` above and before the first pixel of the result */
    int64_t pitch, plane;
};

/* Sums of the channels, then of the weights, and the rounding errors of each. */
struct bilateral_sums {
    float sum[GF_BILATERAL_CHANNELS + 1][SIDE_BY_SIDE], lost[GF_BILATERAL_CHANNELS + 1][SIDE_BY_SIDE];
};

/* Adds pixels [from, to) of a row of the square, for `SIDE_BY_SIDE` pixels of the result. */
GF_INLINE void add_run(const float *row, int64_t plane, int64_t step, const float *const *v, const float *near,
                       int radius, float far, float steep, int from, int to, int channels, struct bilateral_sums *all)
{
    float run[GF_BILATERAL_CHANNELS + 1][SIDE_BY_SIDE] = { { 0 } };

    for (int i = from; i < to; i++) {
        const float *at = row + i * step, start = near[i < radius ? radius - i : i - radius] + far;

        for (int k = 0; k < SIDE_BY_SIDE; k++) {
            float d[GF_BILATERAL_CHANNELS], squares = 0.0f, w;

            for (int c = 0; c < channels; c++) {
                d[c] = at[c * plane + k] - v[c][k];
                squares = fmaf(d[c], d[c], squares);
            }
            w = gf_bilateral_weight(fmaf(squares, -steep, start));
            for (int c = 0; c < channels; c++)
                run[c][k] = fmaf(w, d[c], run[c][k]);
            run[channels][k] = run[channels][k] + w;
        }
    }
    for (int c = 0; c <= channels; c++)
        for (int k = 0; k < SIDE_BY_SIDE; k++)
            gf_exact_sum_add(&all->sum[c][k], &all->lost[c][k], run[c][k]);
}

/*
 * Computes `SIDE_BY_SIDE` pixels from `corner` on, of which n are needed. There are `step` samples from one column of
 * the square to the next, a constant in each call.
 */
GF_INLINE void few_pixels(const float *corner, const struct rows *from, const struct gf_bilateral *b, const float *near,
                          float *const *to, int64_t n, int channels, int64_t step)
{
    const int side = 2 * b->radius + 1;
    struct bilateral_sums all = { .sum = { { 0 } } };
    const float *v[GF_BILATERAL_CHANNELS];

    for (int c = 0; c < channels; c++)
        v[c] = corner + c * from->plane + b->radius * (from->pitch + step);
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i += GF_BILATERAL_RUN)
            add_run(corner + j * from->pitch, from->plane, step, v, near, b->radius,
                    near[j < b->radius ? b->radius - j : j - b->radius],
                    b->steep, i, side - i < GF_BILATERAL_RUN ? side : i + GF_BILATERAL_RUN, channels, &all);
    for (int c = 0; c <= channels; c++)
        for (int k = 0; k < SIDE_BY_SIDE; k++)
            all.sum[c][k] = all.sum[c][k] + all.lost[c][k];
    for (int c = 0; c < channels; c++) {
        for (int k = 0; k < SIDE_BY_SIDE; k++)
            all.sum[c][k] = v[c][k] + all.sum[c][k] / all.sum[channels][k];
        memcpy(to[c], all.sum[c], (size_t)n * sizeof(float));
    }
}

/* Computes row y of the result. */
GF_CLONES
static void one_row(const struct rows *from, const struct gf_bilateral *b, const float *near, int64_t y, int64_t width,
                    float *const *to)
{
    for (int64_t x = 0; x < width; x += SIDE_BY_SIDE) {
        const int64_t n = width - x < SIDE_BY_SIDE ? width - x : SIDE_BY_SIDE;
        const float *corner = from->data + y * from->pitch + x;
        float *at[GF_BILATERAL_CHANNELS] = { to[0] + x };

        for (int c = 1; c < b->channels; c++)
            at[c] = to[c] + x;
        switch (b->channels) {
        case 1: few_pixels(corner, from, b, near, at, n, 1, 1); break;
        case 2: few_pixels(corner, from, b, near, at, n, 2, 1); break;
        case 3: few_pixels(corner, from, b, near, at, n, 3, 1); break;
        default: few_pixels(corner, from, b, near, at, n, 4, 1); break;
        }
    }
}

_Static_assert(SIDE_BY_SIDE == GF_BILATERAL_WINDOWS, "windows are computed side by side");

GF_CLONES
static void windows_of_bytes(const struct rows *from, const struct gf_bilateral *b, const float *near, float *to)
{
    few_pixels(from->data, from, b, near, &to, SIDE_BY_SIDE, 1, GF_BILATERAL_WINDOWS);
}

void gf_bilateral_windows(const float *windows, const struct gf_bilateral *b, const float *near, float *to)
{
    const struct rows from = { windows, (2 * b->radius + 1) * GF_BILATERAL_WINDOWS, 0 };

    windows_of_bytes(&from, b, near, to);
}

/* ---- a call ---- */

/* Scratch, in floats. */
struct scratch_sizes {
    int64_t pitch, plane;                /* of the padded rows */
    size_t padded, source, result;
};

static struct scratch_sizes sizes_of(const struct gf_io *io, const struct gf_bilateral *b)
{
    const int64_t rows = gf_span_units(io->dst.span) + 2 * b->radius, all = gf_span_units(io->src.span);
    struct scratch_sizes s = { .pitch = io->dst.width + 2 * b->radius + SIDE_BY_SIDE };

    s.plane = s.pitch * rows;
    s.padded = (size_t)(s.plane * b->channels);
    s.source = gf_planar_source_samples(io, rows < all && b->border != GF_WRAP ? rows : all);
    s.result = gf_planar_result_samples(io, io->load ? io->load->out : io->src.channels);
    return s;
}

static size_t bilateral_scratch(const struct gf_io *io, const void *params)
{
    const struct scratch_sizes s = sizes_of(io, params);
    const size_t floats = (s.padded + s.source + s.result) * sizeof(float);
    const size_t bytes = gf_bilateral_bytes_scratch(io, params);

    return floats > bytes ? floats : bytes;
}

/*
 * Fills a padded row with unit y of channel c, or its replacement, and the samples beyond its ends.
 * Unused samples are 0.
 */
static void pad_row(const struct gf_io *io, const struct gf_block *src, const struct gf_bilateral *b, int c, int64_t y,
                    float *to, int64_t pitch)
{
    const int64_t width = io->dst.width, at = gf_border_index(b->border, y, io->src_units);
    const float *from = at < 0 ? NULL : gf_plane_at(src, c, at);

    memset(to, 0, (size_t)pitch * sizeof *to);
    if (from != NULL)
        gf_border_copy(from, width, sizeof *to, b->border, -b->radius, width + 2 * b->radius, to);
}

int gf_bilateral_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_bilateral *b = params;
    const struct scratch_sizes s = sizes_of(io, b);
    float *padded = work->scratch;
    const struct rows from = { padded, s.pitch, s.plane };
    struct gf_block src, dst;

    if (work->scratch_bytes < bilateral_scratch(io, b))
        return gf_fail(err, GF_FAILED, "internal error: bilateral has too little scratch memory");
    if (gf_bilateral_bytes_fits(io, b) && gf_bilateral_bytes_runs(work, b)) {
        gf_bilateral_bytes_run(work, io, b, work->scratch);
        return 0;
    }
    src = gf_planar_source(work, io, gf_span_around(io, b->radius, b->radius, b->border), padded + s.padded);
    dst = gf_planar_result(io, src.channels, padded + s.padded + s.source);
    for (int c = 0; c < b->channels; c++)
        for (int64_t y = dst.span.start - b->radius; y < dst.span.end + b->radius; y++)
            pad_row(io, &src, b, c, y, padded + c * s.plane + (y - dst.span.start + b->radius) * s.pitch, s.pitch);
    for (int64_t y = dst.span.start; y < dst.span.end; y++) {
        float *to[GF_BILATERAL_CHANNELS];

        for (int c = 0; c < b->channels; c++)
            to[c] = gf_plane_at(&dst, c, y);
        one_row(&from, b, work->masks + b->near_at, y - dst.span.start, dst.width, to);
        for (int c = b->channels; c < dst.channels; c++)
            memcpy(gf_plane_at(&dst, c, y), gf_plane_at(&src, c, y), (size_t)dst.width * sizeof(float));
    }
    gf_planar_finish(work, io, &dst);
    return 0;
}

/* Each pixel of the square has its own weight, the same for all channels. Returns the pixels times their work. */
static double bilateral_work(const struct gf_bilateral *b, const struct gf_format *out)
{
    const double side = 2 * b->radius + 1;

    return side * side * (3 + b->channels) / out->channels;
}

/* Gray bytes cost what processors with AVX-512 take for them. */
static struct gf_cost bilateral_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const bool gray_bytes = in->type == GF_U8 && out->type == GF_U8 && out->channels == 1;

    return (struct gf_cost) { .light = 1 + (gray_bytes ? 0.09 : 0.35) * bilateral_work(params, out) };
}

static struct gf_cost bilateral_gpu_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    (void)in;
    return (struct gf_cost) { .light = 1 + 0.09 * bilateral_work(params, out) };
}

static bool at_once(const void *params, const struct gf_format *f)
{
    struct gf_io io = { .src = gf_block_packed(NULL, f, (struct gf_span) { 0, 0 }) };

    io.dst = io.src;
    return gf_bilateral_bytes_fits(&io, params);
}

const struct gf_operation gf_op_bilateral = {
    .word = "bilateral", .text = "Means of neighbors, weighted by their similarity.",
    .params_bytes = sizeof(struct gf_bilateral),
    .cpu = { .body = gf_bilateral_cpu, .scratch_bytes = bilateral_scratch, .cost = bilateral_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_bilateral_cuda), GF_OP_READS_AND_STORES,
              .scratch_bytes = gf_gpu_scratch_programs, .cost = bilateral_gpu_cost },
    .at_once = at_once,
};
