/* Shared by the parts of the C body of rank for medians: padded rows of bytes, 16-bit words or keys of floats. */
#ifndef GF_KERNELS_RANK_ROWS_H
#define GF_KERNELS_RANK_ROWS_H

#include "kernels/neighbourhood/rank/rank.h"

/*
 * Sample x of row y of the result is selected from in[(y + j)·pitch + x + i·step] for i and j from
 * 0 to 2·radius. Rows and columns outside the image exist.
 */
struct gf_rank_rows {
    int bytes;                           /* of a sample: 1, 2, or 4 for keys, which are signed */
    int step;                            /* samples from one pixel to the next */
    int radius;
    int64_t rows, length;                /* size of the result */
    const void *in;
    int64_t pitch;
    void *out;
    int64_t out_pitch;
    /* channels to process: samples x with first ≤ x mod step < end; others may be overwritten, too */
    int first, end;
    void *scratch;                       /* aligned to 64 bytes */
};

#define GF_RANK_NETWORK_RADIUS 4         /* medians up to this radius by sorting networks */

void gf_rank_network(const struct gf_rank_rows *r);
void gf_rank_count(const struct gf_rank_rows *r);        /* bytes only */
void gf_rank_ordinals(const struct gf_rank_rows *r);     /* all types except bytes */

/* Return the scratch of each. */
size_t gf_rank_network_scratch(const struct gf_rank_rows *r);
size_t gf_rank_count_scratch(const struct gf_rank_rows *r);
size_t gf_rank_ordinals_scratch(const struct gf_rank_rows *r);

#endif
