/* Mixing: another recording is added to the signal. */
#ifndef GF_KERNELS_MIX_H
#define GF_KERNELS_MIX_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * y[n][c] = gain·s[n - shift][c] + x[n][c], with the second source s, io->beside, which has as many channels; where s
 * has no frame, x is copied. With `loops`, s begins again at its end. Units are one pixel wide.
 */
struct gf_mix {
    float gain;
    bool loops;
};

/* Returns the frames to which s is added, of those that are there. */
static inline struct gf_span gf_mix_frames(const struct gf_io *io, const struct gf_mix *mix)
{
    const struct gf_span there = io->beside.span;
    const bool loops = mix->loops && io->beside_units > 0;
    const struct gf_span mixed = { (loops ? 0 : there.start) + io->beside_shift,
                                   loops ? INT64_MAX : there.end + io->beside_shift };

    return mixed;
}

extern const struct gf_operation gf_op_mix;
gf_op_body gf_mix_cpu, gf_mix_cuda;

#ifdef __cplusplus
}
#endif
#endif
