/* Channels of packed RGB and RGBA bytes, separated and joined. */
#include "kernels/base/byte_shuffle.h"

#include "base/clones.h"
#include "kernels/base/byte_vector.h"

#include <string.h>

GF_CLONES
static void split_any(const uint8_t *restrict rgb, int64_t n, uint8_t *restrict r, uint8_t *restrict g,
                      uint8_t *restrict b)
{
    for (int64_t i = 0; i < n; i++) {
        r[i] = rgb[3 * i];
        g[i] = rgb[3 * i + 1];
        b[i] = rgb[3 * i + 2];
    }
}

GF_CLONES
static void join_any(const uint8_t *restrict r, const uint8_t *restrict g, const uint8_t *restrict b, int64_t n,
                     uint8_t *restrict rgb)
{
    for (int64_t i = 0; i < n; i++) {
        rgb[3 * i] = r[i];
        rgb[3 * i + 1] = g[i];
        rgb[3 * i + 2] = b[i];
    }
}

#ifdef GF_HAS_BYTE_VECTORS
#define SIZE ((int)sizeof(gf_byte_vector))

/* Positions for two permutations: of the first two vectors, then of that result and the third vector. */
struct positions {
    gf_byte_vector first, second;
};

/* Fills the positions that gather every third sample, from sample c on, of three vectors. */
GF_INLINE void find_split(int c, int bytes, struct positions *p)
{
    for (int i = 0; i < SIZE; i++) {
        const int from = (3 * (i / bytes) + c) * bytes + i % bytes;

        p->first[i] = (uint8_t)(from % (2 * SIZE));
        p->second[i] = (uint8_t)(from < 2 * SIZE ? i : SIZE + from - 2 * SIZE);
    }
}

/* Fills the positions that put three vectors into vector k of their pixels. */
GF_INLINE void find_join(int k, int bytes, struct positions *p)
{
    for (int i = 0; i < SIZE; i++) {
        const int sample = (k * SIZE + i) / bytes, channel = sample % 3, from = sample / 3 * bytes + i % bytes;

        p->first[i] = (uint8_t)(channel == 1 ? SIZE + from : from);
        p->second[i] = (uint8_t)(channel == 2 ? SIZE + from : i);
    }
}

GF_INLINE void permute(const gf_byte_vector *v, const struct positions *p, gf_byte_vector *to)
{
    *to = __builtin_shuffle(__builtin_shuffle(v[0], v[1], p->first), v[2], p->second);
}

/* Moves i to the last vector before n if there is no whole one from i on. Returns false if all are too short. */
GF_INLINE bool find_vector(int64_t *i, int64_t n)
{
    if (n - *i < SIZE)
        *i = n - SIZE;
    return *i >= 0;
}

/*
 * Separates the channels of n bytes each, in samples of `bytes` bytes, and returns how many are done: all, or none if
 * they are fewer than a vector. The last vector may overlap the one before. Positions are constants if `bytes` is one.
 */
GF_BYTE_VECTORS GF_INLINE int64_t split_vectors(const uint8_t *rgb, int bytes, int64_t n, uint8_t *r, uint8_t *g,
                                                uint8_t *b)
{
    struct positions p[3];
    uint8_t *const to[3] = { r, g, b };
    int64_t i = 0;

    for (int c = 0; c < 3; c++)
        find_split(c, bytes, &p[c]);
    for (; i < n && find_vector(&i, n); i += SIZE) {
        gf_byte_vector v[3], one;

        memcpy(v, rgb + 3 * i, sizeof v);
        for (int c = 0; c < 3; c++) {
            permute(v, &p[c], &one);
            memcpy(to[c] + i, &one, sizeof one);
        }
    }
    return n < SIZE ? 0 : n;
}

GF_BYTE_VECTORS
static int64_t split_bytes(const uint8_t *rgb, int64_t n, uint8_t *r, uint8_t *g, uint8_t *b)
{
    return split_vectors(rgb, 1, n, r, g, b);
}

GF_BYTE_VECTORS
static int64_t split_words(const uint16_t *rgb, int64_t n, uint16_t *r, uint16_t *g, uint16_t *b)
{
    return split_vectors((const uint8_t *)rgb, 2, 2 * n, (uint8_t *)r, (uint8_t *)g, (uint8_t *)b) / 2;
}

GF_BYTE_VECTORS GF_INLINE int64_t join_vectors(const uint8_t *r, const uint8_t *g, const uint8_t *b, int bytes,
                                               int64_t n, uint8_t *rgb)
{
    struct positions p[3];
    int64_t i = 0;

    for (int k = 0; k < 3; k++)
        find_join(k, bytes, &p[k]);
    for (; i < n && find_vector(&i, n); i += SIZE) {
        gf_byte_vector v[3], to[3];

        memcpy(&v[0], r + i, SIZE);
        memcpy(&v[1], g + i, SIZE);
        memcpy(&v[2], b + i, SIZE);
        for (int k = 0; k < 3; k++)
            permute(v, &p[k], &to[k]);
        memcpy(rgb + 3 * i, to, sizeof to);
    }
    return n < SIZE ? 0 : n;
}

