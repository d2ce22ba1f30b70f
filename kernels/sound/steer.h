/* A slow gain that brings the loudness of a signal to a target. */
#ifndef GF_KERNELS_STEER_H
#define GF_KERNELS_STEER_H

#include "kernels/sound/follow.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The result has channels `kept` of the source, unchanged, and one more: a gain, which stays for a block of frames.
 * Blocks begin at multiples of block_units. The energy e of a block is the mean over its frames of Σ weight·x² of
 * the channels from `kept` on, with squares as gf_follow_square() rounds them. A block counts if e ≥ gate, and then
 *  sum' = decay·sum + e,   count' = decay·count + 1;
 * both stay as they are in other blocks, and so does the gain. The gain of the next block is 2^g, where g is
 * target - gf_octaves_of(sum'/count'), limited to ±most, in GF_OCTAVE of energy and of amplitude.
 * Planes in, planes out, with adjacent frames and no programs.
 */
struct gf_steer {
    int kept;
    int64_t block_units;
    double decay, gate;
    int32_t target, most;
    float root[GF_MAX_CHANNELS];         /* roots of the weights */
};

/* The state that each block hands on; all zero before the first one. */
struct gf_steer_state {
    int64_t energy;                      /* of the block so far */
    double sum, count;
    int64_t gain;                        /* in GF_OCTAVE */
};

/* Ends a block. */
GF_BOTH void gf_steer_end(const struct gf_steer *s, double scale, struct gf_steer_state *state)
{
    const double energy = (double)state->energy * scale;
    int32_t gain;

    state->energy = 0;
    if (energy < s->gate)
        return;
    state->sum = state->sum * s->decay + energy;
    state->count = state->count * s->decay + 1.0;
    gain = (s->target - gf_octaves_of((float)(state->sum / state->count))) / 2;
    state->gain = gain < -s->most ? -s->most : gain > s->most ? s->most : gain;
}

static inline double gf_steer_scale(const struct gf_steer *s)
{
    return 1.0 / (4294967296.0 * (double)s->block_units);
}

extern const struct gf_operation gf_op_steer;
gf_op_body gf_steer_cpu, gf_steer_cuda;

#ifdef __cplusplus
}
#endif
#endif
