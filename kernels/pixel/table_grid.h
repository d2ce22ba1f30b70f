/* Look-ups in tables that stand on a lattice, blended between the four that are nearest. */
#ifndef GF_KERNELS_TABLE_GRID_H
#define GF_KERNELS_TABLE_GRID_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Table (i, j) of the pool of tables, at table + (j · across + i) · bins, stands in the middle of
 * its share of the picture. With y the brightness of a pixel (.299 r + .587 g + .114 b, or the
 * only colour) and b the bin of y (to the nearest, ties to even, clamped), what the tables say
 * of b is blended by how near they stand, and added to each colour; beyond the outermost
 * ones it is theirs. Alpha is copied. All in single precision, with fused sums, in this order.
 */
struct gf_table_grid {
    int64_t table;
    int bins, across, down;
    float per_column, per_row;           /* tables a pixel: across / width, down / rows */
    int colours;                         /* 1 or 3 */
};

extern const struct gf_operation gf_op_table_grid;
gf_op_body gf_table_grid_cpu, gf_table_grid_cuda;

#ifdef __cplusplus
}
#endif
#endif
