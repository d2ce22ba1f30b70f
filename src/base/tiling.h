/* Divides an image into tiles: the arithmetic of their places and sizes. */
#ifndef GF_BASE_TILING_H
#define GF_BASE_TILING_H

#include <stdint.h>

/* The size of tiles without their overlap, which is half of a side at most. A width of 0 means no tiles. */
struct gf_tiling {
    int64_t width, height, overlap;
};

/* A tile: its column and row among the tiles, and its pixels in the image, with the overlap. */
struct gf_tile {
    int64_t x, y;
    int64_t left, top, width, height;
};

/* The number of tiles side by side, or below each other. */
int64_t gf_tiling_columns(const struct gf_tiling *t, int64_t image_width);
int64_t gf_tiling_rows(const struct gf_tiling *t, int64_t image_height);
struct gf_tile gf_tiling_tile(const struct gf_tiling *t, int64_t image_width, int64_t image_height, int64_t x,
                              int64_t y);

#endif
