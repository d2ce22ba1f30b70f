/* Deconvolution after Richardson and Lucy, with a fixed number of iterations, so that an image streams. */
#ifndef GF_KERNELS_LUCY_H
#define GF_KERNELS_LUCY_H

#include "kernels/neighbourhood/fftmask.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GF_LUCY_MAX_ITERATIONS 500
#define GF_LUCY_MAX_RADIUS 127

/*
 * Changes the first `colours` channels and copies the others. An estimate u begins as 0.5. Each iteration computes,
 * with `border` around u and around r,
 *  c = sum of weight(-i, -j)·u(x + i, y + j) + 1e-12
 *  r = v / c, or with damping gf_lucy_damped()
 *  u = u·sum of weight(i, j)·r(x + i, y + j), or with total variation gf_lucy_even()
 * for i from -rx to rx and j from -ry to ry. The mask has their weights at masks + at, by rows; those of 0 are
 * skipped. A separable one has a line of weights for i and then one for j; sums along the columns are rounded to float
 * before those along the units. Sums are fma chains in the order of j, then i, from 0.
 *
 * With `tiles`, both sums are those of gf_op_fftmask, whose rounding may make them negative beside bright places. The
 * first is at least v·least then, except in the first iteration, and the second at least 0. A tile has ry units of
 * results, so that an iteration reaches as far as without tiles. Total variation cannot have tiles: in flat places it
 * makes a pattern of rounding.
 */
struct gf_lucy {
    int iterations;
    int colours;
    int rx, ry;
    int taps;                    /* weights that are not 0; of both lines together if it is separable */
    bool separable;
    int64_t at;                  /* not with tiles */
    struct gf_fftmask tiles;     /* f.size is 0: none */
    int64_t turned_at;           /* with tiles: spectra of the mask turned by half a turn, for the first sum */
    float least;                 /* with tiles: a quarter of the sum of squares of the weights */
    float damping;               /* 1 / threshold; 0: none */
    float even;                  /* weight of total variation; 0: none, as with tiles */
    enum gf_border border;       /* not GF_WRAP */
};

#define GF_LUCY_TILE_TAPS 400            /* from here on, tiles are faster than taps */

/* Returns true if the sums are made by Fourier transforms of tiles. */
GF_BOTH bool gf_lucy_has_tiles(const struct gf_lucy *p)
{
    return p->tiles.f.size > 0;
}

/* Returns the units that a call computes for a span of its result: those of whole tiles. */
static inline struct gf_span gf_lucy_units(const struct gf_lucy *p, struct gf_span s, int64_t units)
{
    return gf_lucy_has_tiles(p) ? gf_fftmask_tiles_of(&p->tiles, s, units) : s;
}

/* Returns the units around one of the result that an iteration reads of the estimate. */
GF_BOTH int gf_lucy_step(const struct gf_lucy *p)
{
    return 2 * p->ry > 0 ? 2 * p->ry : p->even > 0 ? 1 : 0;
}

/* Returns the units of the source around one of the result. */
GF_BOTH int gf_lucy_reach(const struct gf_lucy *p)
{
    return (p->iterations - 1) * gf_lucy_step(p) + p->ry;
}

/*
 * Returns a sum of tiles, but at least v·least. u gets psf·r, so that psf * u at a sample is about v·Σ psf²
 * or more after the first iteration. A sum near 0 is wrong then, and a ratio by it would make a bright spot.
 */
GF_BOTH float gf_lucy_bounded(float sum, float v, float least)
{
    const float bound = v * least;

    return sum > bound ? sum : bound;
}

/* Returns r, nearer to 1 if v and c differ less than the threshold; the power is that of White's damped iteration. */
GF_BOTH float gf_lucy_damped(float v, float c, float damping)
{
    const float d = (v - c) * damping, square = d * d, u = square < 1 ? square : 1, u2 = u * u, u4 = u2 * u2;

    return fmaf(u4 * u4 * u * fmaf(-9.0f, u, 10.0f), (v - c) / c, 1.0f);
}

GF_BOTH float gf_lucy_ratio(const struct gf_lucy *p, float v, float sum)
{
    const float c = sum + 1e-12f;

    return p->damping > 0 ? gf_lucy_damped(v, c, p->damping) : v / c;
}

/* A slope, and its length, which is never 0; total variation uses slopes of the length 1. */
GF_BOTH float gf_lucy_length(float g, float h)
{
    return sqrtf(fmaf(g, g, h * h) + 1e-8f);
}

/* The new estimate for the sum of r; `bend` is the divergence of the slopes of the length 1. */
GF_BOTH float gf_lucy_even(float u, float sum, float bend, float even)
{
    return u / fmaf(-even, bend, 1.0f) * sum;
}

extern const struct gf_operation gf_op_lucy;
gf_op_body gf_lucy_cpu, gf_lucy_cuda;

#ifdef __cplusplus
}
#endif
#endif
