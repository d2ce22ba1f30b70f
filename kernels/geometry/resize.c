/*
 * Resizes on a CPU. Several rows of output are computed together: summed down the rows, transposed
 * so that a vector has the same column of each row, summed along, and transposed back.
 */
#include "kernels/geometry/resize.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/pack.h"
#include "kernels/base/planar.h"

#include <math.h>
#include <string.h>

/* Otherwise gcc combines two taps and then adds pixel by pixel, which is five times slower. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-loop-unroll-and-jam")
#endif

#define BLOCK 64                         /* outputs whose sums stay in registers */
#define RUN 256                          /* samples of a row that are summed before they are transposed */
#define LANES 16                         /* rows processed together */

/* ---- down the rows ---- */

/*
 * A block of one row: `count` taps that are `pitch` samples apart. `n` is a constant in every call
 * that matters.
 */
#define SUM_ROWS(name, ctype)                                                                                 \
    GF_INLINE void name##_block(const ctype *s, int64_t pitch, const float *w, int count, float scale,        \
                                float *restrict out, int n)                                                   \
    {                                                                                                         \
        float acc[BLOCK], sum[BLOCK];                                                                         \
        int k = 0;                                                                                            \
                                                                                                              \
        for (int i = 0; i < n; i++)                                                                           \
            sum[i] = 0.0f;                                                                                    \
        do {                                                                                                  \
            const int end = count - k > GF_RESIZE_CHUNK ? k + GF_RESIZE_CHUNK : count;                        \
                                                                                                              \
            for (int i = 0; i < n; i++)                                                                       \
                acc[i] = 0.0f;                                                                                \
            for (; k < end; k++, s += pitch)                                                                  \
                for (int i = 0; i < n; i++)                                                                   \
                    acc[i] = fmaf(w[k], (float)s[i], acc[i]);                                                 \
            for (int i = 0; i < n; i++)                                                                       \
                sum[i] = sum[i] + acc[i];                                                                     \
        } while (k < count);                                                                                  \
        for (int i = 0; i < n; i++)                                                                           \
            out[i] = sum[i] * scale;                                                                          \
    }                                                                                                         \
    GF_CLONES                                                                                                 \
    static void name(const ctype *s, int64_t pitch, const float *w, int count, float scale,                   \
                     float *restrict out, int64_t n)                                                          \
    {                                                                                                         \
        int64_t x = 0;                                                                                        \
                                                                                                              \
        for (; x + BLOCK <= n; x += BLOCK)                                                                    \
            name##_block(s + x, pitch, w, count, scale, out + x, BLOCK);                                      \
        if (x < n && n >= BLOCK)             /* the last block overlaps the previous one */                  \
            name##_block(s + n - BLOCK, pitch, w, count, scale, out + n - BLOCK, BLOCK);                      \
        else if (x < n)                                                                                       \
            name##_block(s, pitch, w, count, scale, out, (int)n);                                             \
    }
SUM_ROWS(sum_rows_u8, uint8_t)
SUM_ROWS(sum_rows_u16, uint16_t)
SUM_ROWS(sum_rows_f32, float)
#undef SUM_ROWS

/* ---- along them ---- */

/*
 * Computes outputs [from, to) from transposed rows, in which `group` floats take the place of one
 * sample.
 */
GF_INLINE void sum_along_groups(const float *restrict turned, const float *restrict entries, int64_t stride,
                                int64_t from, int64_t to,
                                float *restrict out, int group)
{
    for (int64_t x = from; x < to; x++, out += group) {
        const float *entry = entries + x * stride, *w = entry + GF_RESIZE_ENTRY;
        const float *s = turned + (int64_t)entry[0] * group;
        const int count = (int)entry[1];
        float acc[4 * LANES], sum[4 * LANES];
        int k = 0;

        for (int i = 0; i < group; i++)
            sum[i] = 0.0f;
        do {
            const int end = count - k > GF_RESIZE_CHUNK ? k + GF_RESIZE_CHUNK : count;

            for (int i = 0; i < group; i++)
                acc[i] = 0.0f;
            for (; k < end; k++, s += group)
                for (int i = 0; i < group; i++)
                    acc[i] = fmaf(w[k], s[i], acc[i]);
            for (int i = 0; i < group; i++)
                sum[i] = sum[i] + acc[i];
        } while (k < count);
        for (int i = 0; i < group; i++)
            out[i] = sum[i];
    }
}

