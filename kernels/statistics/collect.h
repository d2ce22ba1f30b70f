/* Keeps rows as records, for stages that report a whole small signal. */
#ifndef GF_KERNELS_COLLECT_H
#define GF_KERNELS_COLLECT_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The record of channel c of the i-th unit of dst.span is its `width` samples as planar floats, at
 * ((float *)dst.data)[(i · channels + c) · width].
 */
struct gf_collect {
    int channels;
    int64_t width;
    int64_t joined;                      /* this many rows are added to one record; 0: none */
};

extern const struct gf_operation gf_op_collect;
gf_op_body gf_collect_cpu, gf_collect_cuda;

#ifdef __cplusplus
}
#endif
#endif