GF_BYTE_VECTORS
static int64_t join_bytes(const uint8_t *r, const uint8_t *g, const uint8_t *b, int64_t n, uint8_t *rgb)
{
    return join_vectors(r, g, b, 1, n, rgb);
}

GF_BYTE_VECTORS
static int64_t join_words(const uint16_t *r, const uint16_t *g, const uint16_t *b, int64_t n, uint16_t *rgb)
{
    return join_vectors((const uint8_t *)r, (const uint8_t *)g, (const uint8_t *)b, 2, 2 * n, (uint8_t *)rgb) / 2;
}
#endif

void gf_split_rgb(const uint8_t *rgb, int64_t n, uint8_t *r, uint8_t *g, uint8_t *b)
{
    int64_t i = 0;

#ifdef GF_HAS_BYTE_VECTORS
    if (gf_runs_byte_vectors())
        i = split_bytes(rgb, n, r, g, b);
#endif
    if (i < n)
        split_any(rgb + 3 * i, n - i, r + i, g + i, b + i);
}

GF_CLONES
static void split_any_words(const uint16_t *restrict rgb, int64_t n, uint16_t *restrict r, uint16_t *restrict g,
                            uint16_t *restrict b)
{
    for (int64_t i = 0; i < n; i++) {
        r[i] = rgb[3 * i];
        g[i] = rgb[3 * i + 1];
        b[i] = rgb[3 * i + 2];
    }
}

void gf_split_rgb_words(const uint16_t *rgb, int64_t n, uint16_t *r, uint16_t *g, uint16_t *b)
{
    int64_t i = 0;

#ifdef GF_HAS_BYTE_VECTORS
    if (gf_runs_byte_vectors())
        i = split_words(rgb, n, r, g, b);
#endif
    if (i < n)
        split_any_words(rgb + 3 * i, n - i, r + i, g + i, b + i);
}

void gf_join_rgb(const uint8_t *r, const uint8_t *g, const uint8_t *b, int64_t n, uint8_t *rgb)
{
    int64_t i = 0;

#ifdef GF_HAS_BYTE_VECTORS
    if (gf_runs_byte_vectors())
        i = join_bytes(r, g, b, n, rgb);
#endif
    if (i < n)
        join_any(r + i, g + i, b + i, n - i, rgb + 3 * i);
}

GF_CLONES
static void join_any_words(const uint16_t *restrict r, const uint16_t *restrict g, const uint16_t *restrict b,
                           int64_t n, uint16_t *restrict rgb)
{
    for (int64_t i = 0; i < n; i++) {
        rgb[3 * i] = r[i];
        rgb[3 * i + 1] = g[i];
        rgb[3 * i + 2] = b[i];
    }
}

void gf_join_rgb_words(const uint16_t *r, const uint16_t *g, const uint16_t *b, int64_t n, uint16_t *rgb)
{
    int64_t i = 0;

#ifdef GF_HAS_BYTE_VECTORS
    if (gf_runs_byte_vectors())
        i = join_words(r, g, b, n, rgb);
#endif
    if (i < n)
        join_any_words(r + i, g + i, b + i, n - i, rgb + 3 * i);
}

/* Pixels of four bytes are numbers of 32 bits, so plain C becomes vectors. */
GF_CLONES
static void split_four(const uint8_t *restrict rgba, int64_t n, uint8_t *restrict r, uint8_t *restrict g,
                       uint8_t *restrict b, uint8_t *restrict a)
{
    for (int64_t i = 0; i < n; i++) {
        uint32_t pixel;

        memcpy(&pixel, rgba + 4 * i, sizeof pixel);
        r[i] = (uint8_t)pixel;
        g[i] = (uint8_t)(pixel >> 8);
        b[i] = (uint8_t)(pixel >> 16);
        a[i] = (uint8_t)(pixel >> 24);
    }
}

GF_CLONES
static void join_four(const uint8_t *restrict r, const uint8_t *restrict g, const uint8_t *restrict b,
                      const uint8_t *restrict a, int64_t n, uint8_t *restrict rgba)
{
    for (int64_t i = 0; i < n; i++) {
        const uint32_t pixel = r[i] | (uint32_t)g[i] << 8 | (uint32_t)b[i] << 16 | (uint32_t)a[i] << 24;

        memcpy(rgba + 4 * i, &pixel, sizeof pixel);
    }
}

/* Some versions of clang export no function that has clones. */
void gf_split_rgba(const uint8_t *rgba, int64_t n, uint8_t *r, uint8_t *g, uint8_t *b, uint8_t *a)
{
    split_four(rgba, n, r, g, b, a);
}

void gf_join_rgba(const uint8_t *r, const uint8_t *g, const uint8_t *b, const uint8_t *a, int64_t n, uint8_t *rgba)
{
    join_four(r, g, b, a, n, rgba);
}
