/* Selects and reorders channels: samples as stored, or silence. */
#ifndef GF_KERNELS_SELECT_H
#define GF_KERNELS_SELECT_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Channel o of dst is channel from[o] of src, or 0 if that is -1. src and dst have the same layout
 * and type; there are no programs.
 */
struct gf_select {
    signed char from[GF_MAX_CHANNELS];
};

extern const struct gf_operation gf_op_select;
gf_op_body gf_select_cpu, gf_select_cuda;

#ifdef __cplusplus
}
#endif
#endif