GF_CLONES
static void sum_along(const float *turned, const float *entries, int64_t stride, int64_t from, int64_t to,
                      float *out, int channels)
{
    switch (channels) {
    case 1: sum_along_groups(turned, entries, stride, from, to, out, LANES); break;
    case 2: sum_along_groups(turned, entries, stride, from, to, out, 2 * LANES); break;
    case 3: sum_along_groups(turned, entries, stride, from, to, out, 3 * LANES); break;
    default: sum_along_groups(turned, entries, stride, from, to, out, 4 * LANES); break;
    }
}

/* Transposes LANES rows of n samples, RUN apart, to n groups of LANES, and back. */
GF_CLONES
static void turn(const float *restrict rows, int64_t n, float *restrict turned)
{
    for (int64_t i = 0; i < n; i++)
        for (int l = 0; l < LANES; l++)
            turned[i * LANES + l] = rows[l * RUN + i];
}

GF_CLONES
static void turn_back(const float *restrict turned, int64_t n, float *restrict rows)
{
    for (int l = 0; l < LANES; l++)
        for (int64_t i = 0; i < n; i++)
            rows[l * RUN + i] = turned[i * LANES + l];
}

/* ---- rows in, rows out ---- */

/* A call on one line of samples for each row: a plane, or all channels of packed pixels. */
struct resize_job {
    const struct gf_resize *r;
    const float *x_entries, *y_entries;
    struct gf_block src, dst;            /* one channel each, or width · channels if `channels` are interleaved */
    int channels;
    const struct gf_block *planes;       /* for interleaved channels that are stored as planes; otherwise NULL */
    float scale;
    float *rows, *turned, *sums;         /* LANES rows of RUN, the same transposed, and RUN transposed sums */
};

/* Sums samples [s, s + n) of row y down the rows. */
static void load_row(const struct resize_job *j, int64_t y, int64_t s, int64_t n, float *out)
{
    const struct gf_block *b = &j->src;
    const float *entry = j->y_entries + y * gf_resize_stride(&j->r->y), *w = entry + GF_RESIZE_ENTRY;
    int64_t at;

    if (j->r->y.taps == 0) {
        memcpy(out, gf_plane_at(b, 0, y) + s, (size_t)n * sizeof *out);
        return;
    }
    at = ((int64_t)entry[0] - b->span.start) * b->pitch_samples + s;
    if (b->type == GF_U8)
        sum_rows_u8((const uint8_t *)b->data + at, b->pitch_samples, w, (int)entry[1], j->scale, out, n);
    else if (b->type == GF_U16)
        sum_rows_u16((const uint16_t *)b->data + at, b->pitch_samples, w, (int)entry[1], j->scale, out, n);
    else
        sum_rows_f32((const float *)b->data + at, b->pitch_samples, w, (int)entry[1], j->scale, out, n);
}

/* Stores samples of row y from s on, where a pixel begins. */
static void store_row(const struct resize_job *j, int64_t y, int64_t s, int64_t n, const float *row)
{
    const int c = j->channels;

    if (j->planes == NULL) {
        gf_store_pixels(&j->dst, y, s, n, &row);
        return;
    }
    for (int k = 0; k < c; k++) {
        float *to = gf_plane_at(j->planes, k, y) + s / c;

        for (int64_t i = 0; i < n / c; i++)
            to[i] = row[i * c + k];
    }
}

/* Changes only the rows; nothing is transposed. */
static void make_row(const struct resize_job *j, int64_t y)
{
    const int64_t n = j->src.width, run = RUN / j->channels * j->channels;

    for (int64_t s = 0; s < n; s += run) {
        const int64_t some = n - s < run ? n - s : run;

        load_row(j, y, s, some, j->rows);
        store_row(j, y, s, some, j->rows);
    }
}

