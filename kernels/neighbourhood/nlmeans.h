/* Non-local means: means over a window in which pixels with similar surroundings count more. */
#ifndef GF_KERNELS_NLMEANS_H
#define GF_KERNELS_NLMEANS_H

#include "kernels/base/op.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GF_NLMEANS_MAX_PATCH 5
#define GF_NLMEANS_MAX_SEARCH 20
#define GF_NLMEANS_CHANNELS 4
#define GF_NLMEANS_SCALES 4              /* floats of a struct gf_nlmeans_scale */
#define GF_NLMEANS_LARGEST 16383         /* largest integer of a sample, so that differences have 16 bits */

#define GF_NLMEANS_END 4095              /* more would leave fewer samples for which `bits` is 0 */
#define GF_NLMEANS_INNER 12              /* so many times the inner square of a patch counts once more */

/*
 * The first `channels` channels are changed, in groups of `together` that share their weights; others are copied.
 * Samples become integers u = round((v - 0.5)·steps), at most GF_NLMEANS_LARGEST, NaN as the least. With the offsets
 * o within `search` rows and columns, except 0, and the offsets i within `patch`,
 *   e(p, o) = (u(p + o) - u(p)) limited to ±(32767 >> bits), times 2^bits
 *   S(p, o) = sum over i and the channels of the group of ⌊e(p + i, o)² / 2^16⌋, times 1 + GF_NLMEANS_INNER for i
 *             within 1 if `patch` is above 1
 *   y = (GF_NLMEANS_END - S) limited to 0 to fall, times ⌊65535 / fall⌋
 *   w = 2^-5 of y^8 / 2^112, each of the three squares and the last product rounded down to integers
 *   out(p) = v(p) + value·(sum over o of round(w·e(p, o) / 2^15)) / (w if y is largest + sum over o of w)
 * Halves are rounded up if o is after 0 in the order of rows and columns, otherwise down, so that p and p + o get
 * the same number. If there is a window of frames, u(p + o) of all its other images counts, too, also for o = 0, and
 * halves are rounded up. Sums of integers have no order, so all bodies and cuts give the same bytes.
 */
struct gf_nlmeans {
    int patch, search;
    int images;                          /* most images of a window, for the cost */
    int channels, together;
    enum gf_border border;
    int64_t scales_at;                   /* a struct gf_nlmeans_scale in the tables for each group */
};

/* Numbers that depend on the noise; `bits` and `fall` are whole. */
struct gf_nlmeans_scale {
    float steps, bits, value, fall;
};

/* Returns the weight of y. */
GF_BOTH unsigned gf_nlmeans_weight(unsigned y)
{
    y = y * y >> 16;
    y = y * y >> 16;
    return (y * y >> 16) >> 5;
}

/*
 * Returns the scale for noise of this standard deviation, which must be above 0. The noise of two equal patches adds
 * up to twice its variance; such patches get the full weight. The weight ends at `fall` variances more: with strong
 * noise at fewer, because most differences are then due to noise.
 */
static inline struct gf_nlmeans_scale gf_nlmeans_scale(const struct gf_nlmeans *m, double sigma)
{
    const int side = 2 * m->patch + 1;
    const int terms = (side * side + (m->patch > 1 ? 9 * GF_NLMEANS_INNER : 0)) * m->together;
    const double fall = 8 / (1 + 8 * sigma);
    /* a term is rounded down by a half on average */
    const double variance = (GF_NLMEANS_END + 0.5 * terms) / (2 + fall);
    double steps = sqrt(variance * 65536 / terms) / sigma;
    int bits = 0;

    while (steps > 2 * GF_NLMEANS_LARGEST && bits < 12) {
        steps /= 2;
        bits++;
    }
    if (steps > 2 * GF_NLMEANS_LARGEST)
        steps = 2 * GF_NLMEANS_LARGEST;
    return (struct gf_nlmeans_scale) { (float)steps, (float)bits, (float)(32768 / (steps * (1 << bits))),
                                       (float)(int)(variance * fall) };
}

extern const struct gf_operation gf_op_nlmeans;
gf_op_body gf_nlmeans_cpu, gf_nlmeans_cuda;

#ifdef __cplusplus
}
#endif
#endif
