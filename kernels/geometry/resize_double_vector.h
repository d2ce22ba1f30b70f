/* Sums of doubled lines, in vectors of 64 bytes. */
#ifndef GF_GEOMETRY_RESIZE_DOUBLE_VECTOR_H
#define GF_GEOMETRY_RESIZE_DOUBLE_VECTOR_H

#include "base/clones.h"
#include "kernels/base/byte_vector.h"

#ifdef GF_HAS_BYTE_VECTORS
GF_BYTE_VECTORS GF_INLINE gf_float_vector gf_resize_add_product(gf_float_vector v, float weight, gf_float_vector sum)
{
    return gf_float_vector_fma(v, (gf_float_vector){ 0 } + weight, sum);
}

/*
 * Returns both phases of a vector of inputs as words in turn, rounded, but not limited. The sums of bytes are so small
 * that they can be limited as words: those below 0 are negative there.
 */
GF_BYTE_VECTORS GF_INLINE gf_word_vector gf_resize_double_vector(const float *first, const float *second,
                                                                 const float *s, int count, int channels, float one)
{
    gf_float_vector a = gf_resize_add_product(gf_float_vector_load(s), first[0], (gf_float_vector){ 0 }), b = { 0 };

    for (int k = 1; k < count; k++) {
        const gf_float_vector v = gf_float_vector_load(s + k * channels);

        a = gf_resize_add_product(v, first[k], a);
        b = gf_resize_add_product(v, second[k - 1], b);
    }
    b = gf_resize_add_product(gf_float_vector_load(s + count * channels), second[count - 1], b);
    a = a * one + 8388608.0f;
    b = b * one + 8388608.0f;
    return (gf_word_vector)(((gf_int_vector)a & 65535) | (gf_int_vector)b << 16);
}
#endif

#endif
