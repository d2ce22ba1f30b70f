/* Spectra on a CPU, window by window. */
#include "kernels/sound/spectrum.h"

#include "base/clones.h"
#include "kernels/base/block.h"

#include <string.h>

/* Computes exp(2πik/size) for k up to the half: a turn of the tree's level of size/2 nodes. */
static void turn_of(const double *tree, int size, int k, double turn[2])
{
    int node = 1;

    turn[0] = -1;
    turn[1] = 0;
    for (int bit = 1; bit < size / 2; bit *= 2)
        node = 2 * node + (k / bit) % 2;
    if (k < size / 2)
        memcpy(turn, tree + 2 * node, 2 * sizeof *turn);
}

void gf_spectrum_fill(struct gf_spectrum *s, float *table)
{
    const int points = gf_spectrum_points(s), size = s->size;
    double tree[2 * GF_SPECTRUM_MOST], turn[2], sum = 0;

    gf_fft_fill_tree(2 * points, GF_FFT_CIRCLE, tree);
    for (int i = 0; i < size; i++) {
        turn_of(tree, size, i <= size / 2 ? i : size - i, turn);
        table[i] = (float)(.5 - .5 * turn[0]);
        sum += .5 - .5 * turn[0];
    }
    for (int k = 0; k <= size / 2; k++) {
        turn_of(tree, size, k, turn);
        table[size + 2 * k] = (float)turn[0];
        table[size + 2 * k + 1] = (float)turn[1];
    }
    gf_fft_fill_turns(points, tree, table + 2 * size + 2);
    s->scale = (float)(4 / (sum * sum));
}

/* Points, then their values; the turns of powers and the sums of powers, stored as values are. */
struct spectrum_room {
    int points;
    float *re, *im, *turn_re, *turn_im, *power;
    float *last;                         /* the power of the last column, which has the same value as the first */
    int32_t *place;                      /* of the value of each other column */
    int opposite[GF_FFT_TILE];           /* the places of the first values' opposite frequencies */
};

static size_t spectrum_scratch(const struct gf_io *shape, const void *params)
{
    (void)shape;
    return (size_t)(6 * gf_spectrum_points(params) + 1) * sizeof(float);
}

/* Returns where the value of frequency -k is stored: the bits of its number after the first one are inverted. */
static int opposite(int place)
{
    const int value = (int)gf_fft_place(place);
    int below = 1;

    while (2 * below <= value)
        below *= 2;
    return value == 0 ? 0 : (int)gf_fft_place(value ^ (below - 1));
}

static struct spectrum_room divide(const struct gf_spectrum *s, const float *turns, void *scratch)
{
    const int points = gf_spectrum_points(s);
    struct spectrum_room r = { .points = points, .re = scratch };

    r.im = r.re + points;
    r.turn_re = r.im + points;
    r.turn_im = r.turn_re + points;
    r.power = r.turn_im + points;
    r.last = r.power + points;
    r.place = (int32_t *)(void *)(r.last + 1);
    memset(r.turn_re, 0, 2 * (size_t)points * sizeof *r.turn_re);
    for (int k = 0; k < s->size / 2; k++) {
        r.place[k] = (int32_t)gf_fft_place(gf_spectrum_value(s, k));
        r.turn_re[r.place[k]] = turns[2 * k];
        r.turn_im[r.place[k]] = turns[2 * k + 1];
    }
    for (int i = 0; i < GF_FFT_TILE; i++)
        r.opposite[i] = opposite(i);
    return r;
}

GF_CLONES
static void load_pairs(const float *restrict frames, const float *restrict weights, int pairs, float *restrict re,
                       float *restrict im)
{
    for (int j = 0; j < pairs; j++) {
        re[j] = frames[2 * j] * weights[2 * j];
        im[j] = frames[2 * j + 1] * weights[2 * j + 1];
    }
}

