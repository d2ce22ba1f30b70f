/* Prefix sums of counts. */
#ifndef GF_KERNELS_SCAN_H
#define GF_KERNELS_SCAN_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_SCAN_TILE_LEAST 512           /* GPU: fewest values of a tile; each tile takes a word of memory */

/*
 * Inclusive: uint64_t dst[i] = src[0] + … + src[i], with `count` values at src.data and dst.data,
 * which may be the same. Sums must stay below 2^62.
 */
struct gf_scan {
    int64_t count;
};

extern const struct gf_operation gf_op_scan;
gf_op_body gf_scan_cpu, gf_scan_cuda;

#ifdef __cplusplus
}
#endif
#endif
