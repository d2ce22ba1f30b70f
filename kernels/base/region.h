/* A region is the rectangle of the source that an operation needs for a tile of its result. */
#ifndef GF_KERNELS_REGION_H
#define GF_KERNELS_REGION_H

#include "kernels/base/op.h"

#define GF_REGION_MARGIN 3               /* pixels that interpolation reads on each side, and one for rounding */

struct gf_region {
    int64_t x, y, columns, rows;         /* of the source */
    /* parameters of the operation, changed as if the region were the whole source */
    union gf_op_changed params;
};

/* Returns the smallest and the largest a + x·dx + y·dy over the corners of a tile. */
static inline struct gf_span gf_region_extent(int64_t a, int64_t dx, int64_t dy, struct gf_span columns,
                                              struct gf_span rows)
{
    const int64_t x[2] = { columns.start * dx, (columns.end - 1) * dx },
                         y[2] = { rows.start * dy, (rows.end - 1) * dy };
    const struct gf_span s = { a + (x[0] < x[1] ? x[0] : x[1]) + (y[0] < y[1] ? y[0] : y[1]),
                               a + (x[0] > x[1] ? x[0] : x[1]) + (y[0] > y[1] ? y[0] : y[1]) };

    return s;
}

#endif
