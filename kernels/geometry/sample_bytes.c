/*
 * Samples of packed bytes on a CPU. One load fetches a pixel and its right neighbor with all channels. The
 * bytes are those that floats give: all but gray with alpha are added up in integers, and again in floats where a sum
 * is so close to the middle between two bytes that floats might round it the other way.
 */
#include "kernels/geometry/sample_bytes.h"

#include "base/clones.h"
#include "kernels/base/block.h"
#include "kernels/base/byte_shuffle.h"
#include "kernels/base/pack.h"

#include <math.h>
#include <string.h>

#define PIECE GF_SAMPLE_PIECE
#define CHANNELS 4
#define UNROLLED _Pragma("GCC unroll 4")
#define WHITE 255
#define INVERSE (1.0f / WHITE)

typedef uint16_t eight_pairs __attribute__((vector_size(16)));

/* Fractions in 1/256, for three or four channels four times for each pixel. */
union fractions {
    _Alignas(64) uint64_t pixel[PIECE];
    uint16_t sample[PIECE * CHANNELS];
};

/* Positions of pixels, and pairs of neighbors in the two rows that they lie between. */
struct pairs {
    _Alignas(64) int32_t at[PIECE];
    _Alignas(64) float fx[PIECE], fy[PIECE];
    union fractions x, y;
    _Alignas(64) uint16_t gray[2][PIECE];                    /* pairs of gray pixels */
    _Alignas(64) uint64_t top[PIECE], bottom[PIECE];
    _Alignas(64) uint32_t left[2][PIECE], right[2][PIECE];
    _Alignas(64) uint32_t pixels[PIECE];
    _Alignas(64) uint8_t result[CHANNELS][PIECE];
};

GF_CLONES
static void fill_byte_places(struct gf_sample_walk w, int64_t base_row, int64_t pitch, int32_t channels, int64_t n,
                             struct pairs *restrict p)
{
    const int32_t line = (int32_t)pitch;
    const int64_t y0 = w.y - base_row * (INT64_C(1) << GF_SAMPLE_ONE_BITS);

    for (int32_t i = 0; i < (int32_t)n; i++) {
        const uint64_t x = (uint64_t)(w.x + i * w.dx), y = (uint64_t)(y0 + i * w.dy);

        p->at[i] = (int32_t)(y >> GF_SAMPLE_ONE_BITS) * line + (int32_t)(x >> GF_SAMPLE_ONE_BITS) * channels;
    }
}

GF_INLINE uint16_t load_pair(const uint8_t *from)
{
    uint16_t pair;

    memcpy(&pair, from, sizeof pair);
    return pair;
}

/* Loads pairs of gray pixels. Stores of single pairs would take longer than these loads. */
GF_INLINE void load_row(const uint8_t *restrict from, int64_t n, const int32_t *restrict at, uint16_t *restrict to)
{
    int64_t i = 0;

    for (; i < n - 7; i += 8) {
        const eight_pairs v = { load_pair(from + at[i]), load_pair(from + at[i + 1]), load_pair(from + at[i + 2]),
                                load_pair(from + at[i + 3]), load_pair(from + at[i + 4]), load_pair(from + at[i + 5]),
                                load_pair(from + at[i + 6]), load_pair(from + at[i + 7]) };

        memcpy(to + i, &v, sizeof v);
    }
    for (; i < n; i++)
        to[i] = load_pair(from + at[i]);
}

GF_CLONES
static void load_gray(const uint8_t *from, int64_t pitch, int64_t n, struct pairs *p)
{
    load_row(from, n, p->at, p->gray[0]);
    load_row(from + pitch, n, p->at, p->gray[1]);
}

/* Loads 8 bytes of each row. For RGB, the last two belong to the next pixel, for fewer channels more of them. */
GF_INLINE void load_pairs(const uint8_t *restrict from, int64_t pitch, int64_t n, struct pairs *restrict p)
{
    UNROLLED
    for (int64_t i = 0; i < n; i++) {
        memcpy(&p->top[i], from + p->at[i], sizeof *p->top);
        memcpy(&p->bottom[i], from + pitch + p->at[i], sizeof *p->bottom);
    }
}

