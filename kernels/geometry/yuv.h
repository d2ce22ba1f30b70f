/* Converts frames of luma and chroma to planes of red, green and blue, and back. */
#ifndef GF_KERNELS_YUV_H
#define GF_KERNELS_YUV_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * From a frame: src is the whole frame, packed, one sample a unit: the rows of luma, then those of
 * Cb and of Cr. dst is planar: 3 channels, or 1 for a frame without chroma.
 *  luma    y = (Y - luma_zero)·luma_scale
 *  chroma  is first interpolated to the position of each pixel: along the columns of samples, then
 * along the rows, linearly between the two nearest; the outermost samples repeat. For integers of
 * up to 16 bits this is exact in a float. c = (C - chroma_zero)·chroma_scale
 *  color   red = fma(cr, m[0][0], y); green = fma(cb, m[1][0], fma(cr, m[1][1], y)); blue = fma(cb,
 * m[2][0], y)
 * To a frame: src is planar. A unit of dst is a band of the rows that share one row of chroma, with
 * as many samples as gf_yuv_bands() says. Bands are not contiguous: their rows are at their
 * positions in the frame, which begins where band 0 would.
 *  luma    fma(m[0][0], red, fma(m[0][1], green, m[0][2]·blue))
 *  chroma  from sums of pixels: s(x) = upper + lower row if rows are halved; along a row s(2j) +
 * s(2j+1) if chroma is between columns; if it is on the left column fma(2, s(2j), s(2j-1) +
 * s(2j+1)), or for four columns fma(4, s(4j), fma(3, s(4j-1) + s(4j+1), fma(2, s(4j-2) + s(4j+2),
 * s(4j-3) + s(4j+3)))); the outermost pixels repeat. Then as luma, with m[1] for Cb and m[2] for
 * Cr, which include the division by the number of pixels.
 *  sample  fma(value, scale, zero), rounded to nearest, ties to even, clamped to 0 … `most`; NaN is
 * 0
 */
struct gf_yuv_op {
    bool to;                     /* from planes to a frame; otherwise from a frame */
    bool mono;                   /* no chroma */
    bool left;                   /* chroma is on the left column */
    int sub_x, sub_y;            /* chroma has 1 / 2^sub as many samples; 0 to 2, 0 to 1 */
    int64_t width, height;       /* size of luma */
    float luma_zero, luma_scale;
    float chroma_zero, chroma_scale;
    float most;
    float m[3][3];
};

/* Sets the parameters for frames of such a video, in one direction. */
void gf_yuv_make(struct gf_yuv_op *op, const struct gf_format *f, bool to);

/* Refuses blocks and programs that the operation does not support; every body calls it first. */
int gf_yuv_check(const struct gf_io *io, const struct gf_yuv_op *op, struct gf_error *err) GF_MUST_CHECK;

/* Returns the format of bands: units of so many samples that the whole frame fits. */
struct gf_format gf_yuv_bands(const struct gf_format *f);

extern const struct gf_operation gf_op_yuv;
gf_op_body gf_yuv_cpu, gf_yuv_cuda;

#ifdef __cplusplus
}
#endif
#endif
