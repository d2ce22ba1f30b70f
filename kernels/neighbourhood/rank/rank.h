/*
 * Rank: each sample becomes the minimum, the median or the maximum of the square around it, channel
 * by channel.
 */
#ifndef GF_KERNELS_RANK_H
#define GF_KERNELS_RANK_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_RANK_MAX_RADIUS 127           /* counts of a square fit in 16 bits */

enum gf_rank_pick { GF_RANK_LEAST, GF_RANK_MIDDLE, GF_RANK_GREATEST };

/*
 * out(x, y) is one of the (2·radius + 1)² samples in(x + i, y + j), |i|, |j| ≤ radius, with
 * `border` outside the image. Applies to the first `channels` channels; others are copied.
 * It selects samples and computes nothing, so both bodies give the same bits. Floats are in
 * numerical order, with -0 below 0. NaN with any bits is larger than all numbers, and is stored as
 * the NaN 0x7fffffff.
 * Packed samples of 8 and 16 bits are compared as stored.
 */
struct gf_rank {
    enum gf_rank_pick pick;
    int radius;                          /* 1 to GF_RANK_MAX_RADIUS */
    int channels;
    enum gf_border border;
};

/* Convert the bits of a float to an integer of the same order, and back. */
GF_BOTH int32_t gf_rank_key(uint32_t bits)
{
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return 0x7fffffff;
    return (int32_t)(bits ^ (bits >> 31 ? 0x7fffffffu : 0u));
}

GF_BOTH uint32_t gf_rank_bits(int32_t key)
{
    return (uint32_t)key ^ (key < 0 ? 0x7fffffffu : 0u);
}

extern const struct gf_operation gf_op_rank;
gf_op_body gf_rank_cpu, gf_rank_cuda;

#ifdef __cplusplus
}
#endif
#endif
