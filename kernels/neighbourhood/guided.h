/*
 * The guided filter (He, Sun, Tang): in each square, colors are a line of the guide, fitted by least squares. It has
 * three operations: the lines of all squares, their means (box), and their values.
 */
#ifndef GF_KERNELS_GUIDED_H
#define GF_KERNELS_GUIDED_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_GUIDED_MAX_RADIUS 200
#define GF_GUIDED_SUMS 4                 /* of the guide and its squares, of a color and its products with the guide */

/*
 * Fits lines. The result has a factor and a constant for each of `colours`, then the guides, then the other channels of
 * the source, copied. Each color guides itself; with `beside`, the second source guides all colors, by its luma if it
 * has three. It has the size of the signal.
 * A square has n·n samples, n = 2·radius + 1. Sums are doubles of exact products: along the units first, in blocks as
 * in box.h, then along the columns, by doubling. With means of I, II, p, Ip:
 *  factor    (Ip - I·p) / (II - I·I + eps)
 *  constant  p - factor·I
 */
struct gf_guided {
    int radius;
    int colours;
    bool beside;
    double eps;
    enum gf_border border;
    bool values;             /* instead, the source is such a result; the color is fma(factor, guide, constant) */
};

/* Returns the channels of the lines of `colours`, without those that are copied. */
GF_BOTH int gf_guided_lines(const struct gf_guided *g)
{
    return 2 * g->colours + (g->beside ? 1 : g->colours);
}

/* Returns the channels of the result for those of a source after its program. */
GF_BOTH int gf_guided_channels(const struct gf_guided *g, int source)
{
    const int more = gf_guided_lines(g) - g->colours;

    return source + (g->values ? -more : more);
}

/* A factor and a constant from the four sums; `by` is 1 / (n·n). */
GF_BOTH void gf_guided_fit(const double *sum, double by, double eps, float *factor, float *constant)
{
    const double guide = sum[0] * by, colour = sum[2] * by;
    const double spread = sum[1] * by - guide * guide, shared = sum[3] * by - guide * colour;
    const double slope = shared / (spread + eps);

    *factor = (float)slope;
    *constant = (float)(colour - slope * guide);
}

extern const struct gf_operation gf_op_guided;
gf_op_body gf_guided_cpu, gf_guided_cuda;

#ifdef __cplusplus
}
#endif
#endif
