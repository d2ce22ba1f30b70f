/* The samples beyond the border of a signal: the five values of `edge=`. */
#ifndef GF_KERNELS_BORDER_H
#define GF_KERNELS_BORDER_H

#include "base/signal.h"

#include <string.h>

enum gf_border { GF_CLAMP, GF_REFLECT, GF_MIRROR, GF_WRAP, GF_ZERO };

/* Returns i modulo n, in [0, n) also for negative i. */
GF_BOTH int64_t gf_modulo(int64_t i, int64_t n)
{
    int64_t r = i % n;
    return r < 0 ? r + n : r;
}

/* Returns the index in [0, n) whose sample replaces sample i, or -1 for zero. */
GF_BOTH int64_t gf_border_index(enum gf_border border, int64_t i, int64_t n)
{
    int64_t r;

    if (i >= 0 && i < n)
        return i;
    switch (border) {
    case GF_CLAMP:
        return i < 0 ? 0 : n - 1;
    case GF_REFLECT:                        /* dcba|abcd|dcba */
        r = gf_modulo(i, 2 * n);
        return r < n ? r : 2 * n - 1 - r;
    case GF_MIRROR:                         /* dcb|abcd|cba */
        if (n == 1)
            return 0;
        r = gf_modulo(i, 2 * n - 2);
        return r < n ? r : 2 * n - 2 - r;
    case GF_WRAP:
        return gf_modulo(i, n);
    default:
        return -1;
    }
}

/*
 * Copies a line of `length` items of some bytes each, with items beyond its ends: to[i] = line[first + i], i in [0, n).
 */
static inline void gf_border_copy(const void *line, int64_t length, size_t bytes, enum gf_border border, int64_t first,
                                  int64_t n, void *to)
{
    const char *from = (const char *)line;
    char *out = (char *)to;

    for (int64_t i = 0; i < n; i++) {
        const int64_t at = gf_border_index(border, first + i, length), left = n - i < length - at ? n - i : length - at;

        if (at < 0) {
            memset(out + i * (int64_t)bytes, 0, bytes);
        } else if (at != first + i) {
            memcpy(out + i * (int64_t)bytes, from + at * (int64_t)bytes, bytes);
        } else {
            memcpy(out + i * (int64_t)bytes, from + at * (int64_t)bytes, (size_t)left * bytes);
            i += left - 1;
        }
    }
}

#endif
