/*
 * From pixels to the quantized coefficients of a JPEG, with the integer arithmetic of libjpeg's
 * default encoder: its conversion to Y'CbCr, its averages of chroma, and the transform of Loeffler,
 * Ligtenberg and Moschytz with 13 bits after the point.
 */
#ifndef GF_CUDA_DEVICE_CUDA_JPEG_BLOCKS_H
#define GF_CUDA_DEVICE_CUDA_JPEG_BLOCKS_H

#include "base/signal.h"

/* Packed pixels: gray, or red, green and blue. */
struct gf_jpeg_pixels {
    const unsigned char *samples;
    int width, rows, channels;
};

/* Returns component 0, 1 or 2 (Y, Cb, Cr) of a pixel; beyond the edges, of the nearest one. */
GF_BOTH int gf_jpeg_component(const struct gf_jpeg_pixels *p, int component, int x, int y)
{
    const int column = x < p->width ? x : p->width - 1, row = y < p->rows ? y : p->rows - 1;
    const unsigned char *at = p->samples + ((int64_t)row * p->width + column) * p->channels;

    if (p->channels == 1)
        return at[0];
    if (component == 0)
        return (19595 * at[0] + 38470 * at[1] + 7471 * at[2] + 32768) >> 16;
    if (component == 1)
        return (-11059 * at[0] - 21709 * at[1] + 32768 * at[2] + (128 << 16) + 32767) >> 16;
    return (32768 * at[0] - 27439 * at[1] - 5329 * at[2] + (128 << 16) + 32767) >> 16;
}

/* Returns the mean of the pixels that share a sample of chroma. The rounding alternates. */
GF_BOTH int gf_jpeg_mean(const struct gf_jpeg_pixels *p, int component, int x, int y, bool half_rows)
{
    const int last = (p->rows + 1) / 2 - 1, row = half_rows ? 2 * (y < last ? y : last) : y;
    const int sum = gf_jpeg_component(p, component, 2 * x, row) + gf_jpeg_component(p, component, 2 * x + 1, row);

    if (!half_rows)
        return (sum + (x & 1)) >> 1;
    return (sum + gf_jpeg_component(p, component, 2 * x, row + 1)
            + gf_jpeg_component(p, component, 2 * x + 1, row + 1) + 1 + (x & 1)) >> 2;
}

/* Rounds to 2^-bits. */
GF_BOTH int gf_jpeg_round(int v, int bits)
{
    return (v + (1 << (bits - 1))) >> bits;
}

/* Transforms eight numbers, `step` apart. `down` bits are dropped; whole ones have 13 bits fewer. */
GF_BOTH void gf_jpeg_transform_line(int *d, int step, bool first)
{
    const int down = first ? 11 : 15;
    const int s0 = d[0] + d[7 * step], s1 = d[step] + d[6 * step], s2 = d[2 * step] + d[5 * step];
    const int s3 = d[3 * step] + d[4 * step], d0 = d[0] - d[7 * step], d1 = d[step] - d[6 * step];
    const int d2 = d[2 * step] - d[5 * step], d3 = d[3 * step] - d[4 * step];
    const int even = s0 + s3, odd = s1 + s2, turn = (s1 - s2 + s0 - s3) * 4433;
    const int z5 = (d3 + d1 + d2 + d0) * 9633, z1 = (d3 + d0) * -7373, z2 = (d2 + d1) * -20995;
    const int z3 = (d3 + d1) * -16069 + z5, z4 = (d2 + d0) * -3196 + z5;

    d[0] = first ? (even + odd) * 4 : gf_jpeg_round(even + odd, 2);
    d[4 * step] = first ? (even - odd) * 4 : gf_jpeg_round(even - odd, 2);
    d[2 * step] = gf_jpeg_round(turn + (s0 - s3) * 6270, down);
    d[6 * step] = gf_jpeg_round(turn - (s1 - s2) * 15137, down);
    d[7 * step] = gf_jpeg_round(d3 * 2446 + z1 + z3, down);
    d[5 * step] = gf_jpeg_round(d2 * 16819 + z2 + z4, down);
    d[3 * step] = gf_jpeg_round(d1 * 25172 + z2 + z3, down);
    d[step] = gf_jpeg_round(d0 * 12299 + z1 + z4, down);
}

/* Divides by 8 times the quantizer, because the transform leaves a factor of 8. */
GF_BOTH int gf_jpeg_quantize(int v, int quantizer)
{
    const int size = ((v < 0 ? -v : v) + 4 * quantizer) / (8 * quantizer);

    return v < 0 ? -size : size;
}

/* Subsampling of a component: in columns, in rows. */
struct gf_jpeg_sub {
    bool half_columns, half_rows;
};

/* Computes the block of a component whose first sample is (8 column, 8 row). */
GF_BOTH void gf_jpeg_block(const struct gf_jpeg_pixels *p, int component, struct gf_jpeg_sub sub, int column, int row,
                           const unsigned short *quantizers, short *to)
{
    int d[64];

    for (int i = 0; i < 64; i++) {
        const int x = 8 * column + i % 8, y = 8 * row + i / 8;

        d[i] = (sub.half_columns ? gf_jpeg_mean(p, component, x, y, sub.half_rows)
                : gf_jpeg_component(p, component, x, y)) - 128;
    }
    for (int i = 0; i < 8; i++)
        gf_jpeg_transform_line(d + 8 * i, 1, true);
    for (int i = 0; i < 8; i++)
        gf_jpeg_transform_line(d + i, 8, false);
    for (int i = 0; i < 64; i++)
        to[i] = (short)gf_jpeg_quantize(d[i], quantizers[i]);
}

#endif
