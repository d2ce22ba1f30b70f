/* Running means: a window of 2·radius + 1 along the columns or along the units, at a cost that hardly knows the radius. */
#ifndef GF_KERNELS_BOX_H
#define GF_KERNELS_BOX_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_BOX_MAX_RADIUS 1000

/*
 * out(i) = the mean of in(i - radius) to in(i + radius), by channel, for n = 2·radius + 1.
 *
 * Both bodies add in the same order, so they agree to the bit. Along the columns, in float:
 * sums of 2^k neighbours are made from two sums of half as many, and those that n is made
 * of, as a number of bits, are added from the least one at the left end on. Along the
 * units, in double: windows that begin in one block of n units, at multiples of n, are the
 * units from there to the block's end, summed from that end back, plus those behind it,
 * summed from it on. What lies beyond a border that is zero is left out. Sums are then
 * multiplied by the float, or the double, nearest to 1 / n.
 */
struct gf_box {
    int radius;
    bool along_units;
    enum gf_border border;
};

/* Scratch the C body needs for such a call. */
gf_op_scratch gf_box_scratch_bytes;

extern const struct gf_operation gf_op_box;
gf_op_body gf_box_cpu, gf_box_cuda;

#ifdef __cplusplus
}
#endif
#endif
