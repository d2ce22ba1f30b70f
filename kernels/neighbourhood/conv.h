/*
 * Convolution (correlation: the mask is applied as written) along the columns, along the units,
 * along both, or with a full 2-D mask. Audio is a signal of width 1, filtered along its units.
 */
#ifndef GF_KERNELS_CONV_H
#define GF_KERNELS_CONV_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_CONV_MAX_TAPS 16384
#define GF_CONV_CHUNK 64

/*
 * Final step on the sums. Channels from `combined` on are copied for any mask, except with
 * GF_CONV_PLAIN.
 */
enum gf_conv_combine {
    GF_CONV_PLAIN,              /* no final step */
    /* full masks: the root of the sum of the squares of two sums, the second with the mask at also_at */
    GF_CONV_HYPOT,
    /* separable, both ways: sample + amount · d if |d| > threshold, otherwise the sample; d = sample - sum */
    GF_CONV_SHARPEN,
    /* The two halves of the previous one, for devices that run them separately: */
    GF_CONV_KEEP,               /* along x: twice as many channels, the sums and then the samples themselves */
    GF_CONV_SHARPEN_KEPT        /* along y: from the result of the first half */
};

/*
 * out(x, y) = sum over j, i of mask[j][i] · in(x + i - cx, y + j - cy), with nx columns by ny units
 * of weights. A separable mask has nx weights at masks + x_at and ny at masks + y_at, either of
 * which may be absent (nx or ny 0). It works along x first and rounds to float in between. A full
 * mask has nx·ny weights at masks + full_at, by rows.
 * Both bodies add in the same order, so they agree to the bit: fma chains in the order of the taps,
 * from 0. A chain ends after GF_CONV_CHUNK taps of a 1-D mask, or after gf_conv_chunk_rows() rows
 * of a full one. The chains are added with TwoSum (the sum in one float, its rounding errors in
 * another, added at the end); a single chain needs no TwoSum. Sums are combined with fma(gx, gx,
 * gy·gy) and fma(amount, d, sample).
 */
struct gf_conv {
    int nx, ny;
    int cx, cy;
    int64_t x_at, y_at, full_at;
    bool full;
    int mask_channels;          /* 1: one mask for all channels; otherwise a mask for each channel, one after another */
    enum gf_border border;
    enum gf_conv_combine combine;
    int combined;               /* channels */
    int64_t also_at;            /* for GF_CONV_HYPOT: nx·ny more weights */
    float amount, threshold;    /* for GF_CONV_SHARPEN */
};

GF_BOTH int gf_conv_chunk_rows(int nx)
{
    return nx >= GF_CONV_CHUNK ? 1 : GF_CONV_CHUNK / nx;
}

/*
 * Return the units before and after the current one that the mask reads. If the border reflects,
 * samples may come from either side, so both are the longer one.
 */
GF_BOTH void gf_conv_reach(int ny, int cy, enum gf_border border, int64_t *before, int64_t *after)
{
    *before = ny > 0 ? cy : 0;
    *after = ny > 0 ? ny - 1 - cy : 0;
    if (border == GF_REFLECT || border == GF_MIRROR)
        *before = *after = *before > *after ? *before : *after;
}

/*
 * Returns true if it filters along audio with any number of channels one by one, for which a GPU needs
 * no planes.
 */
static inline bool gf_conv_is_line(const struct gf_io *io, const struct gf_conv *conv)
{
    const int c = io->src.channels;

    return io->dst.width == 1 && conv->nx == 0 && io->dst.channels == c
        && gf_point_is_uniform(io->load, c) && gf_point_is_uniform(io->store, c);
}

extern const struct gf_operation gf_op_conv;
gf_op_body gf_conv_cuda;

#ifdef __cplusplus
}
#endif
#endif