GF_INLINE float value_of(uint32_t level)
{
    return gf_unit_value((float)(int32_t)(level & 255), WHITE, INVERSE);
}

GF_INLINE uint8_t blend_four(float p00, float p01, float p10, float p11, float fx, float fy)
{
    const float h0 = fmaf(fx, p01 - p00, p00), h1 = fmaf(fx, p11 - p10, p10);

    return (uint8_t)(int32_t)rintf(fmaf(fy, h1 - h0, h0) * WHITE);
}

GF_INLINE void blend_gray(struct pairs *restrict p, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        p->result[0][i] = blend_four(value_of(p->gray[0][i]), value_of(p->gray[0][i] >> 8), value_of(p->gray[1][i]),
                                     value_of(p->gray[1][i] >> 8), p->fx[i], p->fy[i]);
}

GF_INLINE void blend_channel(struct pairs *restrict p, int c, int channels, int64_t n)
{
    const int left = 8 * c, right = 8 * (channels + c);

    for (int64_t i = 0; i < n; i++) {
        const uint64_t top = p->top[i], bottom = p->bottom[i];

        p->result[c][i] = blend_four(value_of((uint32_t)(top >> left)), value_of((uint32_t)(top >> right)),
                                     value_of((uint32_t)(bottom >> left)), value_of((uint32_t)(bottom >> right)),
                                     p->fx[i], p->fy[i]);
    }
}

/* ---- gray, RGB and RGBA in integers ---- */

GF_INLINE uint64_t four_times(uint64_t coordinate)
{
    const uint64_t fraction = coordinate >> 32 & 255, twice = fraction | fraction << 16;

    return twice | twice << 32;
}

GF_CLONES
static void fill_fractions(struct gf_sample_walk w, int channels, int64_t n, struct pairs *restrict p)
{
    for (int32_t i = 0; channels < 3 && i < (int32_t)n; i++) {
        p->x.sample[i] = (uint16_t)((uint64_t)(w.x + i * w.dx) >> 32 & 255);
        p->y.sample[i] = (uint16_t)((uint64_t)(w.y + i * w.dy) >> 32 & 255);
    }
    for (int32_t i = 0; channels >= 3 && i < (int32_t)n; i++) {
        p->x.pixel[i] = four_times((uint64_t)(w.x + i * w.dx));
        p->y.pixel[i] = four_times((uint64_t)(w.y + i * w.dy));
    }
}

/* Separates pairs of neighbors; bytes after the channels have no meaning. */
GF_INLINE void separate(int bits, int64_t n, struct pairs *restrict p)
{
    for (int32_t i = 0; i < (int32_t)n; i++) {
        p->left[0][i] = (uint32_t)p->top[i];
        p->right[0][i] = (uint32_t)(p->top[i] >> bits);
        p->left[1][i] = (uint32_t)p->bottom[i];
        p->right[1][i] = (uint32_t)(p->bottom[i] >> bits);
    }
}

/*
 * Blends two rows, each already blended in 1/256 of a level, and keeps the least distance past a half. S / 65536 is
 * the exact value. Floats differ from it by less than 3 / 65536: a corner, and each of the two operations in both
 * directions, by 255 / 2^25, and the last product by 2^-17.
 */
GF_INLINE uint8_t blend_rows(uint16_t h0, uint16_t h1, uint16_t f1, uint16_t *least)
{
    const uint16_t f0 = (uint16_t)(256 - f1);
    const uint16_t low0 = (uint16_t)(h0 * f0), low1 = (uint16_t)(h1 * f1), low = (uint16_t)(low0 + low1);
    const uint16_t high = (uint16_t)((uint16_t)((uint32_t)h0 * f0 >> 16) + (uint16_t)((uint32_t)h1 * f1 >> 16));
    const uint16_t past_half = (uint16_t)(low + 32768 + 2);

    *least = past_half < *least ? past_half : *least;
    return (uint8_t)(high + (low < low0) + (low >> 15));
}