/* Loads frames [first, first + size) of a plane, weighted: even ones as real parts, odd ones as imaginary parts. */
static void load(const struct gf_spectrum *s, const struct gf_block *src, int c, int64_t first, const float *weights,
                 const struct spectrum_room *r)
{
    const float *plane = (const float *)src->data + c * src->plane_samples - src->span.start;
    const bool inside = first >= src->span.start && first + s->size <= src->span.end;
    const int points = gf_spectrum_points(s), pairs = inside ? s->size / 2 : 0;

    if (inside)
        load_pairs(plane + first, weights, pairs, r->re, r->im);
    memset(r->re + pairs, 0, (size_t)(points - pairs) * sizeof *r->re);
    memset(r->im + pairs, 0, (size_t)(points - pairs) * sizeof *r->im);
    for (int i = 0; i < s->size && !inside; i++)
        if (first + i >= src->span.start && first + i < src->span.end)
            (i % 2 ? r->im : r->re)[i / 2] = plane[first + i] * weights[i];
}

/* Adds the powers of a tile's values; those of the opposite frequencies are in a tile, too, in reverse. */
GF_INLINE void add_tile(const struct spectrum_room *r, int at, int other)
{
    const float *restrict a = r->re + at, *restrict b = r->im + at, *restrict c = r->re + other;
    const float *restrict d = r->im + other, *restrict wr = r->turn_re + at, *restrict wi = r->turn_im + at;
    float *restrict to = r->power + at;

    for (int i = 0; i < GF_FFT_TILE; i++) {
        const int back = GF_FFT_TILE - 1 - i;

        to[i] += gf_spectrum_power(a[i], b[i], c[back], d[back], wr[i], wi[i]);
    }
}

GF_CLONES
static void add_powers(const struct spectrum_room *r)
{
    const float *re = r->re, *im = r->im;

    for (int i = 0; i < GF_FFT_TILE; i++) {
        const int o = r->opposite[i];

        r->power[i] += gf_spectrum_power(re[i], im[i], re[o], im[o], r->turn_re[i], r->turn_im[i]);
    }
    *r->last += gf_spectrum_power(re[0], im[0], re[0], im[0], -1, 0);
    for (int half = GF_FFT_TILE; half < r->points; half *= 2)
        for (int at = half; at < 2 * half; at += GF_FFT_TILE)
            add_tile(r, at, 3 * half - GF_FFT_TILE - at);
}

int gf_spectrum_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_spectrum *s = params;
    const float *table = work->tables + s->table;
    const struct spectrum_room room = divide(s, table + s->size, work->scratch);
    const struct gf_fft fft = { room.points, table + 2 * s->size + 2 };
    const int half = s->size / 2;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: spectrum needs planes and no programs");
    for (int c = 0; c < io->dst.channels; c++)
        for (int64_t n = io->dst.span.start; n < io->dst.span.end; n++) {
            float *row = gf_plane_at(&io->dst, c, n);

            memset(room.power, 0, (size_t)(room.points + 1) * sizeof *room.power);
            for (int i = 0; i < s->windows; i++) {
                load(s, &io->src, c, gf_spectrum_first(s, n, i), table, &room);
                gf_fft_forward(&fft, room.re, room.im);
                add_powers(&room);
            }
            for (int k = 0; k <= half; k++)
                row[k] = (k < half ? room.power[room.place[k]] : *room.last) * (s->scale / (float)(4 * s->windows));
        }
    return 0;
}

/* A transform for each window of a row. Measured: 55 with 6 windows of 2048 frames, 22 with 2 of 8192. */
static struct gf_cost spectrum_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_spectrum *s = params;

    (void)in, (void)out;
    return (struct gf_cost) { .light = s->windows * log2(s->size) };
}

static int64_t tables_end(const void *params, const struct gf_format *out)
{
    const struct gf_spectrum *s = params;

    (void)out;
    return s->size < 2 || s->size > 1 << 24 || (s->size & (s->size - 1)) != 0 || s->windows < 1 || s->table % 2 != 0
               ? -1 : gf_op_rows_end(s->table, 1, gf_spectrum_entries(s));
}

const struct gf_operation gf_op_spectrum = {
    .word = "spectrum", .text = "The powers of frequencies, block by block.",
    .params_bytes = sizeof(struct gf_spectrum),
    .cpu = { .body = gf_spectrum_cpu, .scratch_bytes = spectrum_scratch, .cost = spectrum_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_spectrum_cuda), .cost = spectrum_cost },
    .tables_end = tables_end,
};
