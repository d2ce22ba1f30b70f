/* Transposed rows of a resize on a CPU, and sums along their columns. */
#ifndef GF_KERNELS_RESIZE_COLUMNS_H
#define GF_KERNELS_RESIZE_COLUMNS_H

#include <stdint.h>

#define GF_RESIZE_LANES 16               /* rows processed together; also two or four times as many */
#define GF_RESIZE_MOST 64                /* samples of such rows in a column, at most: their sums stay in registers */
#define GF_RESIZE_PART 4096              /* samples of such rows that are summed before they are transposed */

/*
 * Computes outputs [from, to) from transposed rows. `group` floats are the samples of all rows in a
 * column: at least two and at most four times GF_RESIZE_LANES, because compilers take 16 for scalars.
 */
void gf_resize_columns_sum(const float *turned, const float *entries, int64_t stride, int64_t from, int64_t to,
                           float *out, int group);
/* Transposes `lanes` rows of n samples, GF_RESIZE_PART / lanes apart, to n groups of them, and back. */
void gf_resize_columns_turn(const float *rows, int64_t n, float *turned, int lanes);
void gf_resize_columns_turn_back(const float *turned, int64_t n, float *rows, int lanes);

#endif
