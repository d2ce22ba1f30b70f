/* Stored samples to samples of another type, rounded once: for point operations that change no values. */
#ifndef GF_KERNELS_CONVERT_H
#define GF_KERNELS_CONVERT_H

#include "kernels/base/op.h"

/*
 * A sample x, as it is stored, becomes the integer nearest to x · scale / divisor: ties to even, clamped, NaN to 0. It
 * is computed in double. The product is exact, except that of a double with a scale that is no power of two, and no
 * quotient is so close to the middle between two integers that rounding it moves it there.
 */
struct gf_conversion {
    double scale, divisor, least, most;
    int shift;                           /* to the upper bits of the container */
};

static inline bool gf_conversion_is_signed(enum gf_type type)
{
    return type == GF_S16 || type == GF_S32;
}

/* Returns the stored sample that means 1. */
static inline double gf_conversion_one(const struct gf_block *b)
{
    return gf_type_is_float(b->type) ? 1 : b->type == GF_S16 ? 32768.0 : b->type == GF_S32 ? 2147483648.0 : b->maxval;
}

/*
 * Returns true if floats between the two blocks would round to the same integers: they have each value, or no value is
 * in the middle between two integers, or so close to it that their error, less than 2^-22 of the integer, matters.
 */
static inline bool gf_conversion_floats_suffice(const struct gf_block *src, const struct gf_block *dst)
{
    const bool has_each = src->type == GF_F32 || src->type == GF_S16 || (src->type == GF_S32 && src->bits <= 24);
    int64_t common;

    if (gf_conversion_is_signed(dst->type))
        return has_each;
    if (gf_type_is_float(src->type) || gf_conversion_is_signed(src->type))
        return false;
    common = gf_common_divisor(src->maxval, dst->maxval);
    return src->maxval / common % 2 == 1 && src->maxval / common * (int64_t)dst->maxval < INT64_C(1) << 22;
}

/* Returns true and sets *c if a call only turns packed samples into integers, and floats between could round twice. */
static inline bool gf_conversion_make(const struct gf_io *io, struct gf_conversion *c)
{
    const struct gf_block *src = &io->src, *dst = &io->dst;
    const double one = gf_conversion_one(src), most = dst->maxval;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || src->planar || dst->planar
        || src->channels != dst->channels || gf_type_is_float(dst->type) || gf_conversion_floats_suffice(src, dst))
        return false;
    *c = (struct gf_conversion) { most, 1, 0, most, 0 };
    if (gf_conversion_is_signed(dst->type)) {
        c->scale = (double)(INT64_C(1) << (dst->bits - 1));
        c->most = c->scale - 1;
        c->least = -c->scale;
        c->shift = (dst->type == GF_S16 ? 16 : 32) - dst->bits;
    }
    if (gf_conversion_is_signed(src->type))
        c->scale /= one;
    else
        c->divisor = one;
    return true;
}

/* Rounds and clamps x · scale / divisor. The sum with 1.5 · 2^52 has no fraction: it is rounded, ties to even. */
GF_BOTH int32_t gf_conversion_round(const struct gf_conversion *c, double quotient)
{
    const double magic = 6755399441055744.0, number = quotient == quotient ? quotient : 0;
    const double low = number > c->least ? number : c->least, t = low < c->most ? low : c->most;

    return (int32_t)((uint32_t)(int32_t)((t + magic) - magic) << c->shift);
}

#ifdef __cplusplus
extern "C" {
#endif

/* Converts the samples of a call on a CPU. Returns false if gf_conversion_make() does. */
bool gf_convert_apply(const struct gf_io *io);

#ifdef __cplusplus
}
#endif
#endif
