/* Look-ups in a grid of tables, interpolated between the four nearest ones. */
#ifndef GF_KERNELS_TABLE_GRID_H
#define GF_KERNELS_TABLE_GRID_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Table (i, j) is at table + (j · across + i) · bins in the pool, and belongs to the center of its
 * tile of the image. With the brightness y of a pixel (.299 r + .587 g + .114 b, or its only color)
 * and its bin b (rounded to nearest, ties to even, clamped), the four entries for b are
 * interpolated by position and added to each color. Beyond the outermost centers the nearest tables
 * apply. Alpha is copied. All in single precision with fused sums, in this order.
 */
struct gf_table_grid {
    int64_t table;
    int bins, across, down;
    float per_column, per_row;           /* tables for each pixel: across / width, down / rows */
    int colours;                         /* 1 or 3 */
};

extern const struct gf_operation gf_op_table_grid;
gf_op_body gf_table_grid_cpu, gf_table_grid_cuda;

#ifdef __cplusplus
}
#endif
#endif
