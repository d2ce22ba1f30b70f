/*
 * From the planes of a decoded JPEG to pixels, with the arithmetic of libjpeg: the triangle filter of
 * its default chroma upsampling, and its fixed-point conversion to RGB. So the pixels are the same
 * if the planes are.
 */
#ifndef GF_CUDA_DEVICE_CUDA_JPEG_PIXELS_H
#define GF_CUDA_DEVICE_CUDA_JPEG_PIXELS_H

#include "base/signal.h"

/* Two planes of chroma with the same size. */
struct gf_jpeg_chroma {
    const unsigned char *plane[2];
    int64_t pitch;
    int width, rows;
    bool half_columns, half_rows;        /* compared with luma */
};

/* Returns the chroma of pixel (x, y). */
GF_BOTH int gf_jpeg_chroma_at(const struct gf_jpeg_chroma *c, int number, int x, int y)
{
    const int cx = c->half_columns ? x >> 1 : x, cy = c->half_rows ? y >> 1 : y, right = x & 1;
    const int side = right ? cx + 1 : cx - 1;            /* the next sample on the pixel's side */
    const unsigned char *row = c->plane[number] + cy * c->pitch, *other;
    int above;

    if (!c->half_columns || c->width <= 2)               /* libjpeg repeats chroma that is this narrow */
        return row[cx];
    if (!c->half_rows)
        return side < 0 || side >= c->width ? row[cx] : (3 * row[cx] + row[side] + 1 + right) >> 2;
    above = y & 1 ? cy + 1 : cy - 1;
    other = above < 0 || above >= c->rows ? row : c->plane[number] + above * c->pitch;
    if (side < 0 || side >= c->width)
        return (4 * (3 * row[cx] + other[cx]) + 8 - right) >> 4;
    return (3 * (3 * row[cx] + other[cx]) + 3 * row[side] + other[side] + 8 - right) >> 4;
}

GF_BOTH unsigned char gf_jpeg_clamp(int v)
{
    return (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v);
}

/* Writes red, green and blue. The factors are 1.402, 0.71414, 0.34414 and 1.772 in units of 1/65536. */
GF_BOTH void gf_jpeg_pixel(const struct gf_jpeg_chroma *c, int luma, int x, int y, unsigned char *to)
{
    const int blue = gf_jpeg_chroma_at(c, 0, x, y) - 128, red = gf_jpeg_chroma_at(c, 1, x, y) - 128;

    to[0] = gf_jpeg_clamp(luma + ((91881 * red + 32768) >> 16));
    to[1] = gf_jpeg_clamp(luma + ((-22554 * blue - 46802 * red + 32768) >> 16));
    to[2] = gf_jpeg_clamp(luma + ((116130 * blue + 32768) >> 16));
}

#endif
