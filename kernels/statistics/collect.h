/* Rows as they come, kept as records: for stages that report a small signal whole. */
#ifndef GF_KERNELS_COLLECT_H
#define GF_KERNELS_COLLECT_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The record of channel c of the i-th unit of dst.span are its `width` samples, planar as they are, at
 * ((float *)dst.data)[(i · channels + c) · width].
 */
struct gf_collect {
    int channels;
    int64_t width;
    int64_t joined;                      /* rows that are added up, one by one, for each that is kept; 0: every row is */
};

extern const struct gf_operation gf_op_collect;
gf_op_body gf_collect_cpu, gf_collect_cuda;

#ifdef __cplusplus
}
#endif
#endif
