/*
 * Fourier transforms of lengths that are powers of two, with one order of operations on every
 * device: what both bodies of an operation share, and the transforms of a CPU.
 *
 * Points z[0 … n) are the coefficients of a polynomial modulo x^n - e^iθ. That is a product:
 *
 *     x^n - e^iθ = (x^(n/2) - e^iθ/2) · (x^(n/2) + e^iθ/2)
 *
 * so a level of the transform splits a polynomial into its remainders by both factors, u + w·v and
 * u - w·v, where u and v are its lower and upper half and w = e^iθ/2. After log2(n) levels the
 * remainders are values of the polynomial at n points of the unit circle. Node i of the tree of
 * factors has the children 2i and 2i + 1; the root is node 1, and w of a node is its turn. Turns
 * are numbers, not formulas, so the order in which nodes are visited changes no bit.
 *
 * GF_FFT_CIRCLE: θ = 0, the usual transform; value number p is that at frequency -reversed(p), the
 * bits of p in reverse.
 * GF_FFT_FILTER: θ = π/2. 2n real samples x are n points x[t] + i·x[n + t], and products of values
 * are those of real polynomials modulo x^2n + 1: a convolution whose end returns, negated, to its
 * beginning. Blocks that overlap discard that part, so real samples need no further step.
 */
#ifndef GF_KERNELS_FFT_H
#define GF_KERNELS_FFT_H

#include "base/signal.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Values are stored by tiles: eight nodes of eight values, value by value. */
#define GF_FFT_SIDE 8
#define GF_FFT_TILE (GF_FFT_SIDE * GF_FFT_SIDE)
#define GF_FFT_LEAST_POINTS GF_FFT_TILE
#define GF_FFT_MOST_POINTS (1 << 23)

enum gf_fft_ring { GF_FFT_CIRCLE, GF_FFT_FILTER };

/*
 * A transform. The turns are those of nodes 1 to points/8 - 1 as pairs, from the second pair on,
 * then for each tile the turns of its last three levels: of its eight nodes n, of nodes 2n, of
 * nodes 4n and of nodes 4n + 2, real parts before imaginary ones. An odd node has i times the turn
 * of the node before it.
 */
struct gf_fft {
    int64_t points;
    const float *turns;
};

/* Returns the floats of the turns; even. */
static inline int64_t gf_fft_turns_floats(int64_t points)
{
    return points / 4 + points;
}

/* Returns where value number p is stored. */
GF_BOTH int64_t gf_fft_place(int64_t p)
{
    return p / GF_FFT_TILE * GF_FFT_TILE + p % GF_FFT_SIDE * GF_FFT_SIDE + p % GF_FFT_TILE / GF_FFT_SIDE;
}

/* ---- arithmetic ---- */

/* Replaces u and v by the remainders u + w·v and u - w·v. */
GF_BOTH void gf_fft_split(float *ur, float *ui, float *vr, float *vi, float wr, float wi)
{
    const float pr = fmaf(-wi, *vi, fmaf(wr, *vr, *ur)), pi = fmaf(wi, *vr, fmaf(wr, *vi, *ui));

    *vr = fmaf(2.0f, *ur, -pr);
    *vi = fmaf(2.0f, *ui, -pi);
    *ur = pr;
    *ui = pi;
}

/* The inverse, twice as large. */
GF_BOTH void gf_fft_join(float *ur, float *ui, float *vr, float *vi, float wr, float wi)
{
    const float dr = *ur - *vr, di = *ui - *vi;

    *ur += *vr;
    *ui += *vi;
    *vr = fmaf(dr, wr, di * wi);
    *vi = fmaf(di, wr, -(dr * wi));
}

GF_BOTH void gf_fft_product(float ar, float ai, float br, float bi, float *re, float *im)
{
    *re = fmaf(ar, br, -(ai * bi));
    *im = fmaf(ar, bi, ai * br);
}

GF_BOTH void gf_fft_add_product(float ar, float ai, float br, float bi, float *re, float *im)
{
    *re = fmaf(-ai, bi, fmaf(ar, br, *re));
    *im = fmaf(ai, br, fmaf(ar, bi, *im));
}

/* ---- turns, and a transform in double ---- */

/* Computes the turns of all nodes but the first pair: 2·points doubles. */
void gf_fft_fill_tree(int64_t points, enum gf_fft_ring ring, double *tree);
/* Rounds them to those of a transform. */
void gf_fft_fill_turns(int64_t points, const double *tree, float *turns);
/* Replaces points by their values, in the order of their numbers. */
void gf_fft_in_double(int64_t points, const double *tree, double *re, double *im);

/* ---- on a CPU ---- */

/* Replaces points by their values, stored by tiles. */
void gf_fft_forward(const struct gf_fft *f, float *re, float *im);
/* Replaces values by `points` times the points. */
void gf_fft_backward(const struct gf_fft *f, float *re, float *im);
/* Forward, times values of as many real parts and then imaginary ones, and backward. */
void gf_fft_through(const struct gf_fft *f, const float *values, float *re, float *im);

/* Computes sum = a·b, or adds that to the sum: values of real parts, then of imaginary ones. */
void gf_fft_multiply(int64_t points, const float *a, const float *b, float *sum);
void gf_fft_multiply_add(int64_t points, const float *a, const float *b, float *sum);

#ifdef __cplusplus
}
#endif
#endif
