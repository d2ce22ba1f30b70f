/* Moves samples unchanged: crop, flip, flop, transpose, quarter turns. */
#ifndef GF_KERNELS_MOVE_H
#define GF_KERNELS_MOVE_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_MOVE_SQUARE 32                /* rows that are made from columns together on a CPU */

/*
 * dst(x, y) = src(cx + x·xx + y·xy, cy + x·yx + y·yy), always inside the source; the factors are
 * -1, 0 or 1. src and dst have the same layout and type. Without programs the stored samples are
 * copied unchanged.
 */
struct gf_move {
    int xx, xy, yx, yy;
    int64_t cx, cy;
};

extern const struct gf_operation gf_op_move;
gf_op_body gf_move_cpu, gf_move_cuda;

#ifdef __cplusplus
}
#endif
#endif