/* Computes rows [y, y + lanes). */
static void make_rows(const struct resize_job *j, int64_t y, int lanes)
{
    const int64_t places = RUN / j->channels, out_width = j->dst.width / j->channels;

    if (lanes < LANES)
        memset(j->rows, 0, LANES * RUN * sizeof *j->rows);
    for (int64_t s = 0; s < j->src.width; s += RUN) {
        const int64_t some = j->src.width - s < RUN ? j->src.width - s : RUN;

        for (int l = 0; l < lanes; l++)
            load_row(j, y + l, s, some, j->rows + l * RUN);
        turn(j->rows, some, j->turned + s * LANES);
    }
    for (int64_t x = 0; x < out_width; x += places) {
        const int64_t end = x + places < out_width ? x + places : out_width;

        sum_along(j->turned, j->x_entries, gf_resize_stride(&j->r->x), x, end, j->sums, j->channels);
        turn_back(j->sums, (end - x) * j->channels, j->rows);
        for (int l = 0; l < lanes; l++)
            store_row(j, y + l, x * j->channels, (end - x) * j->channels, j->rows + l * RUN);
    }
}

static void make_all(const struct resize_job *j, struct gf_span out)
{
    for (int64_t y = out.start; y < out.end; y += LANES) {
        const int lanes = out.end - y < LANES ? (int)(out.end - y) : LANES;

        if (j->r->x.taps > 0)
            make_rows(j, y, lanes);
        for (int l = 0; l < lanes && j->r->x.taps == 0; l++)
            make_row(j, y + l);
    }
}

/* ---- a call ---- */

static int channels_at_work(const struct gf_io *io)
{
    return io->load ? io->load->out : io->src.channels;
}

/* Returns the most units of the source that are read, or an upper bound. */
static int64_t source_units(const struct gf_io *io, const struct gf_resize *r)
{
    const int64_t units = gf_span_units(io->dst.span), all = gf_span_units(io->src.span);
    const int64_t most = r->y.taps == 0 ? units : gf_ceil_div(units * r->y.in, r->y.out) + 2 * r->y.taps;

    return most < all ? most : all;
}

/* Sizes of the scratch buffers of a call, in floats. */
struct scratch_sizes {
    size_t rows, turned, sums, source, result;
};

/* Packed samples are read as stored, and written as stored if nothing happens to them in between. */
static bool goes_packed(const struct gf_io *io)
{
    return !io->dst.planar && io->dst.channels == io->src.channels && gf_point_is_identity(io->store)
        && (io->dst.type == GF_U8 || io->dst.type == GF_U16 || io->dst.type == GF_F32);
}

static struct scratch_sizes sizes_of(const struct gf_io *io, const struct gf_resize *r, int64_t units)
{
    const bool stored = gf_resize_is_stored(io, r) && io->src.channels <= 4;
    struct scratch_sizes s = { .rows = LANES * RUN, .sums = LANES * RUN };

    s.turned = r->x.taps > 0 ? (size_t)(LANES * io->src.width * (stored ? io->src.channels : 1)) : 0;
    s.source = stored ? 0 : gf_padded_floats(gf_planar_source_samples(io, units));
    s.result = stored && goes_packed(io) ? 0 : gf_padded_floats(gf_planar_result_samples(io, channels_at_work(io)));
    return s;
}

static size_t bytes_of(struct scratch_sizes s)
{
    return (s.rows + s.turned + s.sums + s.source + s.result) * sizeof(float);
}

static size_t resize_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_resize *r = params;

    return bytes_of(sizes_of(io, r, source_units(io, r)));
}

/* Returns the units of the source for dst. */
static struct gf_span needed(const struct gf_io *io, const struct gf_resize *r, const float *entries)
{
    const float *first = entries + io->dst.span.start * gf_resize_stride(&r->y);
    const float *last = entries + (io->dst.span.end - 1) * gf_resize_stride(&r->y);

    if (r->y.taps == 0)
        return io->dst.span;
    return (struct gf_span) { (int64_t)first[0], (int64_t)last[0] + (int64_t)last[1] };
}

/* Views a block of one channel a plane, or of interleaved samples, as a line of samples for each unit. */
static struct gf_block line_of(const struct gf_block *b, int c, int together)
{
    struct gf_block line = *b;

    if (b->planar)
        line.data = gf_plane_at(b, c, b->span.start);
    line.width = b->width * together;
    line.channels = 1;
    return line;
}

