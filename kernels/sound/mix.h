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

extern const struct gf_operation gf_op_mix;
gf_op_body gf_mix_cpu, gf_mix_cuda;

#ifdef __cplusplus
}
#endif
#endif
