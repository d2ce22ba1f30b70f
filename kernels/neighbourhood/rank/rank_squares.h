/* Minima and maxima of squares on a CPU: some rows at a time, of packed samples or planes of floats. */
#ifndef GF_KERNELS_RANK_SQUARES_H
#define GF_KERNELS_RANK_SQUARES_H

#include "kernels/base/block.h"
#include "kernels/neighbourhood/rank/rank_extremes.h"

struct gf_rank_squares {
    struct gf_rank_window w;
    enum gf_border border;
    const struct gf_block *src;          /* packed samples as stored, or planes of floats, which become keys */
    int channel;                         /* of planes */
    int64_t units;                       /* length of the signal */
    bool to_floats;                      /* keys become floats again */
    int64_t block_rows;                  /* of the result, at most, in one call */
    /* in the scratch */
    size_t row_bytes;                    /* of a padded row */
    int32_t *keys;                       /* rows of a ring, of which those before unit `keyed` are there */
    int64_t keyed;
    char *zeros, *picked, *running, *made;
    void *between[2];
};

/* Returns the rows of the result in one call, at most; the bytes of a padded row. */
int64_t gf_rank_block_rows(int radius);
size_t gf_rank_row_bytes(int bytes, int step, int radius, int64_t width);
/* Returns the bytes of scratch. Samples have 1, 2 or 4 bytes. */
size_t gf_rank_squares_scratch(int bytes, int step, int radius, int64_t width);
/* Prepares squares of that radius; *s is what the members above `block_rows` say. */
void gf_rank_squares_open(struct gf_rank_squares *s, void *scratch);
/* Makes rows y to y + rows - 1, which may be beyond the signal. No call goes back before the rows of the last one. */
void gf_rank_squares_make(struct gf_rank_squares *s, int64_t y, int64_t rows, void *const *to);
/* Sets the pixels beyond both ends of a padded row of `bytes` samples. */
void gf_rank_fill_ends(const struct gf_rank_window *w, enum gf_border border, void *padded);
/* Turn a row of floats into keys of the same order, and back. */
void gf_rank_keys(const float *from, int32_t *to, int64_t n);
void gf_rank_floats(const int32_t *from, float *to, int64_t n);

#endif
