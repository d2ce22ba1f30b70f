/* Prefix sums of bytes along the columns on a CPU, a vector at a time. */
#ifndef GF_KERNELS_PREFIX_BYTES_H
#define GF_KERNELS_PREFIX_BYTES_H

#include <stdbool.h>
#include <stdint.h>

#define GF_PREFIX_BYTES_ROWS 4           /* rows that are summed together */
#define GF_PREFIX_BYTES_MOST (INT64_C(1) << 20)  /* columns of a row whose sums fit into the integers in use */

/* Rows of bytes of one channel, `pitch` bytes apart, and their results, `to_pitch` floats apart. */
struct gf_prefix_bytes {
    const uint8_t *at;
    int64_t pitch;
    float *to;
    int64_t to_pitch;
    double inverse;                      /* of the largest sample */
    double *state;                       /* sums of the rows before, one for each column, to be updated; or NULL */
    uint32_t *before;                    /* for each row, the sum before the first column, to be updated */
};

/* Returns true if this processor has the vectors that the function below needs. */
bool gf_prefix_bytes_run(void);
/* Adds up one row, or with state up to GF_PREFIX_BYTES_ROWS of them. */
void gf_prefix_bytes_sum(const struct gf_prefix_bytes *b, int rows, int64_t columns);

/*
 * Moves the state of all channels, `columns` doubles each, past some rows of packed pixels: it becomes what the sums
 * of these rows would make of it.
 */
void gf_prefix_bytes_pass(const uint8_t *at, int64_t pitch, int64_t rows, int64_t columns, int channels, double *state);

#endif
