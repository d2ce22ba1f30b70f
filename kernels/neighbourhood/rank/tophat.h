/*
 * Top hat: what an image has beside its opening or its closing, details that are smaller than a square.
 */
#ifndef GF_KERNELS_TOPHAT_H
#define GF_KERNELS_TOPHAT_H

#include "kernels/neighbourhood/rank/rank.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The opening o is the minimum of each square, as rank computes it, and then the maximum; the closing is the maximum,
 * and then the minimum. `border` continues the image, and the first of the two results again. The first `channels`
 * channels become v - o, or o - v with `dark`; others are copied. A difference of floats is rounded once. Packed
 * samples of 8 or 16 bits that become samples of the same type and maxval without a program are subtracted as stored,
 * and stay 0 if the difference is less: the differences of their floats would be stored as the same integers.
 */
struct gf_tophat {
    int radius;                          /* 1 to GF_RANK_MAX_RADIUS */
    int channels;
    enum gf_border border;
    bool dark;
};

/* Returns true if packed samples are subtracted as stored. */
static inline bool gf_tophat_is_direct(const struct gf_io *io)
{
    return !io->src.planar && !io->dst.planar && (io->src.type == GF_U8 || io->src.type == GF_U16)
        && io->dst.type == io->src.type && io->dst.maxval == io->src.maxval && gf_point_is_identity(io->load)
        && gf_point_is_identity(io->store);
}

/* Returns the parameters of rank for the first result, or for the second. */
static inline struct gf_rank gf_tophat_rank(const struct gf_tophat *t, bool second)
{
    const struct gf_rank rank = { t->dark == second ? GF_RANK_LEAST : GF_RANK_GREATEST, t->radius, t->channels,
                                  t->border };

    return rank;
}

extern const struct gf_operation gf_op_tophat;
gf_op_body gf_tophat_cpu, gf_tophat_cuda;

#ifdef __cplusplus
}
#endif
#endif
