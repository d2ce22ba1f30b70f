/* A recording with echoes of itself. */
#ifndef GF_KERNELS_ECHO_H
#define GF_KERNELS_ECHO_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_ECHOES 4

/*
 * y[n] = x[n] + Σ decay[k]·x[n - delay[k]], in this order, each a fused step; silence where there
 * is no x. dst may be longer than src. Units are one pixel wide.
 */
struct gf_echo {
    int count;
    int64_t delay[GF_ECHOES];            /* units */
    float decay[GF_ECHOES];
};

gf_op_scratch gf_echo_scratch_bytes;

extern const struct gf_operation gf_op_echo;
gf_op_body gf_echo_cpu, gf_echo_cuda;

#ifdef __cplusplus
}
#endif
#endif
