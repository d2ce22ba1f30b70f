/* Shared by the parts of the C body of resize: sums down the rows, and columns whose weights repeat. */
#ifndef GF_KERNELS_RESIZE_ROWS_H
#define GF_KERNELS_RESIZE_ROWS_H

#include "kernels/geometry/resize.h"

/* A call on one line of samples for each row: a plane, or all channels of packed pixels. */
struct gf_resize_rows {
    const struct gf_resize *r;
    const float *x_entries, *y_entries;
    struct gf_block src, dst;            /* one channel each, or width · channels if `channels` are interleaved */
    int channels;
    const struct gf_block *planes;       /* for interleaved channels that are stored as planes; otherwise NULL */
    float scale;
    float *rows, *turned, *sums;         /* scratch for columns whose weights do not repeat */
    float *ring;                         /* gf_resize_period_scratch() floats, if the source has integers */
};

/* Sums samples [s, s + n) of row y down the rows. */
void gf_resize_rows_load(const struct gf_resize_rows *j, int64_t y, int64_t s, int64_t n, float *out);
/* Stores samples of row y from s on, where a pixel begins. */
void gf_resize_rows_store(const struct gf_resize_rows *j, int64_t y, int64_t s, int64_t n, const float *row);

/*
 * Columns whose weights repeat: pixel first + i·out + p of the result has the weights of pixel first + p, for inputs
 * that are i·in further on, for 0 ≤ i < periods and 0 ≤ p < out.
 */
struct gf_resize_period {
    int in, out;
    int64_t first, periods;
};

/* Returns true if the ratio of an axis is simple enough for a period. */
bool gf_resize_period_is_short(const struct gf_resize_axis *axis);
/* Finds the period of an axis. Returns false if gf_resize_period_rows() cannot use it. */
bool gf_resize_period_find(const struct gf_resize_axis *axis, const float *entries, struct gf_resize_period *p);
/* Computes rows of the result; nothing is transposed. There are at most GF_RESIZE_CHUNK taps down the rows. */
void gf_resize_period_rows(const struct gf_resize_rows *j, const struct gf_resize_period *p, struct gf_span out);
/* Returns the floats of scratch that it takes to read integers of `channels` channels. */
size_t gf_resize_period_scratch(const struct gf_resize *r, int channels);

/* Returns true if these rows of bytes are half as many and half as long, and each sample is the mean of four. */
bool gf_resize_half_fits(const struct gf_resize_rows *j, struct gf_span out);
void gf_resize_half_row(const struct gf_resize_rows *j, int64_t y);

/* Returns true if gf_resize_double_row() may compute rows: of bytes, twice as long, of whole pixels. */
bool gf_resize_double_fits(const struct gf_resize_rows *j, const struct gf_resize_period *p);
/* Computes row y. Returns false if its weights are none of those that this function knows. */
bool gf_resize_double_row(const struct gf_resize_rows *j, const struct gf_resize_period *p, int64_t y);

#endif
