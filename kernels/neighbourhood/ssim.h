/* How alike two pictures are, pixel by pixel: their difference, and the structural similarity of the windows around it. */
#ifndef GF_KERNELS_SSIM_H
#define GF_KERNELS_SSIM_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_SSIM_REACH 5                  /* of a window, to every side */
#define GF_SSIM_TAPS (2 * GF_SSIM_REACH + 1)

/*
 * x is a sample of channel of[0][c] of src, behind the load program, and y the one of channel of[1][c] of io->beside that
 * lies at its place, or 1 where that is -1; both pictures are as wide and as long. Channel c of the result is
 * (x - y) scale, and channel `channels` + c their structural similarity, that of Wang, Bovik, Sheikh and Simoncelli (2004), for a range of 1:
 *
 *     (2 mx my + C1) (2 cxy + C2) / ((mx² + my² + C1) (vx + vy + C2)),  C1 = 0.01², C2 = 0.03²
 *
 * with means, variances and covariance of a window of 11 by 11, weighed by a Gaussian of sigma 1.5. Windows
 * lie within the picture: at its border, GF_SSIM_REACH wide, the similarity is 0 and means nothing.
 *
 * All of it is done in double, and rounded to float at the end. Of the sum s = x + y and the difference d = x - y
 * the means ms, md and variances vs, vd tell the same with one plane of sums less:
 *
 *     ((ms² - md²) + 2 C1) ((vs - vd) + 2 C2) / (((ms² + md²) + 2 C1) ((vs + vd) + 2 C2)).
 *
 * A window's sums are made along the columns and then along the units, first tap first, by fma; a variance is
 * fma(-m, m, mean of squares).
 *
 * Where y is stored in integers it is k / maxval, for a whole number k, and so is x where `levels` is not 0: they
 * are taken as that, in double, so that rounding to float leaves no trace: it is 0.2 % of a step of 16 bits. With a
 * scale that both levels divide, differences are whole numbers, too.
 */
struct gf_ssim {
    int channels;                        /* that are compared: 1 to 4 */
    signed char of[2][4];
    float levels;                        /* of x; 0: it is anything */
    float scale;
};

/* The same of y. */
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

gf_op_scratch gf_ssim_scratch_bytes;

extern const struct gf_operation gf_op_ssim;
gf_op_body gf_ssim_cpu, gf_ssim_cuda;

#ifdef __cplusplus
}
#endif
#endif
