/* Prefix sums of images on a CPU. */
#include "kernels/statistics/prefix.h"

#include "base/clones.h"
#include "kernels/base/byte_shuffle.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/pack.h"
#include "kernels/base/program_steps.h"
#include "kernels/statistics/prefix_bytes.h"

#include <string.h>

#define ROWS (GF_MAX_CHANNELS + GF_POINT_MATRIX_MAX)
/* integers added at a time, so that they and their sums stay in the first-level cache */
#define WHOLE_PIECE 512
/* floats added at a time, so that they, their sums and their state stay there: some tiles */
#define FLOAT_PIECE (2 * GF_PREFIX_TILE)
/* columns of several rows of bytes of three channels at a time */
#define BYTES_PIECE 256

/* Adds up a run from the sum before it; returns the total. */
GF_INLINE double sum_run(const float *restrict v, double *restrict to, double before, int n)
{
    double s = 0;

    for (int i = 0; i < n; i++) {
        s += (double)v[i];
        to[i] = before + s;
    }
    return s;
}

/* Adds up n samples that begin at a tile; returns the sum before the next samples. */
GF_CLONES
static double sum_in_tiles(const float *restrict v, double *restrict to, int64_t n, double tiles)
{
    for (int64_t x = 0; x < n; x += GF_PREFIX_TILE) {
        const int64_t end = n - x < GF_PREFIX_TILE ? n : x + GF_PREFIX_TILE;
        double runs = 0;
        int64_t i = x;

        for (; i + GF_PREFIX_RUN <= end; i += GF_PREFIX_RUN)
            runs += sum_run(v + i, to + i, tiles + runs, GF_PREFIX_RUN);
        if (i < end)
            runs += sum_run(v + i, to + i, tiles + runs, (int)(end - i));
        tiles += runs;
    }
    return tiles;
}

GF_CLONES
static void copy_sums(const double *restrict sums, float *restrict to, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = (float)sums[i];
}

GF_CLONES
static void add_sums(const double *restrict sums, double *restrict state, float *restrict to, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        state[i] += sums[i];
        to[i] = (float)state[i];
    }
}

GF_CLONES
static void add_samples(const float *v, double *restrict state, float *to, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        state[i] += (double)v[i];
        to[i] = (float)state[i];
    }
}

/* Adds up a piece of a row of one color, maybe in place; `tiles` is the sum before it in the row. */
static void sum_piece(const struct gf_prefix *p, const float *v, float *to, int64_t n, double *tiles, double *state)
{
    double sums[FLOAT_PIECE];

    if (!p->along_columns) {
        add_samples(v, state, to, n);
        return;
    }
    *tiles = sum_in_tiles(v, sums, n, *tiles);
    if (p->along_units)
        add_sums(sums, state, to, n);
    else
        copy_sums(sums, to, n);
}

/* ---- integers ---- */

/* Adds up every `step`th sample, four at a time; common steps are compile-time constants. */
#define WHOLE(name, type)                                                                               \
    GF_INLINE void load_by_##name(const type *restrict at, int step, uint32_t *restrict to, int64_t n)  \
    {                                                                                                   \
        for (int64_t i = 0; i < n; i++)                                                                 \
            to[i] = at[i * step];                                                                       \
    }                                                                                                   \
                                                                                                        \
    GF_INLINE void sum_by_##name(const type *restrict at, int step, uint32_t *restrict to, int64_t n)   \
    {                                                                                                   \
        uint32_t s = 0;                                                                                 \
        int64_t i = 0;                                                                                  \
                                                                                                        \
        for (; i + 4 <= n; i += 4, at += 4 * step) {                                                    \
            const uint32_t a = at[0], b = a + at[step], c = at[2 * step], d = c + at[3 * step];         \
                                                                                                        \
            to[i] = s + a;                                                                              \
            to[i + 1] = s + b;                                                                          \
            to[i + 2] = s + b + c;                                                                      \
            to[i + 3] = s += b + d;                                                                     \
        }                                                                                               \
        for (; i < n; i++, at += step)                                                                  \
            to[i] = s += *at;                                                                           \
    }                                                                                                   \
                                                                                                        \
    GF_CLONES                                                                                           \
    static void load_##name(const type *restrict at, int step, uint32_t *restrict to, int64_t n)        \
    {                                                                                                   \
        if (step == 1)                                                                                  \
            load_by_##name(at, 1, to, n);                                                               \
        else if (step == 3)                                                                             \
            load_by_##name(at, 3, to, n);                                                               \
        else                                                                                            \
            load_by_##name(at, step, to, n);                                                            \
    }                                                                                                   \
                                                                                                        \
    GF_CLONES                                                                                           \
    static void sum_##name(const type *restrict at, int step, uint32_t *restrict to, int64_t n)         \
    {                                                                                                   \
        if (step == 1)                                                                                  \
            sum_by_##name(at, 1, to, n);                                                                \
        else if (step == 3)                                                                             \
            sum_by_##name(at, 3, to, n);                                                                \
        else                                                                                            \
            sum_by_##name(at, step, to, n);                                                             \
    }

