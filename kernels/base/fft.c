/* Fourier transforms on a CPU: four nodes at a time, branch by branch, so that points stay in the nearest cache. */
#include "kernels/base/fft.h"

#include "base/clones.h"

#include <string.h>

/* ---- turns, and a transform in double ---- */

/* Each turn is the square root of its parent's: half the angle, by the half that does not cancel. */
void gf_fft_fill_tree(int64_t points, enum gf_fft_ring ring, double *tree)
{
    tree[2] = ring == GF_FFT_FILTER ? sqrt(0.5) : 1;
    tree[3] = ring == GF_FFT_FILTER ? sqrt(0.5) : 0;
    for (int64_t i = 1; i < points / 2; i++) {
        const double re = tree[2 * i], im = tree[2 * i + 1];
        const double large = sqrt((1 + fabs(re)) / 2), small = im / (2 * large);
        double *child = tree + 4 * i;

        child[0] = re >= 0 ? large : small;
        child[1] = re >= 0 ? small : large;
        child[2] = -child[1];
        child[3] = child[0];
    }
}

void gf_fft_fill_turns(int64_t points, const double *tree, float *turns)
{
    float *tiles = turns + points / 4;

    turns[0] = turns[1] = 0;
    for (int64_t i = 2; i < points / 4; i++)
        turns[i] = (float)tree[i];
    for (int64_t b = 0; b < points / GF_FFT_SIDE; b++) {
        const int64_t i = points / GF_FFT_SIDE + b, node[4] = { i, 2 * i, 4 * i, 4 * i + 2 };
        float *to = tiles + b / GF_FFT_SIDE * GF_FFT_TILE + b % GF_FFT_SIDE;

        for (int k = 0; k < 4; k++) {
            to[2 * k * GF_FFT_SIDE] = (float)tree[2 * node[k]];
            to[(2 * k + 1) * GF_FFT_SIDE] = (float)tree[2 * node[k] + 1];
        }
    }
}

GF_CLONES
static void split_in_double(int64_t half, const double turn[2], double *re, double *im)
{
    double *const vr = re + half, *const vi = im + half;

    GF_NO_OVERLAP
    for (int64_t q = 0; q < half; q++) {
        const double r = fma(vr[q], turn[0], -(vi[q] * turn[1])), i = fma(vr[q], turn[1], vi[q] * turn[0]);

        vr[q] = re[q] - r;
        vi[q] = im[q] - i;
        re[q] += r;
        im[q] += i;
    }
}

void gf_fft_in_double(int64_t points, const double *tree, double *re, double *im)
{
    for (int64_t nodes = 1; nodes < points; nodes *= 2)
        for (int64_t i = 0, two = points / nodes; i < nodes; i++)
            split_in_double(two / 2, tree + 2 * (nodes + i), re + i * two, im + i * two);
}

/* ---- two levels: a node of 4·s points ---- */

struct four {
    float r[4], i[4];
};

GF_INLINE struct four take_four(const float *re, const float *im, int64_t q, int64_t s)
{
    return (struct four) { { re[q], re[q + s], re[q + 2 * s], re[q + 3 * s] },
                           { im[q], im[q + s], im[q + 2 * s], im[q + 3 * s] } };
}

GF_INLINE void put_four(const struct four *z, float *re, float *im, int64_t q, int64_t s)
{
    re[q] = z->r[0], re[q + s] = z->r[1], re[q + 2 * s] = z->r[2], re[q + 3 * s] = z->r[3];
    im[q] = z->i[0], im[q + s] = z->i[1], im[q + 2 * s] = z->i[2], im[q + 3 * s] = z->i[3];
}

/* `turns` are those of a node's place in the tree: w of the node is turns[2i], that of its first child turns[4i]. */
GF_INLINE void split_four(int64_t s, const float *turns, int64_t i, float *re, float *im)
{
    const float ar = turns[2 * i], ai = turns[2 * i + 1], br = turns[4 * i], bi = turns[4 * i + 1];

    GF_NO_OVERLAP
    for (int64_t q = 0; q < s; q++) {
        struct four z = take_four(re, im, q, s);

        gf_fft_split(z.r, z.i, z.r + 2, z.i + 2, ar, ai);
        gf_fft_split(z.r + 1, z.i + 1, z.r + 3, z.i + 3, ar, ai);
        gf_fft_split(z.r, z.i, z.r + 1, z.i + 1, br, bi);
        gf_fft_split(z.r + 2, z.i + 2, z.r + 3, z.i + 3, -bi, br);
        put_four(&z, re, im, q, s);
    }
}

