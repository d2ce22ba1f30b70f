/* The highest level in each block of frames, of all channels. */
#ifndef GF_KERNELS_TOPS_H
#define GF_KERNELS_TOPS_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Blocks are placed as those of struct gf_reduce. The record of the i-th block of dst.span is the largest absolute
 * value of all samples of all channels, at ((float *)dst.data)[i]. NaN counts as 0.
 */
struct gf_tops {
    int64_t block_units;
    int channels;
};

/* Absolute values of floats have the order of their bits, which are integers; NaN has the highest. */
#define GF_TOPS_SIGNLESS 0x7FFFFFFF
#define GF_TOPS_INFINITY 0x7F800000

/* Returns the bits of a sample's absolute value. */
GF_BOTH int32_t gf_tops_bits(int32_t sample)
{
    const int32_t a = sample & GF_TOPS_SIGNLESS;

    return a > GF_TOPS_INFINITY ? 0 : a;
}

extern const struct gf_operation gf_op_tops;
gf_op_body gf_tops_cpu, gf_tops_cuda;

#ifdef __cplusplus
}
#endif
#endif
