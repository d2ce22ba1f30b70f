/* Squares of items whose rows become columns, for the C body of move. */
#ifndef GF_KERNELS_MOVE_SQUARES_H
#define GF_KERNELS_MOVE_SQUARES_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true if squares of items of that size can be turned. */
bool gf_square_has(size_t bytes);
/* Copies the rows of a square, `pitch` bytes apart, to columns. */
void gf_square_turn(const char *from, ptrdiff_t pitch, char *to, ptrdiff_t to_pitch, size_t bytes);

#endif
