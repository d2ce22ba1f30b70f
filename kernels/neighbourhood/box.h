/*
 * Running means: a window of 2·radius + 1 along the columns or the units, at a cost nearly
 * independent of the radius.
 */
#ifndef GF_KERNELS_BOX_H
#define GF_KERNELS_BOX_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_BOX_MAX_RADIUS 1000

/*
 * out(i) is the mean of in(i - radius) to in(i + radius), for each channel, with n = 2·radius + 1.
 * Both bodies add in the same order, so they agree to the bit. Along the columns, in float: sums of
 * 2^k neighbors are two sums of half as many; the sums for the bits of n are added from the lowest
 * bit, at the left end, on. Along the units, in double: windows that begin in one block of n units,
 * at multiples of n, are the units up to the end of the block, summed backwards from there, plus
 * those after it, summed forwards. Samples outside a border of zeros are skipped. Sums are
 * multiplied by the float, or the double, nearest to 1 / n. The last `copied` channels are copied.
 */
struct gf_box {
    int radius;
    enum gf_border border;
    bool along_units;
    bool both;           /* along the columns, then the units: bytes that gf_box_bytes_fits() on a CPU, else halves */
    int copied;          /* channels */
};

/* Returns true if a GPU works on planes: it copies some, or there are more than a thread's group has. */
static inline bool gf_box_needs_planes(const struct gf_box *box, const struct gf_io *io)
{
    return box->copied > 0 || gf_channels_at_work(io) > 4 || io->src.channels > 4 || io->dst.channels > 4;
}

extern const struct gf_operation gf_op_box;
gf_op_body gf_box_cpu, gf_box_cuda;

#ifdef __cplusplus
}
#endif
#endif
