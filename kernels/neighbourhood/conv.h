/*
 * Convolution (correlation, the mask applied as written) along the columns, along the
 * units, along both one after the other, or with a full 2-D mask. Audio is a signal of
 * width 1, filtered along its units.
 */
#ifndef GF_KERNELS_CONV_H
#define GF_KERNELS_CONV_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_CONV_MAX_TAPS 16384
#define GF_CONV_MAX_SIDE 127
#define GF_CONV_CHUNK 64

/* What becomes of the sums. Channels from `combined` on are copied, whatever the masks say, but for GF_CONV_PLAIN. */
enum gf_conv_combine {
    GF_CONV_PLAIN,              /* nothing more */
    GF_CONV_HYPOT,              /* full masks: the root of the sum of the squares, of the mask's sum and of another's at also_at */
    GF_CONV_SHARPEN,            /* separable, both ways: sample + amount · d where |d| > threshold, else the sample; d = sample - sum */
    /* The same in two halves, on devices that take them one by one; only there: */
    GF_CONV_KEEP,               /* along x: twice the channels come out, sums and then the samples themselves */
    GF_CONV_SHARPEN_KEPT        /* along y: from those */
};

/*
 * out(x, y) = sum over j, i of mask[j][i] · in(x + i - cx, y + j - cy)
 *
 * nx columns by ny units of weights. A separable mask has nx weights at masks + x_at and
 * ny at masks + y_at, either of which may be absent (nx or ny 0), and works along x first,
 * rounding to float in between. A full mask has nx·ny weights at masks + full_at, by rows.
 *
 * Both bodies add in the same order, so they agree to the bit: fma chains in the order of
 * the taps, from 0; a chain ends after GF_CONV_CHUNK taps of a 1-D mask, or after
 * gf_conv_chunk_rows() rows of a full one, and the chains are added with TwoSum (the sum in
 * one float, its rounding errors in another, added at the end). One chain: no TwoSum.
 * Sums are combined with fma(gx, gx, gy·gy) and fma(amount, d, sample).
 */
struct gf_conv {
    int nx, ny;
    int cx, cy;
    int64_t x_at, y_at, full_at;
    bool full;
    int mask_channels;          /* 1: one mask for all channels; else a mask a channel, stored one after another */
    enum gf_border border;
    enum gf_conv_combine combine;
    int combined;               /* channels */
    int64_t also_at;            /* GF_CONV_HYPOT: nx·ny weights more */
    float amount, threshold;    /* GF_CONV_SHARPEN */
};

GF_BOTH int gf_conv_chunk_rows(int nx)
{
    return nx >= GF_CONV_CHUNK ? 1 : GF_CONV_CHUNK / nx;
}

/*
 * Units before and after the one at hand that the mask sees. What reflects at a border may
 * land on either side, so there both are the longer one.
 */
GF_BOTH void gf_conv_reach(int ny, int cy, enum gf_border border, int64_t *before, int64_t *after)
{
    *before = ny > 0 ? cy : 0;
    *after = ny > 0 ? ny - 1 - cy : 0;
    if (border == GF_REFLECT || border == GF_MIRROR)
        *before = *after = *before > *after ? *before : *after;
}

/* Filters along a recording, that any number of channels take one by one: a GPU needs no planes for them. */
static inline bool gf_conv_is_line(const struct gf_io *io, const struct gf_conv *conv)
{
    const int c = io->src.channels;

    return io->dst.width == 1 && conv->nx == 0 && io->dst.channels == c
        && gf_point_is_uniform(io->load, c) && gf_point_is_uniform(io->store, c);
}

/* Scratch the C body needs for such a call. */
gf_op_scratch gf_conv_scratch_bytes;

extern const struct gf_operation gf_op_conv;
gf_op_body gf_conv_cpu, gf_conv_cuda;

#ifdef __cplusplus
}
#endif
#endif
