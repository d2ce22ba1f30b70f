/*
 * Hysteresis: keeps weak edges that are connected to strong ones. Components are found in bands of
 * rows and joined at the seams.
 */
#ifndef GF_KERNELS_HYSTERESIS_H
#define GF_KERNELS_HYSTERESIS_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_HYSTERESIS_ROWS 64            /* rows of a band; bands begin at multiples of it */
#define GF_HYSTERESIS_GROUP_PIXELS (INT64_C(1) << 22)    /* GPU: pixels of the bands processed at a time */

/*
 * For one channel: values of 0 and less, and NaN, are empty; values above 0 are weak, values from 1
 * on strong. Pixels that touch, also at corners, form a component; components end with their band.
 * gf_op_seams measures. The record of a band has 2·width words, for the pixels of its first row and
 * of its last row: 0 for an empty pixel, otherwise 2·(1 + place) + strong. `place` is the first of
 * these words that belongs to the same component; `strong` says if the component has a strong pixel
 * anywhere.
 * gf_op_hysteresis sets pixels to 1 if their component is strong, or if the table says so for one
 * of its pixels in the first or last row, and to 0 otherwise. Entries of the table are words of
 * bits, lowest bit first: for each band, the words of its first row, then those of its last row.
 * gf_hysteresis_settle() computes that table from the records of all bands. Connectivity does not
 * depend on the order of processing, so both bodies, and any cut, give the same result.
 */
struct gf_hysteresis {
    int64_t width;
    int64_t table;                       /* for gf_op_hysteresis; entries are bits, not numbers */
};

static inline int64_t gf_hysteresis_bands(int64_t units)
{
    return gf_ceil_div(units, GF_HYSTERESIS_ROWS);
}

/* GPU: returns the units of the bands processed at a time. */
static inline int64_t gf_hysteresis_group_units(int64_t width)
{
    const int64_t row = width * GF_HYSTERESIS_ROWS, bands = GF_HYSTERESIS_GROUP_PIXELS / (row > 0 ? row : 1);

    return (bands > 1 ? bands : 1) * GF_HYSTERESIS_ROWS;
}

/* Returns the words of bits for a row. */
GF_BOTH int64_t gf_hysteresis_words(int64_t width)
{
    return (width + 31) / 32;
}

/* Returns the entries of the table for one band. */
GF_BOTH int64_t gf_hysteresis_entries(int64_t width)
{
    return 2 * gf_hysteresis_words(width);
}

/* Overwrites the `records` of all bands. */
void gf_hysteresis_settle(uint32_t *records, int64_t bands, int64_t width, float *table);

extern const struct gf_operation gf_op_seams;
gf_op_body gf_seams_cpu, gf_seams_cuda;
extern const struct gf_operation gf_op_hysteresis;
gf_op_body gf_hysteresis_cpu, gf_hysteresis_cuda;

#ifdef __cplusplus
}
#endif
#endif
