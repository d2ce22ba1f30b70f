/* Sums of squares around bytes, weighted by tables of differences, for bilateral means of one channel. */
#ifndef GF_KERNELS_BILATERAL_BYTES_SUMS_H
#define GF_KERNELS_BILATERAL_BYTES_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#define GF_BILATERAL_PIXELS 64           /* pixels of a call, and bytes by which tables are aligned */
#define GF_BILATERAL_FOUR 4
#define GF_BILATERAL_BYTES 3             /* of a weight, from the lowest on, each in a table of its own */
#define GF_BILATERAL_LEVELS 256
#define GF_BILATERAL_NARROW 128          /* entries of a narrow table; its last one is for all larger differences */
#define GF_BILATERAL_SIGN 128            /* bytes are multiplied as signed ones, so this is subtracted first */

/* Four pixels of the square at the same distance: their offsets in bytes, and the tables of their weights. */
struct gf_bilateral_four {
    int64_t offset[GF_BILATERAL_FOUR];
    const uint8_t *table;
};

struct gf_bilateral_sums {
    struct gf_bilateral_four *four;
    int fours;
    bool wide;                           /* tables have an entry for each level */
    float center_weight;
    float error, error_by_level;         /* most of the sum of the errors of weights, alone and times the difference */
};

/* Returns true if this processor has the instructions. */
bool gf_bilateral_sums_runs(void);
/*
 * Finds the levels of GF_BILATERAL_PIXELS pixels from `center` on, and bytes that are not 0 where a level
 * may differ from that of exact sums. GF_BILATERAL_PIXELS bytes can be read beyond each of them.
 */
void gf_bilateral_sums_find(const struct gf_bilateral_sums *s, const uint8_t *center, uint8_t *to, uint8_t *doubts);

#endif
