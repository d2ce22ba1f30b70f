/* Filters PNG rows. Of the five filters, the one whose result is closest to zero is used. */
#include "base/clones.h"
#include "io/formats/png/png.h"

#include <string.h>

#define FILTERS 5
#define BLOCK 256                        /* bytes whose costs sum to less than 2^16 */


/* Paeth predictor: of left, above and above left, the one nearest to left + above - above left. */
GF_INLINE uint16_t paeth_of(uint16_t left, uint16_t up, uint16_t corner)
{
    const uint16_t to_left = up > corner ? up - corner : corner - up;
    const uint16_t to_up = left > corner ? left - corner : corner - left;
    const uint16_t sum = left + up, twice = corner + corner;
    const uint16_t to_corner = sum > twice ? sum - twice : twice - sum;
    const uint16_t other = to_up <= to_corner ? up : corner;

    return to_left <= to_up && to_left <= to_corner ? left : other;
}

/* Returns the absolute value of a byte taken as signed. Small values tend to compress well. */
GF_INLINE uint16_t magnitude(uint16_t v)
{
    const uint16_t byte = v & 255, other = 256 - byte;

    return byte < other ? byte : other;
}

GF_CLONES static void add_costs(const unsigned char *restrict at, const unsigned char *restrict left_of,
                                const unsigned char *restrict above, const unsigned char *restrict corner_of, int n,
                                uint64_t *cost)
{
    uint16_t none = 0, sub = 0, over = 0, average = 0, paeth = 0;

    for (int i = 0; i < n; i++) {
        const uint16_t v = at[i], left = left_of[i], up = above[i], corner = corner_of[i];

        none += magnitude(v);
        sub += magnitude(v - left);
        over += magnitude(v - up);
        average += magnitude(v - (uint16_t)(left + up) / 2);
        paeth += magnitude(v - paeth_of(left, up, corner));
    }
    cost[0] += none;
    cost[1] += sub;
    cost[2] += over;
    cost[3] += average;
    cost[4] += paeth;
}

GF_CLONES static void apply_filter(int filter, const unsigned char *restrict at, const unsigned char *restrict left_of,
                                   const unsigned char *restrict above, const unsigned char *restrict corner_of,
                                   unsigned char *restrict to, size_t size)
{
    switch (filter) {
    case 0:
        memcpy(to, at, size);
        break;
    case 1:
        for (size_t i = 0; i < size; i++)
            to[i] = (unsigned char)(at[i] - left_of[i]);
        break;
    case 2:
        for (size_t i = 0; i < size; i++)
            to[i] = (unsigned char)(at[i] - above[i]);
        break;
    case 3:
        for (size_t i = 0; i < size; i++)
            to[i] = (unsigned char)(at[i] - (left_of[i] + above[i]) / 2);
        break;
    default:
        for (size_t i = 0; i < size; i++)
            to[i] = (unsigned char)(at[i] - paeth_of(left_of[i], above[i], corner_of[i]));
    }
}

static int cheapest_filter(const uint64_t *cost)
{
    int best = 0;

    for (int filter = 1; filter < FILTERS; filter++)
        if (cost[filter] < cost[best])
            best = filter;
    return best;
}

void gf_png_filter(const unsigned char *rows, size_t size, int64_t count, size_t pixel_bytes, unsigned char *to)
{
    static const unsigned char zeros[8];

    for (int64_t y = 0; y < count; y++, rows += size, to += size + 1) {
        const unsigned char *row = rows, *above = rows - size;
        uint64_t cost[FILTERS] = { 0 };
        int filter;

        /* the first pixel has no left neighbor */
        add_costs(row, zeros, above, zeros, (int)pixel_bytes, cost);
        for (size_t at = pixel_bytes; at < size; at += BLOCK)
            add_costs(row + at, row + at - pixel_bytes, above + at, above + at - pixel_bytes,
                      size - at < BLOCK ? (int)(size - at) : BLOCK, cost);
        filter = cheapest_filter(cost);
        to[0] = (unsigned char)filter;
        apply_filter(filter, row, zeros, above, zeros, to + 1, pixel_bytes);
        apply_filter(filter, row + pixel_bytes, row, above + pixel_bytes, above, to + 1 + pixel_bytes,
                     size - pixel_bytes);
    }
}
