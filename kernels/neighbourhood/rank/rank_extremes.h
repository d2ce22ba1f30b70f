/* Minima and maxima of windows on a CPU, of rows or along a row. Two windows make a square. */
#ifndef GF_KERNELS_RANK_EXTREMES_H
#define GF_KERNELS_RANK_EXTREMES_H

#include "kernels/neighbourhood/rank/rank.h"

#define GF_RANK_BLOCK_ROWS (2 * GF_RANK_MAX_RADIUS + 2)  /* rows that are made together, at most */
#define GF_RANK_RUNNING 2048             /* bytes of a piece of a row on the way down the columns */

struct gf_rank_window {
    int bytes;                           /* of a sample: 1, 2, or 4 for keys of floats, which are signed */
    int step;                            /* samples from one pixel to the next */
    int radius;
    bool greatest;
    int64_t length;                      /* samples of a row of the result */
};

/*
 * Sets row i of `rows`, at most GF_RANK_BLOCK_ROWS, to the extreme of rows i to i + 2·radius of in, of n samples.
 * `running` has room for GF_RANK_RUNNING bytes.
 */
void gf_rank_down(const struct gf_rank_window *w, void *const *to, const void *const *in, int64_t rows, int64_t n,
                  void *running);
/*
 * Sets sample x of a row to the extreme of padded[x + i·step], i from 0 to 2·radius. Both rows `between` have room
 * for the padded one.
 */
void gf_rank_along(const struct gf_rank_window *w, void *to, const void *padded, void *const *between);

#endif
