/* Wider vectors, chosen when the program starts: one line before a hot loop. */
#ifndef GF_BASE_CLONES_H
#define GF_BASE_CLONES_H

#include "base/sanitizer.h"

/*
 * glibc picks the clone by asking the processor; elsewhere the plain build serves. So it does under a sanitizer: glibc asks
 * before the sanitizer has begun, and the functions that answer would crash.
 */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(GF_SANITIZER)
#if defined(__clang__)                   /* whose older versions match levels with no processor */
#define GF_CLONES __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define GF_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
#else
#define GF_CLONES
#endif

#define GF_INLINE static inline __attribute__((always_inline))

#endif