WHOLE(bytes, uint8_t)
WHOLE(words, uint16_t)

/* The sums of a piece fit into 31 bits, which more processors convert to double. */
GF_CLONES
static void store_whole(const uint32_t *restrict sums, double before, double inverse, float *restrict to, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = (float)((before + (double)(int32_t)sums[i]) * inverse);
}

GF_CLONES
static void add_whole(const uint32_t *restrict sums, double before, double inverse, double *restrict state,
                      float *restrict to, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        state[i] += before + (double)(int32_t)sums[i];
        to[i] = (float)(state[i] * inverse);
    }
}

/* Processes n samples of channel c, which are `step` samples apart from `at` on. */
static void sum_piece_whole(const struct gf_prefix *p, const struct gf_block *b, const void *at, int step, int c,
                            float *to, int64_t n, double *before, double *state)
{
    const bool along = p->along_columns && c < p->colours;
    uint32_t sums[WHOLE_PIECE];

    if (b->type == GF_U8)
        (along ? sum_bytes : load_bytes)(at, step, sums, n);
    else
        (along ? sum_words : load_words)(at, step, sums, n);
    if (state != NULL)
        add_whole(sums, *before, 1.0 / b->maxval, state, to, n);
    else
        store_whole(sums, *before, 1.0 / b->maxval, to, n);
    if (along)
        *before += (double)sums[n - 1];
}

/* Processes n pixels of a unit from x on. */
static void sum_pixels_whole(const struct gf_prefix *p, const struct gf_io *io, int64_t unit, int64_t x, int64_t n,
                             float *const *row, double *before, double *state)
{
    const struct gf_block *b = &io->src;
    const char *at = (const char *)b->data
                   + (size_t)((unit - b->span.start) * b->pitch_samples + x * b->channels) * gf_type_bytes(b->type);
    const bool splits = b->type == GF_U8 && b->channels == 3;
    uint8_t channel[3][WHOLE_PIECE];

    if (splits)
        gf_split_rgb((const uint8_t *)at, n, channel[0], channel[1], channel[2]);
    for (int c = 0; c < b->channels; c++)
        sum_piece_whole(p, b, splits ? (const void *)channel[c] : at + (size_t)c * gf_type_bytes(b->type),
                        splits ? 1 : b->channels, c, row[c], n, &before[c],
                        c < p->colours && state != NULL ? state + c * io->dst.width : NULL);
}

/* ---- calls ---- */

/* Returns true if a block has rows of floats for each channel. */
static bool has_floats(const struct gf_block *b)
{
    return b->planar || (b->type == GF_F32 && b->channels == 1);
}

/* Returns true if rows of sums are computed where they belong, from integers or from rows of floats where they are. */
static bool goes_straight(const struct gf_io *io, const struct gf_prefix *p)
{
    return gf_point_is_identity(io->store) && has_floats(&io->dst)
           && (gf_prefix_is_whole(io) || (gf_point_is_identity(io->load) && has_floats(&io->src)
                                          && p->colours == io->src.channels));
}

