/* The lesson on products of matrices: what its parts share. */
#ifndef GF_LESSONS_MATMUL_H
#define GF_LESSONS_MATMUL_H

#include "base/signal.h"

#define GF_LESSON_MATMUL_TILE 128        /* rows and columns of the result that a block computes */

/* Returns the side of a matrix in scratch memory: zeros follow the values, so no tile is cut. */
GF_BOTH int64_t gf_lesson_matmul_padded(int64_t side)
{
    return (side + GF_LESSON_MATMUL_TILE - 1) / GF_LESSON_MATMUL_TILE * GF_LESSON_MATMUL_TILE;
}

/* Returns the rows of the rectangular result with as many values as a square one: twice its side, if that is even. */
GF_BOTH int gf_lesson_matmul_rows(int side)
{
    return side % 2 == 0 ? 2 * side : side;
}

#endif
