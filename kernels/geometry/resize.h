/* Resizing: each output is a weighted sum of neighbors, first down the rows, then along them. */
#ifndef GF_KERNELS_RESIZE_H
#define GF_KERNELS_RESIZE_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_RESIZE_CHUNK 64
#define GF_RESIZE_MAX_SIDE 16777216     /* positions are stored as floats */
#define GF_RESIZE_ENTRY 2               /* floats of an entry before its weights */

/*
 * One direction. In the pool of tables, from `at` on, each of `out` positions has an entry: its
 * first input of `in`, their number, and a weight for each, padded to `taps`. First and last inputs
 * never decrease. taps 0: this direction does not change.
 *
 * Inputs may be those of a side of `full` that was reduced `shrunk` times: input 0 begins at `start` of the full
 * side, and the last one may reach beyond its end. The result covers exactly the full side.
 */
struct gf_resize_axis {
    int64_t at;
    int64_t in, out;
    int taps;
    int extra;                           /* see gf_resize_room() */
    int shrunk;                          /* 0: not reduced, and `full` and `start` have no meaning */
    int64_t full, start;
};

/*
 * Rows are processed first, rounded to float, then columns. Sums are fma chains in the order of the
 * taps, from 0; a chain ends after GF_RESIZE_CHUNK taps, and the chains are added in order. If rows
 * change and the source is packed unsigned samples without a program, the sums are those of stored
 * integers, times the float nearest to 1 / maxval.
 */
struct gf_resize {
    struct gf_resize_axis x, y;
};

GF_BOTH int64_t gf_resize_stride(const struct gf_resize_axis *axis)
{
    return GF_RESIZE_ENTRY + axis->taps;
}

#define GF_RESIZE_TOGETHER 64           /* the most positions that share their inputs on a GPU, a multiple of four */

/*
 * Returns how many inputs neighboring positions have together, at most: up to four, or a multiple of four up to
 * GF_RESIZE_TOGETHER. If positions are further apart than in / out, because some are beyond the border, `extra` says
 * how many more there are. Tiles ask for one position and one input more than they need.
 */
GF_BOTH int64_t gf_resize_room(const struct gf_resize_axis *axis, int64_t positions)
{
    return ((positions - 1) * axis->in + axis->out - 1) / axis->out + axis->taps + axis->extra;
}

/* Returns true if the sums are those of stored integers. */
static inline bool gf_resize_is_stored(const struct gf_io *io, const struct gf_resize *r)
{
    return r->y.taps > 0 && !io->src.planar && (io->src.type == GF_U8 || io->src.type == GF_U16)
           && gf_point_is_identity(io->load);
}

enum gf_resize_filter { GF_RESIZE_LANCZOS, GF_RESIZE_LINEAR, GF_RESIZE_CUBIC, GF_RESIZE_NEAREST, GF_RESIZE_AREA };

/* Returns the most inputs of a position. */
int gf_resize_taps(enum gf_resize_filter filter, int64_t in, int64_t out);
/* Fills the entries of an axis at `entries`, with weights that sum to 1. */
void gf_resize_fill(const struct gf_resize_axis *axis, enum gf_resize_filter filter, float *entries);
/*
 * Position i has inputs from ⌊i·times/per⌋ + shift - before to ⌈(i+1)·times/per⌉ + shift + after, or the
 * nearest one if none of those exist.
 */
struct gf_resize_reach {
    int64_t times, per, shift;
    int64_t before, after;
};
/* Sets before and after. */
void gf_resize_find_reach(const struct gf_resize_axis *axis, const float *entries, struct gf_resize_reach *reach);

extern const struct gf_operation gf_op_resize;
gf_op_body gf_resize_cpu, gf_resize_cuda;

#ifdef __cplusplus
}
#endif
#endif
