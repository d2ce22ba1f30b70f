/* Packed samples to rows of floats and back. */
#include "kernels/base/pack.h"

#include "base/clones.h"
#include "kernels/base/byte_shuffle.h"

#include <math.h>
#include <string.h>

#define LOAD(name, ctype)                                                                          \
    GF_INLINE void name(const ctype *restrict s, int step, int64_t n, float one, float *restrict d) \
    {                                                                                              \
        const float inverse = 1.0f / one;                                                          \
        for (int64_t i = 0; i < n; i++)                                                            \
            d[i] = gf_unit_value((float)s[i * step], one, inverse);                                   \
    }
LOAD(load_u8, uint8_t)
LOAD(load_u16, uint16_t)
LOAD(load_s16, int16_t)
LOAD(load_s32, int32_t)
#undef LOAD

GF_INLINE void load_f32(const float *restrict s, int step, int64_t n, float *restrict d)
{
    for (int64_t i = 0; i < n; i++)
        d[i] = s[i * step];
}

/* Constant strides of 1 to 4 let the compiler vectorize. */
#define STEPS(call_with)                     \
    switch (channels) {                      \
    case 1: call_with(1); break;             \
    case 2: call_with(2); break;             \
    case 3: call_with(3); break;             \
    case 4: call_with(4); break;             \
    default: call_with(channels); break;     \
    }

GF_CLONES
static void load_channel(const void *data, enum gf_type type, int channels, int c, int64_t n, float one,
                         float *restrict d)
{
#define U8(k) load_u8((const uint8_t *)data + c, k, n, one, d)
#define U16(k) load_u16((const uint16_t *)data + c, k, n, one, d)
#define S16(k) load_s16((const int16_t *)data + c, k, n, one, d)
#define S32(k) load_s32((const int32_t *)data + c, k, n, one, d)
#define F32(k) load_f32((const float *)data + c, k, n, d)
    switch (type) {
    case GF_U8: STEPS(U8) break;
    case GF_U16: STEPS(U16) break;
    case GF_S16: STEPS(S16) break;
    case GF_S32: STEPS(S32) break;
    case GF_F32: STEPS(F32) break;
    case GF_F64:
        for (int64_t i = 0; i < n; i++)
            d[i] = (float)((const double *)data)[i * channels + c];
        break;
    }
#undef U8
#undef U16
#undef S16
#undef S32
#undef F32
}

#define COLOR_PIXELS 512                 /* bytes of as many pixels stay in the first-level cache */

static bool is_color_bytes(const struct gf_block *b)
{
    return b->type == GF_U8 && (b->channels == 3 || b->channels == 4);
}

/* Separates the channels as bytes, which is faster than as floats. */
static void load_colors(const uint8_t *data, int channels, int64_t n, float one, float *const *row)
{
    uint8_t channel[4][COLOR_PIXELS];

    for (int64_t at = 0, m; at < n; at += m) {
        m = n - at < COLOR_PIXELS ? n - at : COLOR_PIXELS;
        if (channels == 3)
            gf_split_rgb(data + 3 * at, m, channel[0], channel[1], channel[2]);
        else
            gf_split_rgba(data + 4 * at, m, channel[0], channel[1], channel[2], channel[3]);
        for (int c = 0; c < channels; c++)
            load_channel(channel[c], GF_U8, 1, 0, m, one, row[c] + at);
    }
}

/* Returns the stored value of 1.0. */
static float one_of(const struct gf_block *b)
{
    switch (b->type) {
    case GF_S16: return 32768.0f;
    case GF_S32: return 2147483648.0f;
    default: return (float)b->maxval;
    }
}

void gf_load_pixels(const struct gf_block *b, int64_t unit, int64_t x, int64_t n, float *const *row)
{
    const char *data;
    int64_t first;

    if (b->planar) {
        for (int c = 0; c < b->channels; c++)
            memcpy(row[c], gf_plane_at(b, c, unit) + x, (size_t)n * sizeof(float));
        return;
    }
    first = (unit - b->span.start) * b->pitch_samples + x * b->channels;
    data = (const char *)b->data + (size_t)first * gf_type_bytes(b->type);
    if (is_color_bytes(b))
        load_colors((const uint8_t *)data, b->channels, n, one_of(b), row);
    else
        for (int c = 0; c < b->channels; c++)
            load_channel(data, b->type, b->channels, c, n, one_of(b), row[c]);
}

/* Rounds v·one to the nearest integer in [0, one]. NaN becomes 0, because it is not greater than 0. */
GF_INLINE int32_t stored_unsigned(float v, float one)
{
    float t = v > 0.0f ? v * one : 0.0f;

    return (int32_t)rintf(t < one ? t : one);
}

