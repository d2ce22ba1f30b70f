/* Compiles hot loops for several vector widths; the best one is chosen when the program starts. */
#ifndef GF_BASE_CLONES_H
#define GF_BASE_CLONES_H

#include "base/sanitizer.h"

/*
 * glibc selects the clone for the processor; other systems use the plain build. Sanitizer builds
 * do so too, because glibc selects before the sanitizer has started, and the selecting functions
 * would crash. A build with GF_NO_CLONES uses the instructions that its flags allow and no others.
 */
#if defined(GF_NO_CLONES)
#define GF_CLONES
#elif defined(__x86_64__) && defined(__gnu_linux__) && !defined(GF_SANITIZER)
#if defined(__clang__)                   /* older versions of clang never select the levels v3 and v4 */
#define GF_CLONES __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define GF_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
#else
#define GF_CLONES
#endif

#define GF_INLINE static inline __attribute__((always_inline))

/* Before a loop: no pass reads what another one writes. */
#if defined(__clang__)
#define GF_NO_OVERLAP _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define GF_NO_OVERLAP _Pragma("GCC ivdep")
#else
#define GF_NO_OVERLAP
#endif

/* For the functions after it in a file: gcc combines no passes of an outer loop, whose inner loop becomes vectors. */
#if defined(__GNUC__) && !defined(__clang__)
#define GF_KEEP_LOOPS_APART _Pragma("GCC optimize(\"no-loop-unroll-and-jam\")")
#else
#define GF_KEEP_LOOPS_APART
#endif

#endif
