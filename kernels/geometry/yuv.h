/* Frames of luma and chroma to planes of red, green and blue, and back. */
#ifndef GF_KERNELS_YUV_H
#define GF_KERNELS_YUV_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * From a frame: src is all of it, packed, a unit a sample: the rows of luma, then those of
 * Cb and of Cr. dst is planar: 3 channels, or 1 of a frame without chroma.
 *
 *   luma    y = (Y - luma_zero)·luma_scale
 *   chroma  is first brought to the place of each pixel: along the columns of samples,
 *           then along the rows, linear between the two nearest, the outermost going on
 *           for ever; on whole numbers of up to 16 bits that is exact in a float
 *           c = (C - chroma_zero)·chroma_scale
 *   colour  red = fma(cr, m[0][0], y); green = fma(cb, m[1][0], fma(cr, m[1][1], y));
 *           blue = fma(cb, m[2][0], y)
 *
 * To a frame: src is planar; a unit of dst is a band of the rows that share one of chroma,
 * as many samples as gf_yuv_bands() says. Yet bands do not lie one behind another, but their
 * rows where they belong in the frame, which begins where band 0 would.
 *
 *   luma    fma(m[0][0], red, fma(m[0][1], green, m[0][2]·blue))
 *   chroma  of the sum of pixels: s(x) = upper + lower row, where rows are halved; along a
 *           row s(2j) + s(2j+1) where chroma lies between; where it lies on the left one
 *           fma(2, s(2j), s(2j-1) + s(2j+1)), or of four columns fma(4, s(4j), fma(3, s(4j-1)
 *           + s(4j+1), fma(2, s(4j-2) + s(4j+2), s(4j-3) + s(4j+3)))); the outermost pixels
 *           going on for ever. Then as luma, with m[1] for Cb and m[2] for Cr, in which the
 *           number of pixels is divided out
 *   sample  fma(value, scale, zero), to nearest, ties to even, in 0 to `most`; NaN is 0
 */
struct gf_yuv_op {
    bool to;                     /* a frame is made, else taken apart */
    bool mono;                   /* no chroma */
    bool left;                   /* chroma lies on the left column */
    int sub_x, sub_y;            /* chroma has 1 / 2^sub as many; 0 to 2, 0 to 1 */
    int64_t width, height;       /* of luma */
    float luma_zero, luma_scale;
    float chroma_zero, chroma_scale;
    float most;
    float m[3][3];
};

/* What takes apart (or makes, with `to`) the frames of such a picture. */
void gf_yuv_make(struct gf_yuv_op *op, const struct gf_format *f, bool to);

/* Refuses blocks and programs that it is not for; every body asks first. */
int gf_yuv_check(const struct gf_io *io, const struct gf_yuv_op *op, struct gf_error *err) GF_MUST_CHECK;

/* The bands of such a picture: units of so many samples that there is room for all of the frame. */
struct gf_format gf_yuv_bands(const struct gf_format *f);

/* Scratch the C body needs. */
gf_op_scratch gf_yuv_scratch_bytes;

extern const struct gf_operation gf_op_yuv;
gf_op_body gf_yuv_cpu, gf_yuv_cuda;

#ifdef __cplusplus
}
#endif
#endif
