/* Samples of planes of floats at transformed positions on a CPU. */
#include "kernels/geometry/sample_rows.h"

#include "kernels/base/block.h"

#include <math.h>
#include <string.h>

#define PIECE GF_SAMPLE_PIECE

/*
 * The neighbors of pixels: a row for each place around a pixel. They are copied a few at a time from the source and
 * transposed, because gathers of single samples are slower, and so are vectors that the compiler makes from strides.
 */
struct neighbors {
    _Alignas(64) float tap[16][PIECE];
};

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define HAS_SHUFFLES 1
#endif
#endif

#ifdef HAS_SHUFFLES
#define GROUP 8                          /* pixels that are transposed together */

typedef float quad __attribute__((vector_size(16)));
typedef float octet __attribute__((vector_size(32)));
typedef double pairs __attribute__((vector_size(32)));

GF_INLINE void load_quads(const float *one, const float *other, octet *to)
{
    quad a, b;

    memcpy(&a, one, sizeof a);
    memcpy(&b, other, sizeof b);
    *to = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}

/* Copies four neighbors of each pixel of a group. */
GF_INLINE void copy_fours(const float *restrict p, const int32_t *restrict at, float (*restrict to)[PIECE], int64_t i)
{
    octet a, b, c, d, v[4];

    load_quads(p + at[0], p + at[4], &a);
    load_quads(p + at[1], p + at[5], &b);
    load_quads(p + at[2], p + at[6], &c);
    load_quads(p + at[3], p + at[7], &d);
    v[0] = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
    v[1] = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13);
    v[2] = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
    v[3] = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
    a = __builtin_shufflevector(v[0], v[1], 0, 1, 8, 9, 4, 5, 12, 13);
    b = __builtin_shufflevector(v[0], v[1], 2, 3, 10, 11, 6, 7, 14, 15);
    c = __builtin_shufflevector(v[2], v[3], 0, 1, 8, 9, 4, 5, 12, 13);
    d = __builtin_shufflevector(v[2], v[3], 2, 3, 10, 11, 6, 7, 14, 15);
    memcpy(&to[0][i], &a, sizeof a);
    memcpy(&to[1][i], &b, sizeof b);
    memcpy(&to[2][i], &c, sizeof c);
    memcpy(&to[3][i], &d, sizeof d);
}

/* Returns two neighbors as the bits of a double. */
GF_INLINE double load_pair(const float *p)
{
    double both;

    memcpy(&both, p, sizeof both);
    return both;
}

/* Copies two neighbors of each pixel of a group. */
GF_INLINE void copy_twos(const float *restrict p, const int32_t *restrict at, float (*restrict to)[PIECE], int64_t i)
{
    const pairs a = { load_pair(p + at[0]), load_pair(p + at[1]), load_pair(p + at[4]), load_pair(p + at[5]) };
    const pairs b = { load_pair(p + at[2]), load_pair(p + at[3]), load_pair(p + at[6]), load_pair(p + at[7]) };
    const octet left = __builtin_shufflevector((octet)a, (octet)b, 0, 2, 8, 10, 4, 6, 12, 14);
    const octet right = __builtin_shufflevector((octet)a, (octet)b, 1, 3, 9, 11, 5, 7, 13, 15);

    memcpy(&to[0][i], &left, sizeof left);
    memcpy(&to[1][i], &right, sizeof right);
}
#else
#define GROUP PIECE                      /* no group is full */

GF_INLINE void copy_fours(const float *restrict p, const int32_t *restrict at, float (*restrict to)[PIECE], int64_t i)
{
    for (int64_t k = 0; k < GROUP * 4; k++)
        to[k % 4][i + k / 4] = p[at[k / 4] + k % 4];
}

GF_INLINE void copy_twos(const float *restrict p, const int32_t *restrict at, float (*restrict to)[PIECE], int64_t i)
{
    for (int64_t k = 0; k < GROUP * 2; k++)
        to[k % 2][i + k / 2] = p[at[k / 2] + k % 2];
}
#endif

/* Copies `count` neighbors, 2 or 4, of each pixel. */
GF_INLINE void copy_row(const float *restrict p, int count, int64_t n, const int32_t *restrict at,
                        float (*restrict to)[PIECE])
{
    int64_t i = 0;

    for (; i + GROUP <= n; i += GROUP)
        if (count == 4)
            copy_fours(p, at + i, to, i);
        else
            copy_twos(p, at + i, to, i);
    for (; i < n; i++)
        for (int k = 0; k < count; k++)
            to[k][i] = p[at[i] + k];
}

GF_CLONES
static void copy_two_rows(const float *p, int64_t pitch, int64_t n, const int32_t *at, struct neighbors *near)
{
    copy_row(p, 2, n, at, near->tap);
    copy_row(p + pitch, 2, n, at, near->tap + 2);
}

GF_CLONES
static void copy_four_rows(const float *p, int64_t pitch, int64_t n, const int32_t *at, struct neighbors *near)
{
    for (int k = 0; k < 4; k++)
        copy_row(p + (k - 1) * pitch - 1, 4, n, at, near->tap + 4 * k);
}

GF_CLONES
static void linear_piece(const struct neighbors *restrict near, int64_t n, const float *restrict fx,
                         const float *restrict fy, float *restrict out)
{
    const float (*restrict tap)[PIECE] = near->tap;

    for (int64_t i = 0; i < n; i++) {
        const float h0 = fmaf(fx[i], tap[1][i] - tap[0][i], tap[0][i]);
        const float h1 = fmaf(fx[i], tap[3][i] - tap[2][i], tap[2][i]);

        out[i] = fmaf(fy[i], h1 - h0, h0);
    }
}

GF_CLONES
static void nearest_piece(const float *restrict p, int64_t n, const int32_t *restrict at, float *restrict out)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = p[at[i]];
}

GF_CLONES
static void cubic_piece(const struct neighbors *restrict near, int64_t n, const float *restrict fx,
                        const float *restrict fy, float *restrict out)
{
    for (int64_t i = 0; i < n; i++) {
        const float *restrict q = &near->tap[0][i];
        float x[4], y[4], h[4];

        gf_cubic_weights(fx[i], x);
        gf_cubic_weights(fy[i], y);
        h[0] = gf_sample_weigh(q, PIECE, x[0], x[1], x[2], x[3]);
        h[1] = gf_sample_weigh(q + 4 * PIECE, PIECE, x[0], x[1], x[2], x[3]);
        h[2] = gf_sample_weigh(q + 8 * PIECE, PIECE, x[0], x[1], x[2], x[3]);
        h[3] = gf_sample_weigh(q + 12 * PIECE, PIECE, x[0], x[1], x[2], x[3]);
        out[i] = gf_sample_weigh(h, 1, y[0], y[1], y[2], y[3]);
    }
}

/* Interpolates n pixels of a plane at offsets from `p`, in rows of `pitch` floats. */
static void sample_piece(enum gf_interpolation how, const float *p, int64_t pitch, int64_t n, const int32_t *at,
                         const float *fx, const float *fy, float *out)
{
    struct neighbors near;

    switch (how) {
    case GF_NEAREST:
        nearest_piece(p, n, at, out);
        break;
    case GF_LINEAR:
        copy_two_rows(p, pitch, n, at, &near);
        linear_piece(&near, n, fx, fy, out);
        break;
    default:
        copy_four_rows(p, pitch, n, at, &near);
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