/* Blends n samples and returns true if integers give the bytes of floats. */
GF_INLINE bool blend_samples(const uint8_t *const *corner, const uint16_t *restrict fx, const uint16_t *restrict fy,
                             int64_t n, uint8_t *restrict to)
{
    const uint8_t *restrict p00 = corner[0], *restrict p01 = corner[1];
    const uint8_t *restrict p10 = corner[2], *restrict p11 = corner[3];
    uint16_t least = UINT16_MAX;

    for (int64_t i = 0; i < n; i++) {
        const uint16_t h0 = (uint16_t)(256 * p00[i] + fx[i] * (p01[i] - p00[i]));
        const uint16_t h1 = (uint16_t)(256 * p10[i] + fx[i] * (p11[i] - p10[i]));

        to[i] = blend_rows(h0, h1, fy[i], &least);
    }
    return least > 4;
}

GF_CLONES
static bool blend_colors(int channels, int64_t n, struct pairs *p)
{
    const uint8_t *const corner[] = { (const uint8_t *)p->left[0], (const uint8_t *)p->right[0],
                                      (const uint8_t *)p->left[1], (const uint8_t *)p->right[1] };

    if (channels == 3)
        separate(24, n, p);
    else
        separate(32, n, p);
    return blend_samples(corner, p->x.sample, p->y.sample, n * CHANNELS, (uint8_t *)p->pixels);
}

/* Blends a pair of gray pixels; the second one is in the high byte. */
GF_INLINE uint16_t blend_pair(uint16_t pair, uint16_t fx)
{
    return (uint16_t)((uint16_t)(pair << 8) + (uint16_t)(fx * (uint16_t)((pair >> 8) - (pair & 255))));
}

GF_CLONES
static bool blend_grays(int64_t n, struct pairs *restrict p)
{
    uint16_t least = UINT16_MAX;

    for (int64_t i = 0; i < n; i++)
        p->result[0][i] = blend_rows(blend_pair(p->gray[0][i], p->x.sample[i]),
                                     blend_pair(p->gray[1][i], p->x.sample[i]), p->y.sample[i], &least);
    return least > 4;
}

/* ---- floats ---- */

/* Turns the fractions into floats. */
GF_INLINE void convert_fractions(struct pairs *restrict p, int step, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        p->fx[i] = (float)p->x.sample[i * step] * 0x1p-8f;
        p->fy[i] = (float)p->y.sample[i * step] * 0x1p-8f;
    }
}

/* A constant number of channels lets the compiler unroll and shift by constants. */
GF_INLINE void blend(int channels, int64_t n, struct pairs *p)
{
    for (int c = 0; c < channels; c++)
        blend_channel(p, c, channels, n);
}

GF_CLONES
static void blend_floats(int channels, int64_t n, struct pairs *p)
{
    if (channels < 3)
        convert_fractions(p, 1, n);
    else
        convert_fractions(p, CHANNELS, n);
    switch (channels) {
    case 1: blend_gray(p, n); break;
    case 2: blend(2, n, p); break;
    case 3: blend(3, n, p); break;
    default: blend(4, n, p); break;
    }
}

/* Copies pixels of four bytes; of RGB, only three. */
static void store_pixels(const uint32_t *pixels, int channels, int64_t n, uint8_t *to)
{
    if (channels == CHANNELS) {
        memcpy(to, pixels, (size_t)n * sizeof *pixels);
        return;
    }
    for (int64_t i = 0; i < n - 1; i++)                      /* the next pixel replaces the fourth byte */
        memcpy(to + 3 * i, &pixels[i], 4);
    memcpy(to + 3 * (n - 1), &pixels[n - 1], 3);
}

static void store_channels(const struct pairs *p, int channels, int64_t n, uint8_t *to)
{
    switch (channels) {
    case 1:
        memcpy(to, p->result[0], (size_t)n);
        break;
    case 2:
        for (int64_t i = 0; i < n; i++) {
            to[2 * i] = p->result[0][i];
            to[2 * i + 1] = p->result[1][i];
        }
        break;
    case 3:
        gf_join_rgb(p->result[0], p->result[1], p->result[2], n, to);
        break;
    default:
        gf_join_rgba(p->result[0], p->result[1], p->result[2], p->result[3], n, to);
        break;
    }
}

