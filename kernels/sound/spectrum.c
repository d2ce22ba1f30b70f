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

/* Points; values in the order of columns; where they are stored. */
struct spectrum_room {
    float *re, *im, *ordered_re, *ordered_im;
    int32_t *places;
};

static size_t spectrum_scratch(const struct gf_io *shape, const void *params)
{
    const struct gf_spectrum *s = params;

    (void)shape;
    return (size_t)(2 * gf_spectrum_points(s) + 3 * (s->size / 2 + 1)) * sizeof(float);
}

static struct spectrum_room divide(const struct gf_spectrum *s, void *scratch)
{
    const int points = gf_spectrum_points(s), columns = s->size / 2 + 1;
    struct spectrum_room r = { .re = scratch };

    r.im = r.re + points;
    r.ordered_re = r.im + points;
    r.ordered_im = r.ordered_re + columns;
    r.places = (int32_t *)(void *)(r.ordered_im + columns);
    for (int k = 0; k < columns; k++)
        r.places[k] = (int32_t)gf_fft_place(gf_spectrum_value(s, k));
    return r;
}

/* Loads frames [first, first + size) of a plane, weighted: even ones as real parts, odd ones as imaginary parts. */
static void load(const struct gf_spectrum *s, const struct gf_block *src, int c, int64_t first, const float *weights,
                 const struct spectrum_room *r)
{
    const float *plane = (const float *)src->data + c * src->plane_samples - src->span.start;
    const int points = gf_spectrum_points(s);

    memset(r->re, 0, (size_t)points * sizeof *r->re);
    memset(r->im, 0, (size_t)points * sizeof *r->im);
    for (int i = 0; i < s->size; i++) {
        const int64_t at = first + i;

        if (at >= src->span.start && at < src->span.end)
            (i % 2 ? r->im : r->re)[i / 2] = plane[at] * weights[i];
    }
}

GF_CLONES
static void add_powers(const struct spectrum_room *r, const float *turns, int half, float *restrict to)
{
    const float *restrict re = r->ordered_re, *restrict im = r->ordered_im;

    for (int k = 0; k <= half; k++)
        to[k] += gf_spectrum_power(re[k], im[k], re[half - k], im[half - k], turns[2 * k], turns[2 * k + 1]);
}

static void add_window(const struct gf_spectrum *s, const float *table, const struct spectrum_room *r, float *row)
{
    const struct gf_fft fft = { gf_spectrum_points(s), table + 2 * s->size + 2 };

    gf_fft_forward(&fft, r->re, r->im);
    for (int k = 0; k <= s->size / 2; k++) {
        r->ordered_re[k] = r->re[r->places[k]];
        r->ordered_im[k] = r->im[r->places[k]];
    }
    add_powers(r, table + s->size, s->size / 2, row);
}

int gf_spectrum_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_spectrum *s = params;
    const float *table = work->tables + s->table;
    const struct spectrum_room room = divide(s, work->scratch);

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: spectrum needs planes and no programs");
    for (int c = 0; c < io->dst.channels; c++)
        for (int64_t n = io->dst.span.start; n < io->dst.span.end; n++) {
            float *row = gf_plane_at(&io->dst, c, n);

            memset(row, 0, (size_t)io->dst.width * sizeof *row);
            for (int i = 0; i < s->windows; i++) {
                load(s, &io->src, c, gf_spectrum_first(s, n, i), table, &room);
                add_window(s, table, &room, row);
            }
            for (int64_t k = 0; k < io->dst.width; k++)
                row[k] *= s->scale / (float)(4 * s->windows);
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

const struct gf_operation gf_op_spectrum = {
    .word = "spectrum", .text = "The powers of frequencies, block by block.",
    .params_bytes = sizeof(struct gf_spectrum),
    .cpu = { .body = gf_spectrum_cpu, .scratch_bytes = spectrum_scratch, .cost = spectrum_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_spectrum_cuda), .cost = spectrum_cost },
};
