/* Decodes TIFF samples, combines them to channels and converts those. Built if HAVE_TIFF. */
#include "io/formats/alpha.h"
#include "io/formats/tiff/tiff.h"

#include <math.h>
#include <string.h>

/* ---- samples ---- */

/* Unpacks samples. The first one is in the high bits of the first byte. */
static void unpack_bits(int bits, const unsigned char *from, size_t count, size_t bytes, void *to)
{
    const uint32_t mask = (1u << bits) - 1;
    uint32_t held = 0;
    int have = 0;

    for (size_t i = 0; i < count; i++) {
        for (; have < bits; have += 8)
            held = held << 8 | *from++;
        have -= bits;
        if (bytes == 1)
            ((uint8_t *)to)[i] = (uint8_t)(held >> have & mask);
        else
            ((uint16_t *)to)[i] = (uint16_t)(held >> have & mask);
    }
}

/* Converts IEEE 754 binary16: 1 sign bit, 5 exponent bits, 10 mantissa bits. */
static float half_to_float(uint16_t v)
{
    const int exponent = v >> 10 & 31, mantissa = v & 1023;
    float size = exponent == 31 ? (mantissa != 0 ? NAN : INFINITY) : ldexpf((float)mantissa, -24);

    if (exponent > 0 && exponent < 31)
        size = ldexpf((float)(1024 + mantissa), exponent - 25);
    return v >> 15 != 0 ? -size : size;
}

void gf_tiff_decode(const struct gf_tiff_pixel *pixel, const unsigned char *from, size_t count, void *to)
{
    float *real = to;

    if (pixel->coding == GF_TIFF_PACKED)
        unpack_bits(pixel->bits, from, count, pixel->bytes, to);
    for (size_t i = 0; i < count && pixel->coding != GF_TIFF_PACKED; i++) {
        uint16_t wide;
        double longer;

        if (pixel->coding == GF_TIFF_S8) {
            real[i] = (float)(int8_t)from[i] / 128;
        } else if (pixel->coding == GF_TIFF_F64) {
            memcpy(&longer, from + 8 * i, 8);
            real[i] = (float)longer;
        } else {
            memcpy(&wide, from + 2 * i, 2);
            real[i] = pixel->coding == GF_TIFF_F16 ? half_to_float(wide) : (float)(int16_t)wide / 32768;
        }
    }
}

/* ---- channels ---- */

/* Copies one channel of `count` pixels. Steps are in samples. */
static void copy_channel(size_t bytes, const unsigned char *from, size_t from_step, unsigned char *to,
                         size_t to_step, size_t count)
{
    if (bytes == 1) {
        for (size_t i = 0; i < count; i++)
            to[i * to_step] = from[i * from_step];
    } else if (bytes == 2) {
        for (size_t i = 0; i < count; i++)
            memcpy(to + 2 * i * to_step, from + 2 * i * from_step, 2);
    } else {
        for (size_t i = 0; i < count; i++)
            memcpy(to + 4 * i * to_step, from + 4 * i * from_step, 4);
    }
}

static bool all_kept(const struct gf_tiff_pixel *pixel)
{
    bool all = pixel->channels == pixel->samples;

    for (int c = 0; c < pixel->channels; c++)
        all = all && pixel->kept[c] == c;
    return all;
}

/* Looks up the colors of indexes. Gray is in the first channel. */
static void copy_colors(const struct gf_tiff_pixel *pixel, const unsigned char *from, unsigned char *to, size_t count)
{
    if (pixel->channels == 1)
        for (size_t i = 0; i < count; i++)
            to[i] = pixel->colors[from[i]][0];
    else
        for (size_t i = 0; i < count; i++)
            memcpy(to + 3 * i, pixel->colors[from[i]], 3);
}

void gf_tiff_copy(const struct gf_tiff_pixel *pixel, const unsigned char *from, int plane,
                  unsigned char *to, size_t count)
{
    const size_t bytes = pixel->bytes, channels = (size_t)pixel->channels;

    if (pixel->indexed) {
        copy_colors(pixel, from, to, count);
        return;
    }
    if (plane < 0 && all_kept(pixel)) {
        memcpy(to, from, count * channels * bytes);
        return;
    }
    for (size_t c = 0; c < channels; c++) {
        if (plane < 0)
            copy_channel(bytes, from + (size_t)pixel->kept[c] * bytes, (size_t)pixel->samples, to + c * bytes,
                         channels, count);
        else if (pixel->kept[c] == plane)
            copy_channel(bytes, from, 1, to + c * bytes, channels, count);
    }
}

/* ---- conversions ---- */

/* Converts CMYK without a profile: the light that black and a colored ink leave is multiplied. */
void gf_tiff_mix_inks(const struct gf_tiff_pixel *pixel, const unsigned char *from, unsigned char *to, size_t count)
{
    const size_t channels = (size_t)pixel->channels;

    for (size_t i = 0; i < count; i++) {
        const uint8_t *ink = from + i * channels;
        const uint16_t *wide_ink = (const uint16_t *)(const void *)from + i * channels;
        uint8_t *rgb = to + i * (channels - 1);
        uint16_t *wide_rgb = (uint16_t *)(void *)to + i * (channels - 1);

        for (size_t c = 0; c < 3; c++) {
            if (pixel->bytes == 1)
                rgb[c] = (uint8_t)((255u - ink[3]) * (255u - ink[c]) / 255);
            else
                wide_rgb[c] = (uint16_t)((65535u - wide_ink[3]) * (65535u - wide_ink[c]) / 65535);
        }
        if (channels > 4 && pixel->bytes == 1)
            rgb[3] = ink[4];
        else if (channels > 4)
            wide_rgb[3] = wide_ink[4];
    }
}

/* Scales samples from 0..narrow to the full range of their type, rounded to nearest. */
static void scale_up(const struct gf_format *f, uint32_t narrow, unsigned char *b, size_t samples)
{
    uint16_t *wide = (uint16_t *)(void *)b;

    for (size_t i = 0; i < samples; i++)
        if (f->type == GF_U8)
            b[i] = (uint8_t)((b[i] * 255u + narrow / 2) / narrow);
        else
            wide[i] = (uint16_t)((wide[i] * 65535u + narrow / 2) / narrow);
}

static void flip_samples(const struct gf_format *f, unsigned flip, unsigned char *b, size_t count)
{
    const size_t channels = (size_t)f->channels;

    for (size_t i = 0; i < count * channels; i++) {
        if ((flip >> i % channels & 1) == 0)
            continue;
        if (f->type == GF_U8)
            b[i] = (unsigned char)(f->maxval - b[i]);
        else if (f->type == GF_U16)
            ((uint16_t *)(void *)b)[i] = (uint16_t)(f->maxval - ((uint16_t *)(void *)b)[i]);
        else
            ((float *)(void *)b)[i] = 1 - ((float *)(void *)b)[i];
    }
}

void gf_tiff_finish(const struct gf_tiff_pixel *pixel, const struct gf_format *f, unsigned char *b, size_t count)
{
    if (pixel->narrow > 0)
        scale_up(f, pixel->narrow, b, count * (size_t)f->channels);
    if (pixel->flip != 0)
        flip_samples(f, pixel->flip, b, count);
    if (pixel->premultiplied)
        gf_alpha_divide(f, b, count);
}
