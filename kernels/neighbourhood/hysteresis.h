/* Weak edges that hang together with strong ones: connected pieces, found in bands of rows and joined at their seams. */
#ifndef GF_KERNELS_HYSTERESIS_H
#define GF_KERNELS_HYSTERESIS_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_HYSTERESIS_ROWS 64            /* of a band; bands stand at multiples */
#define GF_HYSTERESIS_GROUP_PIXELS (INT64_C(1) << 22)    /* GPU: of the bands that are looked at a time */

/*
 * Of one channel, where 0 and less, and NaN, is nothing, what is more than 0 weak and from 1 on strong. Pixels that
 * touch, also at corners, make a piece; pieces end with their band.
 *
 * gf_op_seams measures: the record of a band has 2·width words, for the pixels of its first row and then of its last
 * one: 0 where nothing is, else 2·(1 + place) + strong. `place` is the first of these words that tells of the same piece,
 * `strong` whether there is a strong pixel anywhere in it.
 *
 * gf_op_hysteresis makes 1 of the pieces that are strong, or of which the table says so for a pixel in the first or the
 * last row, and 0 of all else. Entries of the table are words of bits, the first one the lowest: for each band, as many as a row
 * takes for its first row, and then for its last one.
 *
 * gf_hysteresis_settle() makes that table of all bands' records. Which pixels belong together does not depend on the
 * order in which they are looked at, so both bodies, and any cut, give the same.
 */
struct gf_hysteresis {
    int64_t width;
    int64_t table;                       /* gf_op_hysteresis; entries are bits, not numbers */
};

static inline int64_t gf_hysteresis_bands(int64_t units)
{
    return gf_ceil_div(units, GF_HYSTERESIS_ROWS);
}

/* GPU: units of the bands that are looked at a time. */
static inline int64_t gf_hysteresis_group_units(int64_t width)
{
    const int64_t row = width * GF_HYSTERESIS_ROWS, bands = GF_HYSTERESIS_GROUP_PIXELS / (row > 0 ? row : 1);

    return (bands > 1 ? bands : 1) * GF_HYSTERESIS_ROWS;
}

/* Words of bits for a row. */
GF_BOTH int64_t gf_hysteresis_words(int64_t width)
{
    return (width + 31) / 32;
}

/* Entries of the table for one band. */
GF_BOTH int64_t gf_hysteresis_entries(int64_t width)
{
    return 2 * gf_hysteresis_words(width);
}

/* `records` of all bands are used up. */
void gf_hysteresis_settle(uint32_t *records, int64_t bands, int64_t width, float *table);

extern const struct gf_operation gf_op_seams;
gf_op_body gf_seams_cpu, gf_seams_cuda;
extern const struct gf_operation gf_op_hysteresis;
gf_op_body gf_hysteresis_cpu, gf_hysteresis_cuda;

#ifdef __cplusplus
}
#endif
#endif
