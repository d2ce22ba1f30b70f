/*
 * Compares two images pixel by pixel: their difference, and the structural similarity of the
 * windows around it.
 */
#ifndef GF_KERNELS_SSIM_H
#define GF_KERNELS_SSIM_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_SSIM_REACH 5                  /* reach of a window to each side */
#define GF_SSIM_TAPS (2 * GF_SSIM_REACH + 1)

/*
 * x is a sample of channel of[0][c] of src after the load program. y is the sample of channel
 * of[1][c] of io->beside at the same position, or 1 if that is -1. Both images have the same size.
 * Channel c of the result is (x - y) scale. Channel `channels` + c is their structural similarity
 * by Wang, Bovik, Sheikh and Simoncelli (2004), for a range of 1:
 *  (2 mx my + C1) (2 cxy + C2) / ((mx² + my² + C1) (vx + vy + C2)),  C1 = 0.01², C2 = 0.03²
 * with means, variances and covariance in a window of 11 by 11, weighted by a Gaussian of sigma
 * 1.5. Windows are within the image: in its border, GF_SSIM_REACH wide, the similarity is 0 and has
 * no meaning.
 * Everything is computed in double and rounded to float at the end. With the sum s = x + y and the
 * difference d = x - y, their means ms, md and variances vs, vd give the same with one plane of
 * sums less:
 *  ((ms² - md²) + 2 C1) ((vs - vd) + 2 C2) / (((ms² + md²) + 2 C1) ((vs + vd) + 2 C2))
 * A window is summed along the columns and then along the units, first tap first, by fma; a
 * variance is fma(-m, m, mean of squares).
 * If y is stored in integers it is k / maxval for an integer k, and so is x if `levels` is not 0.
 * They are used in this form, in double, so that rounding to float (0.2 % of a step of 16 bits) has
 * no effect. If `scale` is a multiple of both levels, differences are integers, too.
 */
struct gf_ssim {
    int channels;                        /* channels to compare: 1 to 4 */
    signed char of[2][4];
    float levels;                        /* of x; 0: any value */
    float scale;
};

/* Returns the levels of y. */
static inline float gf_ssim_levels(const struct gf_io *io)
{
    return io->beside.type == GF_U8 || io->beside.type == GF_U16 ? (float)io->beside.maxval : 0;
}

/* The Gaussian, from its end to its middle. */
static inline double gf_ssim_weight(int tap)
{
    const double w[GF_SSIM_REACH + 1] = { 0.00102838008447911, 0.007598758135239185, 0.03600077212843083,
                                          0.10936068950970002, 0.2130055377112537, 0.26601172486179436 };

    return w[tap < GF_SSIM_REACH ? tap : 2 * GF_SSIM_REACH - tap];
}

#define GF_SSIM_2C1 (2 * 0.0001)
#define GF_SSIM_2C2 (2 * 0.0009)

extern const struct gf_operation gf_op_ssim;
gf_op_body gf_ssim_cpu, gf_ssim_cuda;

#ifdef __cplusplus
}
#endif
#endif
