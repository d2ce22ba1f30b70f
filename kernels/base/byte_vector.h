/* Vectors of 64 bytes, for functions that permute them. */
#ifndef GF_KERNELS_BYTE_VECTOR_H
#define GF_KERNELS_BYTE_VECTOR_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Vectors of GCC, for processors that permute the bytes of 512 bits (x86 since about 2019). Compilers make
 * none of these instructions from loops.
 */
#if defined(__x86_64__) && defined(__has_builtin)
#if __has_builtin(__builtin_shuffle)
#define GF_HAS_BYTE_VECTORS 1
#define GF_BYTE_VECTORS __attribute__((target("arch=x86-64-v4,avx512vbmi")))

typedef uint8_t gf_byte_vector __attribute__((vector_size(64)));

/* Returns true if this processor runs functions marked GF_BYTE_VECTORS. */
static inline bool gf_runs_byte_vectors(void)
{
    return __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}
#endif
#endif

#endif