GF_INLINE void join_four(int64_t s, const float *turns, int64_t i, float *re, float *im)
{
    const float ar = turns[2 * i], ai = turns[2 * i + 1], br = turns[4 * i], bi = turns[4 * i + 1];

    GF_NO_OVERLAP
    for (int64_t q = 0; q < s; q++) {
        struct four z = take_four(re, im, q, s);

        gf_fft_join(z.r, z.i, z.r + 1, z.i + 1, br, bi);
        gf_fft_join(z.r + 2, z.i + 2, z.r + 3, z.i + 3, -bi, br);
        gf_fft_join(z.r, z.i, z.r + 2, z.i + 2, ar, ai);
        gf_fft_join(z.r + 1, z.i + 1, z.r + 3, z.i + 3, ar, ai);
        put_four(&z, re, im, q, s);
    }
}

/* ---- three levels: eight nodes of eight points, or one of eight times eight ---- */

struct eight {
    float r[GF_FFT_SIDE], i[GF_FFT_SIDE];
};

GF_INLINE struct eight take_eight(const float *re, const float *im)
{
    struct eight z;

    for (int k = 0; k < GF_FFT_SIDE; k++) {
        z.r[k] = re[k * GF_FFT_SIDE];
        z.i[k] = im[k * GF_FFT_SIDE];
    }
    return z;
}

GF_INLINE void put_eight(const struct eight *z, float *re, float *im)
{
    for (int k = 0; k < GF_FFT_SIDE; k++) {
        re[k * GF_FFT_SIDE] = z->r[k];
        im[k * GF_FFT_SIDE] = z->i[k];
    }
}

/* Columns of eight points; column q has turns t[q·step], its next one `apart` floats later. */
GF_INLINE void split_eights(const float *turns, int step, int apart, float *re, float *im)
{
    GF_NO_OVERLAP
    for (int q = 0; q < GF_FFT_SIDE; q++) {
        const float *t = turns + q * step;
        struct eight z = take_eight(re + q, im + q);
        float *r = z.r, *i = z.i;

        for (int k = 0; k < 4; k++)
            gf_fft_split(r + k, i + k, r + k + 4, i + k + 4, t[0], t[apart]);
        for (int k = 0; k < 2; k++) {
            gf_fft_split(r + k, i + k, r + k + 2, i + k + 2, t[2 * apart], t[3 * apart]);
            gf_fft_split(r + k + 4, i + k + 4, r + k + 6, i + k + 6, -t[3 * apart], t[2 * apart]);
        }
        gf_fft_split(r, i, r + 1, i + 1, t[4 * apart], t[5 * apart]);
        gf_fft_split(r + 2, i + 2, r + 3, i + 3, -t[5 * apart], t[4 * apart]);
        gf_fft_split(r + 4, i + 4, r + 5, i + 5, t[6 * apart], t[7 * apart]);
        gf_fft_split(r + 6, i + 6, r + 7, i + 7, -t[7 * apart], t[6 * apart]);
        put_eight(&z, re + q, im + q);
    }
}

GF_INLINE void join_eights(const float *turns, int step, int apart, float *re, float *im)
{
    GF_NO_OVERLAP
    for (int q = 0; q < GF_FFT_SIDE; q++) {
        const float *t = turns + q * step;
        struct eight z = take_eight(re + q, im + q);
        float *r = z.r, *i = z.i;

        gf_fft_join(r, i, r + 1, i + 1, t[4 * apart], t[5 * apart]);
        gf_fft_join(r + 2, i + 2, r + 3, i + 3, -t[5 * apart], t[4 * apart]);
        gf_fft_join(r + 4, i + 4, r + 5, i + 5, t[6 * apart], t[7 * apart]);
        gf_fft_join(r + 6, i + 6, r + 7, i + 7, -t[7 * apart], t[6 * apart]);
        for (int k = 0; k < 2; k++) {
            gf_fft_join(r + k, i + k, r + k + 2, i + k + 2, t[2 * apart], t[3 * apart]);
            gf_fft_join(r + k + 4, i + k + 4, r + k + 6, i + k + 6, -t[3 * apart], t[2 * apart]);
        }
        for (int k = 0; k < 4; k++)
            gf_fft_join(r + k, i + k, r + k + 4, i + k + 4, t[0], t[apart]);
        put_eight(&z, re + q, im + q);
    }
}

