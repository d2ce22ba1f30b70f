/* C bodies' way in and out: packed samples to rows of floats and back, with point programs on the way. */
#ifndef GF_PACK_H
#define GF_PACK_H

#include <math.h>

#include "kernels/base/op.h"

#define GF_RUN_PIXELS 2048               /* pixels that are worked on at a time: a few rows of floats in the nearest cache */
#define GF_RUN_SAMPLES 16384

/*
 * x / one, correctly rounded: one step of refinement on the product with the reciprocal.
 * Powers of two need none, and the step would change nothing.
 */
static inline __attribute__((always_inline)) float gf_unit_value(float x, float one, float inverse)
{
    const float q = x * inverse;

    return fmaf(fmaf(-q, one, x), inverse, q);
}

/* Sample (0, unit) of channel c. */
static inline float *gf_plane_at(const struct gf_block *b, int c, int64_t unit)
{
    return (float *)b->data + c * b->plane_samples + (unit - b->span.start) * b->pitch_samples;
}

/* Whether units lie without gaps, so that many are one run of pixels. */
static inline bool gf_block_is_run(const struct gf_block *b)
{
    return b->pitch_samples == b->width * (b->planar ? 1 : b->channels);
}

/* The units of src that dst needs, `before` and `after` each of its own: as far as src has them, or all where the border wraps. */
static inline struct gf_span gf_span_around(const struct gf_io *io, int64_t before, int64_t after, enum gf_border border)
{
    const struct gf_span all = io->src.span, s = { io->dst.span.start - before, io->dst.span.end + after };

    if (border == GF_WRAP)
        return all;
    return (struct gf_span) { s.start < all.start ? all.start : s.start, s.end > all.end ? all.end : s.end };
}

/* What a part of scratch takes up: whole lines of the cache, so that the next part begins on one. */
static inline size_t gf_padded_bytes(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static inline size_t gf_padded_floats(size_t floats)
{
    return gf_padded_bytes(floats * sizeof(float)) / sizeof(float);
}

/* n pixels from pixel x of `unit` on, as floats: row[c] gets channel c. */
void gf_load_pixels(const struct gf_block *b, int64_t unit, int64_t x, int64_t n, float *const *row);
/* And back. Stored samples are rounded, ties to even, clamped; NaN is 0. */
void gf_store_pixels(const struct gf_block *b, int64_t unit, int64_t x, int64_t n, const float *const *row);

/*
 * Runs a program over n pixels, in place: row[c] is channel c. Rows may be handed on from
 * one channel to another, so row[] is changed; it has room for gf_point_widest() rows.
 */
void gf_point_run(const struct gf_point *p, const float *tables, float **row, int64_t n);

/* The widest a pixel gets between a call's source and its result. */
int gf_point_widest_of(const struct gf_io *io);

/* The point operation itself, which can't fail. */
void gf_point_apply(const struct gf_work *work, const struct gf_io *io);

/*
 * The units of io->src that `part` names, as planar floats with io->load applied: the
 * block itself where it is that already, else converted into `scratch`.
 */
struct gf_block gf_planar_source(const struct gf_work *work, const struct gf_io *io, struct gf_span part, float *scratch);
/* Floats of scratch that takes. */
size_t gf_planar_source_samples(const struct gf_io *io, int64_t units);

/* Where a body may put planar results of dst's shape: dst itself, or `scratch` (then finish with gf_planar_finish). */
struct gf_block gf_planar_result(const struct gf_io *io, int channels, float *scratch);
size_t gf_planar_result_samples(const struct gf_io *io, int channels);
/* Bytes of both, for `part` of the source, where as many channels come out as were loaded. */
size_t gf_planar_scratch_bytes(const struct gf_io *io, struct gf_span part);
void gf_planar_finish(const struct gf_work *work, const struct gf_io *io, const struct gf_block *result);

#endif