/* Processes n pixels of a unit from x on to rows of floats. */
static void sum_pixels(const struct gf_work *work, const struct gf_io *io, const struct gf_prefix *p, int64_t unit,
                       int64_t x, int64_t n,
                       float **row, double *before)
{
    double *const state = p->along_units ? (double *)work->carry + x : NULL;
    const int64_t width = io->dst.width;

    if (gf_prefix_is_whole(io)) {
        sum_pixels_whole(p, io, unit, x, n, row, before, state);
        return;
    }
    if (!goes_straight(io, p)) {
        gf_load_pixels(&io->src, unit, x, n, row);
        gf_point_run(io->load, work->tables, row, n);
    }
    for (int c = 0; c < p->colours; c++)
        sum_piece(p, goes_straight(io, p) ? gf_plane_at(&io->src, c, unit) + x : row[c], row[c], n, &before[c],
                  state ? state + c * width : NULL);
}

/* Returns true if the state after some rows is computed before their results. */
static bool leaves_state(const struct gf_io *io, const struct gf_prefix *p)
{
    return gf_prefix_is_whole(io) && io->src.type == GF_U8 && p->along_columns && p->along_units
           && p->colours == io->src.channels;
}

/* Returns true if rows are sums of bytes that are computed in vectors. */
static bool goes_by_vectors(const struct gf_io *io, const struct gf_prefix *p)
{
    return gf_prefix_is_whole(io) && io->src.type == GF_U8 && p->along_columns && p->colours == io->src.channels
           && (io->src.channels == 1 || io->src.channels == 3) && gf_point_is_identity(io->store)
           && io->src.width <= GF_PREFIX_BYTES_MOST && gf_prefix_bytes_run();
}

/* Stores a piece of some rows. */
static void store_piece(const struct gf_io *io, int64_t unit, int rows, int64_t x, int64_t n,
                        float (*room)[GF_PREFIX_BYTES_ROWS][BYTES_PIECE])
{
    for (int r = 0; r < rows; r++) {
        const float *const row[] = { room[0][r], room[1][r], room[2][r] };

        gf_store_pixels(&io->dst, unit + r, x, n, row);
    }
}

/* Adds up some rows of bytes from a unit on. */
static void sum_byte_rows(const struct gf_work *work, const struct gf_io *io, const struct gf_prefix *p, int64_t unit,
                          int rows)
{
    _Alignas(64) float room[3][GF_PREFIX_BYTES_ROWS][BYTES_PIECE];
    _Alignas(64) uint8_t channel[3][GF_PREFIX_BYTES_ROWS][BYTES_PIECE];
    uint32_t before[3][GF_PREFIX_BYTES_ROWS] = { 0 };
    const struct gf_block *s = &io->src;
    const bool straight = goes_straight(io, p), splits = s->channels == 3;
    const int64_t piece = straight && !splits ? s->width : BYTES_PIECE;

    for (int64_t x = 0, n; x < s->width; x += n) {
        const uint8_t *at = (const uint8_t *)s->data + (unit - s->span.start) * s->pitch_samples + x * s->channels;

        n = s->width - x < piece ? s->width - x : piece;
        for (int r = 0; splits && r < rows; r++)
            gf_split_rgb(at + r * s->pitch_samples, n, channel[0][r], channel[1][r], channel[2][r]);
        for (int c = 0; c < s->channels; c++) {
            const struct gf_prefix_bytes b = {
                .at = splits ? channel[c][0] : at, .pitch = splits ? BYTES_PIECE : s->pitch_samples,
                .to = straight ? gf_plane_at(&io->dst, c, unit) + x : room[c][0],
                .to_pitch = straight ? io->dst.pitch_samples : BYTES_PIECE, .inverse = 1.0 / s->maxval,
                .state = p->along_units ? (double *)work->carry + c * io->dst.width + x : NULL, .before = before[c]
            };

            gf_prefix_bytes_sum(&b, rows, n);
        }
        if (!straight)
            store_piece(io, unit, rows, x, n, room);
    }
}

static void sum_bytes_by_vectors(const struct gf_work *work, const struct gf_io *io, const struct gf_prefix *p)
{
    const int most = p->along_units ? GF_PREFIX_BYTES_ROWS : 1;

    for (int64_t u = io->dst.span.start; u < io->dst.span.end; u += most) {
        const int64_t left = io->dst.span.end - u;

        sum_byte_rows(work, io, p, u, left < most ? (int)left : most);
    }
}

