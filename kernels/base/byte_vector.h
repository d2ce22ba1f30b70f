/* Vectors of 64 bytes, for functions that permute them. */
#ifndef GF_KERNELS_BYTE_VECTOR_H
#define GF_KERNELS_BYTE_VECTOR_H

#include "base/clones.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * Vectors of GCC, for processors that permute the bytes of 512 bits (x86 since about 2019). Compilers make
 * none of these instructions from loops.
 */
#if defined(__x86_64__) && defined(__has_builtin) && !defined(GF_NO_CLONES)
#if __has_builtin(__builtin_shuffle)
#define GF_HAS_BYTE_VECTORS 1
#define GF_BYTE_VECTORS __attribute__((target("arch=x86-64-v4,avx512vbmi")))

typedef uint8_t gf_byte_vector __attribute__((vector_size(64)));
typedef int16_t gf_word_vector __attribute__((vector_size(64)));
typedef int32_t gf_int_vector __attribute__((vector_size(64)));
typedef float gf_float_vector __attribute__((vector_size(64)));

/* Returns true if this processor runs functions marked GF_BYTE_VECTORS. */
static inline bool gf_runs_byte_vectors(void)
{
    return __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}

/* Loads floats to a register. Otherwise gcc loads them again for each product, and most loads cross a cache line. */
GF_BYTE_VECTORS GF_INLINE gf_float_vector gf_float_vector_load(const float *s)
{
    gf_float_vector v;

    memcpy(&v, s, sizeof v);
    __asm__("" : "+v"(v));
    return v;
}

/* Returns fma(v, by, sum). */
GF_BYTE_VECTORS GF_INLINE gf_float_vector gf_float_vector_fma(gf_float_vector v, gf_float_vector by,
                                                              gf_float_vector sum)
{
    return (gf_float_vector)__builtin_ia32_vfmaddps512_mask(v, by, sum, -1, 4);
}

/*
 * Adds to each integer the products of four unsigned bytes of v and four signed bytes of `by`. Only processors with
 * avx512vnni have this instruction.
 */
GF_BYTE_VECTORS GF_INLINE gf_int_vector gf_int_vector_add_products(gf_int_vector sum, gf_byte_vector v,
                                                                   gf_byte_vector by)
{
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(v), "v"(by));
    return sum;
}
#endif
#endif

#endif
