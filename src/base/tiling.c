/* Divides an image into tiles: the arithmetic of their places and sizes. */
#include "base/tiling.h"

#include "base/signal.h"

int64_t gf_tiling_columns(const struct gf_tiling *t, int64_t image_width)
{
    return gf_ceil_div(image_width, t->width);
}

int64_t gf_tiling_rows(const struct gf_tiling *t, int64_t image_height)
{
    return gf_ceil_div(image_height, t->height);
}

/* Finds the pixels of tile number `at` along one side of the image. */
static void find_span(int64_t at, int64_t side, int64_t overlap, int64_t whole, int64_t *start, int64_t *length)
{
    const int64_t first = at * side - overlap, end = whole - at * side > side + overlap ? (at + 1) * side + overlap
                                                                                        : whole;

    *start = first > 0 ? first : 0;
    *length = end - *start;
}

struct gf_tile gf_tiling_tile(const struct gf_tiling *t, int64_t image_width, int64_t image_height, int64_t x,
                              int64_t y)
{
    struct gf_tile tile = { .x = x, .y = y };

    find_span(x, t->width, t->overlap, image_width, &tile.left, &tile.width);
    find_span(y, t->height, t->overlap, image_height, &tile.top, &tile.height);
    return tile;
}