int gf_prefix_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    _Alignas(64) float room[ROWS * GF_PREFIX_TILE];
    const struct gf_prefix *p = params;
    const bool straight = goes_straight(io, p);
    float *row[ROWS];
    const int widest = gf_point_widest_of(io);
    int64_t piece, most;

    (void)err;
    if (goes_by_vectors(io, p)) {
        sum_bytes_by_vectors(work, io, p);
        return 0;
    }
    piece = ROWS / widest * GF_PREFIX_TILE;
    most = gf_prefix_is_whole(io) ? WHOLE_PIECE : FLOAT_PIECE;
    piece = piece < most ? piece : most;
    for (int64_t u = io->dst.span.start; u < io->dst.span.end; u++) {
        double tiles[ROWS] = { 0 };

        for (int64_t x = 0, n; x < io->dst.width; x += n) {
            n = io->dst.width - x < piece ? io->dst.width - x : piece;
            for (int c = 0; c < widest; c++)
                row[c] = straight ? gf_plane_at(&io->dst, c, u) + x : room + c * piece;
            sum_pixels(work, io, p, u, x, n, row, tiles);
            if (straight)
                continue;
            gf_point_run(io->store, work->tables, row, n);
            gf_store_pixels(&io->dst, u, x, n, (const float *const *)row);
        }
    }
    return 0;
}

/* Integers are added exactly in any order, so sums of columns take the state past rows without their results. */
static bool leave_state(const struct gf_work *work, const struct gf_io *io, const void *params)
{
    const struct gf_prefix *p = params;
    const struct gf_block *s = &io->src;
    const struct gf_span out = io->dst.span;

    if (!leaves_state(io, p))
        return false;
    memcpy(work->scratch, work->carry, (size_t)gf_prefix_carry_bytes(p, io->dst.width));
    gf_prefix_bytes_pass((const uint8_t *)s->data + (out.start - s->span.start) * s->pitch_samples, s->pitch_samples,
                         gf_span_units(out), s->width, s->channels, work->carry);
    return true;
}

static size_t prefix_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_prefix *p = params;

    return leaves_state(io, p) ? (size_t)gf_prefix_carry_bytes(p, io->dst.width) : 0;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Integers are summed by strips and bands, others by tiles; for both directions, a band at a time. */
static size_t prefix_gpu_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_prefix *p = params;
    const int64_t units = gf_span_units(io->dst.span), width = io->dst.width, line = width * p->colours;
    const int64_t whole = p->colours * (units * (width / GF_PREFIX_WHOLE_STRIP + 1)
                                        + width * (units / GF_PREFIX_WHOLE_BAND + 1));
    int64_t sums;

    if (gf_prefix_is_whole(io) && gf_point_is_identity(io->store))
        return (size_t)(whole * (int64_t)sizeof(double) + GF_GPU_SCRATCH_SMALL);
    sums = p->along_columns ? (width / GF_PREFIX_TILE + 1) * units * p->colours : 0;
    if (p->along_columns && p->along_units)
        sums = larger(line * units < GF_PREFIX_BAND_SUMS ? line * units : GF_PREFIX_BAND_SUMS, line) / 8 * 9 + line;
    if (gf_prefix_is_whole(io))
        sums = larger(sums, whole);
    return (size_t)(gf_gpu_loaded_bytes(io, false, units) + gf_gpu_stored_bytes(io, false)
                    + sums * (int64_t)sizeof(double)
                    + GF_GPU_SCRATCH_SMALL);
}

const struct gf_operation gf_op_prefix = {
    .word = "prefix", .text = "Prefix sums of images.",
    .params_bytes = sizeof(struct gf_prefix),
    .cpu = { .body = gf_prefix_cpu, .reads = GF_READS_PACKED, .stores_packed = true,
             .scratch_bytes = prefix_scratch, .light = 5.5, .leave_state = leave_state },
    .cuda = { .body = GF_CUDA_BODY(gf_prefix_cuda), GF_OP_READS_AND_STORES, .scratch_bytes = prefix_gpu_scratch },
};