/* Computes n pixels whose offsets and fractions are in `p`. */
static void blend_pairs(const uint8_t *from, int64_t pitch, int channels, int64_t n, struct pairs *p, uint8_t *to)
{
    if (channels == 1)
        load_gray(from, pitch, n, p);
    else
        load_pairs(from, pitch, n, p);
    if (channels >= 3 && blend_colors(channels, n, p)) {
        store_pixels(p->pixels, channels, n, to);
        return;
    }
    if (channels != 1 || !blend_grays(n, p))
        blend_floats(channels, n, p);
    store_channels(p, channels, n, to);
}

/* Computes at most PIECE pixels [from, to) of a row, with all neighbors inside. */
static void sample_inside(const struct gf_sample_job *j, struct gf_sample_walk w, int64_t y, int64_t from, int64_t to)
{
    const int64_t n = to - from, pitch = j->src->pitch_samples;
    const struct gf_sample_walk here = { w.x + from * w.dx, w.y + from * w.dy, w.dx, w.dy };
    const int64_t one = gf_sample_cell(here.y), other = gf_sample_cell(here.y + (n - 1) * here.dy);
    const int64_t first = one < other ? one : other;
    const int channels = j->src->channels;
    struct pairs p;

    fill_byte_places(here, first, pitch, channels, n, &p);
    fill_fractions(here, channels, n, &p);
    blend_pairs(gf_sample_pixel_at(j->src, 0, first), pitch, channels, n, &p, gf_sample_pixel_at(j->dst, from, y));
}

/* Finds offsets of n places, and their fractions. */
GF_CLONES
static void split_places(const struct gf_sample_places *places, int64_t at, int64_t n, int64_t base_row, int64_t pitch,
                         int32_t channels, struct pairs *restrict p)
{
    const int32_t *restrict x = places->x.one + at, *restrict y = places->y.one + at;
    const int32_t line = (int32_t)pitch, first = (int32_t)base_row;

    for (int64_t i = 0; channels == 1 && i < n; i++) {
        p->at[i] = ((y[i] >> 8) - first) * line + (x[i] >> 8);
        p->x.sample[i] = (uint16_t)(x[i] & 255);
        p->y.sample[i] = (uint16_t)(y[i] & 255);
    }
    for (int64_t i = 0; channels > 1 && i < n; i++)
        p->at[i] = ((y[i] >> 8) - first) * line + (x[i] >> 8) * channels;
    for (int64_t i = 0; channels == 2 && i < n; i++) {
        p->x.sample[i] = (uint16_t)(x[i] & 255);
        p->y.sample[i] = (uint16_t)(y[i] & 255);
    }
    for (int64_t i = 0; channels >= 3 && i < n; i++) {
        p->x.pixel[i] = four_times((uint64_t)(uint32_t)x[i] << 32);
        p->y.pixel[i] = four_times((uint64_t)(uint32_t)y[i] << 32);
    }
}

static void sample_places(const struct gf_sample_job *j, const struct gf_sample_places *places, int64_t at, int64_t n,
                          int64_t first, int64_t x, int64_t y)
{
    const int64_t pitch = j->src->pitch_samples;
    const int channels = j->src->channels;
    struct pairs p;

    split_places(places, at, n, first, pitch, channels, &p);
    blend_pairs(gf_sample_pixel_at(j->src, 0, first), pitch, channels, n, &p, gf_sample_pixel_at(j->dst, x, y));
}

const struct gf_sample_parts gf_sample_bytes_parts = { sample_inside, sample_places, gf_sample_packed_border,
                                                       gf_sample_packed_background };

int64_t gf_sample_bytes_spare(int channels)
{
    /* pixels that are loaded after a pair: 8 bytes are, except for gray */
    static const int64_t spare[] = { [1] = 0, [2] = 2, [3] = 1, [4] = 0 };

    return spare[channels];
}
