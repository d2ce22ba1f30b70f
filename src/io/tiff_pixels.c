/* Pixels of a TIFF: its samples put together as channels, and made what they stand for. */
#include "io/tiff.h"

#include <string.h>

/* One channel of `count` pixels, from every so many samples to every so many. */
static void copy_channel(size_t bytes, const unsigned char *from, size_t from_step, unsigned char *to, size_t to_step, size_t count)
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

void gf_tiff_copy(const struct gf_tiff_pixel *pixel, int channels, const unsigned char *from, int plane, unsigned char *to,
                  size_t count)
{
    const size_t bytes = pixel->bytes;

    if (plane < 0 && channels == pixel->samples) {
        memcpy(to, from, count * (size_t)channels * bytes);
        return;
    }
    for (int c = 0; c < channels; c++) {
        if (plane < 0)
            copy_channel(bytes, from + (size_t)pixel->kept[c] * bytes, (size_t)pixel->samples, to + (size_t)c * bytes, (size_t)channels, count);
        else if (pixel->kept[c] == plane)
            copy_channel(bytes, from, 1, to + (size_t)c * bytes, (size_t)channels, count);
    }
}

static void flip_samples(enum gf_type type, unsigned char *b, size_t count, size_t channels, size_t colours)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < colours; c++) {
            const size_t at = i * channels + c;

            if (type == GF_U8)
                b[at] = (unsigned char)(255 - b[at]);
            else if (type == GF_U16)
                ((uint16_t *)(void *)b)[at] = (uint16_t)(65535 - ((uint16_t *)(void *)b)[at]);
            else
                ((float *)(void *)b)[at] = 1 - ((float *)(void *)b)[at];
        }
    }
}

static unsigned whole_part(unsigned colour, unsigned alpha, unsigned full)
{
    const uint64_t v = alpha == 0 ? 0 : ((uint64_t)colour * full + alpha / 2) / alpha;

    return v > full ? full : (unsigned)v;
}

/* Colours that were multiplied by alpha are divided by it. */
static void divide_by_alpha(enum gf_type type, unsigned char *b, size_t count, size_t channels)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c + 1 < channels; c++) {
            const size_t at = i * channels + c, alpha = i * channels + channels - 1;
            uint16_t *wide = (uint16_t *)(void *)b;
            float *real = (float *)(void *)b;

            if (type == GF_U8)
                b[at] = (unsigned char)whole_part(b[at], b[alpha], 255);
            else if (type == GF_U16)
                wide[at] = (uint16_t)whole_part(wide[at], wide[alpha], 65535);
            else
                real[at] = real[alpha] > 0 ? real[at] / real[alpha] : 0;
        }
    }
}

void gf_tiff_finish(const struct gf_tiff_pixel *pixel, const struct gf_format *f, unsigned char *b, size_t count)
{
    if (pixel->flip)
        flip_samples(f->type, b, count, (size_t)f->channels, (size_t)gf_colours(f));
    if (pixel->premultiplied)
        divide_by_alpha(f->type, b, count, (size_t)f->channels);
}