static void resize_stored(struct resize_job *j, const struct gf_work *work, const struct gf_io *io, float *scratch)
{
    const int channels = io->src.channels;
    struct gf_block result = io->dst;

    j->src = line_of(&io->src, 0, channels);
    j->channels = channels;
    j->scale = 1.0f / (float)io->src.maxval;
    j->dst = line_of(&io->dst, 0, channels);
    if (!goes_packed(io)) {
        result = gf_planar_result(io, channels, scratch);
        j->planes = &result;
    }
    make_all(j, io->dst.span);
    if (!goes_packed(io))
        gf_planar_finish(work, io, &result);
}

static void resize_planes(struct resize_job *j, const struct gf_work *work, const struct gf_io *io, struct gf_span part,
                          float *source, float *scratch)
{
    const struct gf_block src = gf_planar_source(work, io, part, source),
                                dst = gf_planar_result(io, src.channels, scratch);

    j->channels = 1;
    j->scale = 1.0f;
    for (int c = 0; c < src.channels; c++) {
        j->src = line_of(&src, c, 1);
        j->dst = line_of(&dst, c, 1);
        make_all(j, io->dst.span);
    }
    gf_planar_finish(work, io, &dst);
}

int gf_resize_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_resize *r = params;
    const struct gf_span part = needed(io, r, work->tables + r->y.at);
    const struct scratch_sizes s = sizes_of(io, r, gf_span_units(part));
    float *scratch = work->scratch;
    struct resize_job j = { .r = r, .x_entries = work->tables + r->x.at, .y_entries = work->tables + r->y.at };

    if (work->scratch_bytes < bytes_of(s))
        return gf_fail(err, GF_FAILED, "internal error: resize has too little scratch memory");
    j.rows = scratch;
    j.sums = j.rows + s.rows;
    j.turned = j.sums + s.sums;
    scratch = j.turned + s.turned;
    if (gf_resize_is_stored(io, r) && io->src.channels <= 4)
        resize_stored(&j, work, io, scratch + s.source);
    else
        resize_planes(&j, work, io, part, scratch, scratch + s.source);
    return 0;
}

/* Rows keep their width while they are summed. */
static double weights_of(const struct gf_resize *r, const struct gf_format *in, const struct gf_format *out)
{
    return r->x.taps + r->y.taps * (double)in->width / (double)out->width;
}

static struct gf_cost resize_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    return (struct gf_cost) { 5, 1.9 * weights_of(params, in, out) };
}

static struct gf_cost resize_gpu_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    return (struct gf_cost) { 1, weights_of(params, in, out) };
}

/* The slow path, if no tile has room for the weights: full rows first, then the result. */
static size_t resize_gpu_scratch(const struct gf_io *io, const void *params)
{
    const int channels = gf_gpu_channels_at_work(io);
    const int64_t units = gf_span_units(io->dst.span);

    (void)params;
    return (size_t)(gf_gpu_loaded_bytes(io, false, gf_span_units(io->src.span))
                    + gf_gpu_plane_bytes(&io->src, channels, units)
                    + gf_gpu_plane_bytes(&io->dst, channels, units) + GF_GPU_SCRATCH_SMALL);
}

/* Returns the values after one direction, for the position whose weights spread them most. */
static struct gf_values along(const struct gf_work *pools, const struct gf_resize_axis *axis, struct gf_values in)
{
    struct gf_values all = in;

    for (int64_t i = 0; axis->taps > 0 && i < axis->out && all.known; i++) {
        const float *entry = pools->tables + axis->at + i * gf_resize_stride(axis);
        const struct gf_values one = gf_values_of_sum(in, entry + GF_RESIZE_ENTRY, (int64_t)entry[1]);

        all = one.known ? gf_values_with(gf_values_with(all, one.least), one.most) : one;
    }
    return all;
}

static struct gf_values resize_values(const struct gf_work *pools, const void *params, struct gf_values in)
{
    const struct gf_resize *r = params;

    return along(pools, &r->x, along(pools, &r->y, in));
}

const struct gf_operation gf_op_resize = {
    .word = "resize", .params_bytes = sizeof(struct gf_resize),
    .cpu = { .body = gf_resize_cpu, .reads = GF_READS_PACKED, .stores_packed = true,
             .scratch_bytes = resize_scratch, .cost = resize_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_resize_cuda), GF_OP_LOADS_AND_STORES, .scratch_bytes = resize_gpu_scratch,
              .cost = resize_gpu_cost },
    .values = resize_values,
};