/* ---- tiles ---- */

typedef float column __attribute__((vector_size(GF_FFT_SIDE * sizeof(float))));
#if defined(__clang__) || __GNUC__ >= 12
#define PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
typedef int32_t places __attribute__((vector_size(GF_FFT_SIDE * sizeof(int32_t))));
#define PICK(a, b, ...) __builtin_shuffle(a, b, (places) { __VA_ARGS__ })
#endif

/* Exchanges rows and columns of a tile. */
GF_INLINE void exchange(float *tile)
{
    column a[GF_FFT_SIDE], b[GF_FFT_SIDE];

    memcpy(a, tile, sizeof a);
    for (int k = 0; k < 8; k += 2) {
        b[k] = PICK(a[k], a[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        b[k + 1] = PICK(a[k], a[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int k = 0; k < 8; k += k % 2 ? 3 : 1) {
        a[k] = PICK(b[k], b[k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        a[k + 2] = PICK(b[k], b[k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int k = 0; k < 4; k++) {
        b[k] = PICK(a[k], a[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        b[k + 4] = PICK(a[k], a[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
    memcpy(tile, b, sizeof b);
}

/* Collects the turns of a tile's first three levels, in the order of those of its last three. */
GF_INLINE void turns_of_tile(const float *turns, int64_t i, float t[GF_FFT_SIDE])
{
    memcpy(t, turns + 2 * i, 2 * sizeof *t);
    memcpy(t + 2, turns + 4 * i, 2 * sizeof *t);
    memcpy(t + 4, turns + 8 * i, 2 * sizeof *t);
    memcpy(t + 6, turns + 8 * i + 4, 2 * sizeof *t);
}

/* A node of the tree and its points; `at` is the number of its first value. */
struct node {
    int64_t i, at;
    float *re, *im;
};

GF_INLINE struct node child_of(const struct node *n, int64_t children, int64_t k, int64_t points)
{
    return (struct node) { children * n->i + k, n->at + k * points, n->re + k * points, n->im + k * points };
}

enum way { FORWARD, BACKWARD, THROUGH };

/* Does all levels of the node of a tile. */
GF_INLINE void walk_tile(const struct gf_fft *f, enum way way, const float *values, const struct node *n)
{
    const float *last = f->turns + f->points / 4 + n->at;
    float first[GF_FFT_SIDE];

    turns_of_tile(f->turns, n->i, first);
    if (way != BACKWARD) {
        split_eights(first, 0, 1, n->re, n->im);
        exchange(n->re);
        exchange(n->im);
        split_eights(last, 1, GF_FFT_SIDE, n->re, n->im);
    }
    if (way == THROUGH)
        for (int k = 0; k < GF_FFT_TILE; k++) {
            const float *v = values + n->at + k;

            gf_fft_product(n->re[k], n->im[k], v[0], v[f->points], n->re + k, n->im + k);
        }
    if (way != FORWARD) {
        join_eights(last, 1, GF_FFT_SIDE, n->re, n->im);
        exchange(n->re);
        exchange(n->im);
        join_eights(first, 0, 1, n->re, n->im);
    }
}

/* Does all levels of a node of one or of four tiles. */
GF_INLINE void walk_near(const struct gf_fft *f, enum way way, const float *values, int64_t points,
                         const struct node *n)
{
    if (points == GF_FFT_TILE) {
        walk_tile(f, way, values, n);
        return;
    }
    if (way != BACKWARD)
        split_four(GF_FFT_TILE, f->turns, n->i, n->re, n->im);
    for (int k = 0; k < 4; k++) {
        const struct node child = child_of(n, 4, k, GF_FFT_TILE);

        walk_tile(f, way, values, &child);
    }
    if (way != FORWARD)
        join_four(GF_FFT_TILE, f->turns, n->i, n->re, n->im);
}

GF_CLONES
static void near_forward(const struct gf_fft *f, int64_t points, const struct node *n)
{
    walk_near(f, FORWARD, NULL, points, n);
}

GF_CLONES
static void near_backward(const struct gf_fft *f, int64_t points, const struct node *n)
{
    walk_near(f, BACKWARD, NULL, points, n);
}

GF_CLONES
static void near_through(const struct gf_fft *f, const float *values, int64_t points, const struct node *n)
{
    walk_near(f, THROUGH, values, points, n);
}

/* ---- larger nodes ---- */

GF_CLONES
static void far_split(int64_t s, const float *turns, int64_t i, float *re, float *im)
{
    split_four(s, turns, i, re, im);
}

GF_CLONES
static void far_join(int64_t s, const float *turns, int64_t i, float *re, float *im)
{
    join_four(s, turns, i, re, im);
}

/* One level, for lengths that are no power of four. */
GF_CLONES
static void split_two(int64_t s, const float *turns, int64_t i, float *re, float *im)
{
    GF_NO_OVERLAP
    for (int64_t q = 0; q < s; q++)
        gf_fft_split(re + q, im + q, re + q + s, im + q + s, turns[2 * i], turns[2 * i + 1]);
}

GF_CLONES
static void join_two(int64_t s, const float *turns, int64_t i, float *re, float *im)
{
    GF_NO_OVERLAP
    for (int64_t q = 0; q < s; q++)
        gf_fft_join(re + q, im + q, re + q + s, im + q + s, turns[2 * i], turns[2 * i + 1]);
}

/* Does all levels of a node. */
static void walk(const struct gf_fft *f, enum way way, const float *values, int64_t points, const struct node *n)
{
    const int children = __builtin_ctzll((unsigned long long)points) % 2 ? 2 : 4;
    const int64_t s = points / children;

    if (points == GF_FFT_TILE || points == 4 * GF_FFT_TILE) {
        if (way == THROUGH)
            near_through(f, values, points, n);
        else
            (way == FORWARD ? near_forward : near_backward)(f, points, n);
        return;
    }
    if (way != BACKWARD)
        (children == 2 ? split_two : far_split)(s, f->turns, n->i, n->re, n->im);
    for (int k = 0; k < children; k++) {
        const struct node child = child_of(n, children, k, s);

        walk(f, way, values, s, &child);
    }
    if (way != FORWARD)
        (children == 2 ? join_two : far_join)(s, f->turns, n->i, n->re, n->im);
}

void gf_fft_forward(const struct gf_fft *f, float *re, float *im)
{
    walk(f, FORWARD, NULL, f->points, &(struct node) { 1, 0, re, im });
}

void gf_fft_backward(const struct gf_fft *f, float *re, float *im)
{
    walk(f, BACKWARD, NULL, f->points, &(struct node) { 1, 0, re, im });
}

void gf_fft_through(const struct gf_fft *f, const float *values, float *re, float *im)
{
    walk(f, THROUGH, values, f->points, &(struct node) { 1, 0, re, im });
}

/* ---- products ---- */

GF_CLONES
static void multiply(int64_t points, const float *a, const float *b, float *sum)
{
    GF_NO_OVERLAP
    for (int64_t k = 0; k < points; k++)
        gf_fft_product(a[k], a[points + k], b[k], b[points + k], sum + k, sum + points + k);
}

GF_CLONES
static void multiply_add(int64_t points, const float *a, const float *b, float *sum)
{
    GF_NO_OVERLAP
    for (int64_t k = 0; k < points; k++)
        gf_fft_add_product(a[k], a[points + k], b[k], b[points + k], sum + k, sum + points + k);
}

void gf_fft_multiply(int64_t points, const float *a, const float *b, float *sum)
{
    multiply(points, a, b, sum);
}

void gf_fft_multiply_add(int64_t points, const float *a, const float *b, float *sum)
{
    multiply_add(points, a, b, sum);
}