/* Rounds v·half to the nearest integer in [-half, half - 1] and shifts it to the top of its container. */
GF_INLINE int32_t stored_signed(float v, float half, int32_t most, int shift)
{
    float t = rintf(v * half);
    int32_t q = t >= half ? most : t > -half ? (int32_t)t : t <= -half ? -most - 1 : 0;

    return (int32_t)((uint32_t)q << shift);
}

GF_INLINE void store_u8(const float *restrict s, int step, int64_t n, float one, uint8_t *restrict d)
{
    for (int64_t i = 0; i < n; i++)
        d[i * step] = (uint8_t)stored_unsigned(s[i], one);
}

GF_INLINE void store_u16(const float *restrict s, int step, int64_t n, float one, uint16_t *restrict d)
{
    for (int64_t i = 0; i < n; i++)
        d[i * step] = (uint16_t)stored_unsigned(s[i], one);
}

GF_INLINE void store_s16(const float *restrict s, int step, int64_t n, int bits, int16_t *restrict d)
{
    const float half = (float)(1 << (bits - 1));
    const int32_t most = (1 << (bits - 1)) - 1;

    for (int64_t i = 0; i < n; i++)
        d[i * step] = (int16_t)stored_signed(s[i], half, most, 16 - bits);
}

GF_INLINE void store_s32(const float *restrict s, int step, int64_t n, int bits, int32_t *restrict d)
{
    const float half = (float)(1u << (bits - 1));
    const int32_t most = (int32_t)((1u << (bits - 1)) - 1);

    for (int64_t i = 0; i < n; i++)
        d[i * step] = stored_signed(s[i], half, most, 32 - bits);
}

GF_INLINE void store_f32(const float *restrict s, int step, int64_t n, float *restrict d)
{
    for (int64_t i = 0; i < n; i++)
        d[i * step] = s[i];
}

GF_CLONES
static void store_channel(const float *restrict s, const struct gf_block *b, int c, int64_t n, void *data)
{
    const int channels = b->channels, bits = b->bits;
    const float one = (float)b->maxval;

#define U8(k) store_u8(s, k, n, one, (uint8_t *)data + c)
#define U16(k) store_u16(s, k, n, one, (uint16_t *)data + c)
#define S16(k) store_s16(s, k, n, bits, (int16_t *)data + c)
#define S32(k) store_s32(s, k, n, bits, (int32_t *)data + c)
#define F32(k) store_f32(s, k, n, (float *)data + c)
    switch (b->type) {
    case GF_U8: STEPS(U8) break;
    case GF_U16: STEPS(U16) break;
    case GF_S16: STEPS(S16) break;
    case GF_S32: STEPS(S32) break;
    case GF_F32: STEPS(F32) break;
    case GF_F64:
        for (int64_t i = 0; i < n; i++)
            ((double *)data)[i * channels + c] = (double)s[i];
        break;
    }
#undef U8
#undef U16
#undef S16
#undef S32
#undef F32
}

static void store_colors(const float *const *row, int64_t n, const struct gf_block *b, uint8_t *data)
{
    struct gf_block one = *b;
    uint8_t channel[4][COLOR_PIXELS];

    one.channels = 1;
    for (int64_t at = 0, m; at < n; at += m) {
        m = n - at < COLOR_PIXELS ? n - at : COLOR_PIXELS;
        for (int c = 0; c < b->channels; c++)
            store_channel(row[c] + at, &one, 0, m, channel[c]);
        if (b->channels == 3)
            gf_join_rgb(channel[0], channel[1], channel[2], m, data + 3 * at);
        else
            gf_join_rgba(channel[0], channel[1], channel[2], channel[3], m, data + 4 * at);
    }
}

/* Three channels at once, so that contiguous memory is written. */
GF_CLONES
static void store_rgb_floats(const float *restrict r, const float *restrict g, const float *restrict b, int64_t n,
                             float *restrict to)
{
    for (int64_t i = 0; i < n; i++) {
        to[3 * i] = r[i];
        to[3 * i + 1] = g[i];
        to[3 * i + 2] = b[i];
    }
}

void gf_store_pixels(const struct gf_block *b, int64_t unit, int64_t x, int64_t n, const float *const *row)
{
    int64_t first;
    char *data;

    if (b->planar) {
        for (int c = 0; c < b->channels; c++)
            if (row[c] != gf_plane_at(b, c, unit) + x)
                memcpy(gf_plane_at(b, c, unit) + x, row[c], (size_t)n * sizeof(float));
        return;
    }
    first = (unit - b->span.start) * b->pitch_samples + x * b->channels;
    data = (char *)b->data + (size_t)first * gf_type_bytes(b->type);
    if (is_color_bytes(b))
        store_colors(row, n, b, (uint8_t *)data);
    else if (b->type == GF_F32 && b->channels == 3)
        store_rgb_floats(row[0], row[1], row[2], n, (float *)data);
    else
        for (int c = 0; c < b->channels; c++)
            store_channel(row[c], b, c, n, data);
}
