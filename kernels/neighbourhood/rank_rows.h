/* Between the parts of the C body of rank: rows whose ends are padded, of bytes, 16-bit words or keys of floats. */
#ifndef GF_KERNELS_RANK_ROWS_H
#define GF_KERNELS_RANK_ROWS_H

#include "kernels/neighbourhood/rank.h"

/*
 * Sample x of row y of the result is picked from in[(y + j)·pitch + x + i·step], i and j
 * from 0 to 2·radius: rows and columns beyond the border are there.
 */
struct gf_rank_rows {
    int bytes;                           /* a sample: 1, 2, or 4 for keys, which are signed */
    int step;                            /* samples from a pixel to the next */
    int radius;
    int64_t rows, length;                /* of the result */
    const void *in;
    int64_t pitch;
    void *out;
    int64_t out_pitch;
    int first, end;                      /* channels at work: samples x with first ≤ x mod step < end; others may be written too */
    void *scratch;                       /* aligned to 64 bytes */
};

#define GF_RANK_NETWORK_RADIUS 4         /* medians up to here by networks of comparisons */

void gf_rank_extremes(const struct gf_rank_rows *r, bool greatest);
void gf_rank_network(const struct gf_rank_rows *r);
void gf_rank_count(const struct gf_rank_rows *r);        /* bytes only */
void gf_rank_ordinals(const struct gf_rank_rows *r);     /* all but bytes */

/* Scratch of each. */
size_t gf_rank_extremes_scratch(const struct gf_rank_rows *r);
size_t gf_rank_network_scratch(const struct gf_rank_rows *r);
size_t gf_rank_count_scratch(const struct gf_rank_rows *r);
size_t gf_rank_ordinals_scratch(const struct gf_rank_rows *r);

#endif
