/* Adds echoes to a recording. */
#ifndef GF_KERNELS_ECHO_H
#define GF_KERNELS_ECHO_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_ECHOES 4

/*
 * y[n] = x[n] + Σ decay[k]·x[n - delay[k]], added in this order by fused steps; x is 0 outside the
 * signal. dst may be longer than src. Units are one pixel wide.
 */
struct gf_echo {
    int count;
    int64_t delay[GF_ECHOES];            /* units */
    float decay[GF_ECHOES];
};

extern const struct gf_operation gf_op_echo;
gf_op_body gf_echo_cpu, gf_echo_cuda;

#ifdef __cplusplus
}
#endif
#endif
