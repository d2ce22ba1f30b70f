/* Sums of windows along a row by doubling: sums of 2^k neighbors are two sums of half as many. */
#ifndef GF_KERNELS_BOX_DOUBLING_H
#define GF_KERNELS_BOX_DOUBLING_H

#include "base/clones.h"

#include <stdint.h>
#include <string.h>

/*
 * Defines sum_windows() for samples of type T: to[i] is the sum of `side` samples of the line, `step` samples apart,
 * from i on. The line has (side - 1)·step samples more than the n of the result, and is overwritten.
 */
#define GF_BOX_SUM_WINDOWS(T) \
    /* a[i] += a[i + step]: samples are read before they are written. */ \
    GF_CLONES \
    static void add_ahead_##T(T *a, int64_t step, int64_t n) \
    { \
        const T *ahead = a + step; \
        \
        for (int64_t i = 0; i < n; i++) \
            a[i] = (T)(a[i] + ahead[i]); \
    } \
    \
    GF_CLONES \
    static void add_row_##T(T *restrict to, const T *restrict from, int64_t n) \
    { \
        for (int64_t i = 0; i < n; i++) \
            to[i] = (T)(to[i] + from[i]); \
    } \
    \
    static void sum_windows(T *line, int64_t n, int64_t step, int side, T *to) \
    { \
        int64_t length = n + (side - 1) * step, done = 0; \
        \
        for (int size = 1; size <= side; size *= 2) {    /* line[i] is the sum of `size` samples from i on */ \
            if (side & size) { \
                if (done == 0) \
                    memcpy(to, line, (size_t)n * sizeof *to); \
                else \
                    add_row_##T(to, line + done * step, n); \
                done += size; \
            } \
            length -= size * step; \
            if (2 * size <= side) \
                add_ahead_##T(line, size * step, length); \
        } \
    }

#endif
