/* Samples of planes of floats at transformed positions on a CPU. */
#include "kernels/geometry/sample_rows.h"

#include "kernels/base/block.h"

#include <math.h>
#include <string.h>

#define PIECE GF_SAMPLE_PIECE

/* Four floats. */
struct quad {
    float v[4];
};

/* Two neighbors of each pixel, or four, in each row: gathers of single samples are slower than copies of several. */
union neighbors {
    _Alignas(64) uint64_t two[2][PIECE];
    float one[2][2 * PIECE];
    struct quad four[4][PIECE];
};

static void copy_two(const float *restrict p, int64_t pitch, int64_t n, const int32_t *restrict at,
                     union neighbors *restrict near)
{
    for (int64_t i = 0; i < n; i++) {
        uint64_t top, bottom;

        memcpy(&top, p + at[i], sizeof top);
        memcpy(&bottom, p + pitch + at[i], sizeof bottom);
        near->two[0][i] = top;
        near->two[1][i] = bottom;
    }
}

GF_CLONES
static void linear_piece(const union neighbors *restrict near, int64_t n, const float *restrict fx,
                         const float *restrict fy, float *restrict out)
{
    const float *restrict top = near->one[0], *restrict bottom = near->one[1];

    for (int64_t i = 0; i < n; i++) {
        const float h0 = fmaf(fx[i], top[2 * i + 1] - top[2 * i], top[2 * i]);
        const float h1 = fmaf(fx[i], bottom[2 * i + 1] - bottom[2 * i], bottom[2 * i]);

        out[i] = fmaf(fy[i], h1 - h0, h0);
    }
}

GF_CLONES
static void nearest_piece(const float *restrict p, int64_t n, const int32_t *restrict at, float *restrict out)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = p[at[i]];
}

static void copy_four(const float *restrict p, int64_t pitch, int64_t n, const int32_t *restrict at,
                      union neighbors *restrict near)
{
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) {
            struct quad q;

            memcpy(&q, p + (k - 1) * pitch - 1 + at[i], sizeof q);
            near->four[k][i] = q;
        }
}

GF_CLONES
static void cubic_piece(const union neighbors *restrict near, int64_t n, const float *restrict fx,
                        const float *restrict fy, float *restrict out)
{
    for (int64_t i = 0; i < n; i++) {
        float x[4], y[4], h[4];

        gf_cubic_weights(fx[i], x);
        gf_cubic_weights(fy[i], y);
        h[0] = gf_sample_weigh(near->four[0][i].v, 1, x[0], x[1], x[2], x[3]);
        h[1] = gf_sample_weigh(near->four[1][i].v, 1, x[0], x[1], x[2], x[3]);
        h[2] = gf_sample_weigh(near->four[2][i].v, 1, x[0], x[1], x[2], x[3]);
        h[3] = gf_sample_weigh(near->four[3][i].v, 1, x[0], x[1], x[2], x[3]);
        out[i] = gf_sample_weigh(h, 1, y[0], y[1], y[2], y[3]);
    }
}

/* Interpolates n pixels of a plane at offsets from `p`, in rows of `pitch` floats. */
static void sample_piece(enum gf_interpolation how, const float *p, int64_t pitch, int64_t n, const int32_t *at,
                         const float *fx, const float *fy, float *out)
{
    union neighbors near;

    switch (how) {
    case GF_NEAREST:
        nearest_piece(p, n, at, out);
        break;
    case GF_LINEAR:
        copy_two(p, pitch, n, at, &near);
        linear_piece(&near, n, fx, fy, out);
        break;
    default:
        copy_four(p, pitch, n, at, &near);
        cubic_piece(&near, n, fx, fy, out);
        break;
    }
}

/* Computes at most PIECE pixels [from, to) of a row, with all neighbors inside; every channel. */
static void sample_inside(const struct gf_sample_job *j, struct gf_sample_walk w, int64_t y, int64_t from, int64_t to)
{
    _Alignas(64) int32_t at[PIECE];
    _Alignas(64) float fx[PIECE], fy[PIECE];
    const struct gf_sample_walk here = { w.x + from * w.dx, w.y + from * w.dy, w.dx, w.dy };
    const int64_t n = to - from, one = gf_sample_cell(here.y), other = gf_sample_cell(here.y + (n - 1) * here.dy);
    const int64_t first = one < other ? one : other, pitch = j->src->pitch_samples;

    gf_sample_walk_spots(here, first, pitch, 1, n, j->s->coarse, at, fx, fy);
    for (int c = 0; c < j->src->channels; c++)
        sample_piece(j->s->interpolation, gf_plane_at(j->src, c, first), pitch, n, at, fx, fy,
                     gf_plane_at(j->dst, c, y) + from);
}

/* Computes n pixels at places `i` and after. */
static void sample_places(const struct gf_sample_job *j, const struct gf_sample_places *places, int64_t i, int64_t n,
                          int64_t first, int64_t x, int64_t y)
{
    _Alignas(64) int32_t at[PIECE];
    _Alignas(64) float fx[PIECE], fy[PIECE];
    const int64_t pitch = j->src->pitch_samples;

    gf_sample_place_spots(places, i, first, pitch, 1, n, !gf_sample_is_exact(j->s), at, fx, fy);
    for (int c = 0; c < j->src->channels; c++)
        sample_piece(j->s->interpolation, gf_plane_at(j->src, c, first), pitch, n, at, fx, fy,
                     gf_plane_at(j->dst, c, y) + x);
}

static void sample_border(const struct gf_sample_job *j, struct gf_sample_walk w, int64_t y, int64_t from, int64_t to)
{
    for (int c = 0; c < j->src->channels; c++)
        for (int64_t i = from; i < to; i++)
            gf_plane_at(j->dst, c, y)[i] = gf_sample_anywhere(j, w, c, i);
}

static void fill_background(const struct gf_sample_job *j, struct gf_sample_walk w, int64_t y, int64_t from,
                            int64_t to)
{
    (void)w;
    for (int c = 0; c < j->src->channels; c++)
        for (int64_t x = from; x < to; x++)
            gf_plane_at(j->dst, c, y)[x] = j->s->background[c];
}

const struct gf_sample_parts gf_sample_plane_parts = { sample_inside, sample_places, sample_border, fill_background };
