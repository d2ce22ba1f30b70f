/* Prefix sums of images: along the columns, along the units, or both. */
#ifndef GF_KERNELS_PREFIX_H
#define GF_KERNELS_PREFIX_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_PREFIX_RUN 8                  /* samples of a row that are summed one after another */
#define GF_PREFIX_TILE 256               /* samples whose runs are summed one after another */
#define GF_PREFIX_BAND_SUMS (INT64_C(4) << 20)   /* GPU: sums along the columns that are kept at a time */
#define GF_PREFIX_WHOLE_STRIP 128        /* GPU: columns of integers for a warp, four for each lane */
#define GF_PREFIX_WHOLE_BAND 64          /* GPU: units for a warp; sums of 16 bits over a strip of them fit into 32 */

/*
 * Each color becomes the sum, itself included, of those at columns up to its own (along_columns),
 * of units up to its own (along_units), or of the sums along the columns of units up to its own
 * (both). Other channels are copied.
 * Packed samples of 8 and 16 bits without a load program are added as stored integers. This is
 * exact in any order while sums stay below 2^53 (137 billion white pixels of 16 bits). The result
 * is the sum times 1/maxval, both double, rounded to a float; the state is the sum.
 * All other samples are summed in double until they are stored. Both bodies add in the same order,
 * so they agree to the bit, wherever the units are cut. A row consists of tiles from column 0 on,
 * and a tile of runs. A sum along the columns is (T + R) + S: S adds the samples of the run one
 * after another from 0; R adds the previous whole runs of the tile in the same way; T adds the
 * previous whole tiles, each as R would be after it. Units are added one after another to the
 * state, which is a double for each column of each color, ordered by color, and starts at 0.
 */
struct gf_prefix {
    bool along_columns, along_units;
    int colours;
};

/* Returns the bytes of state if units are summed. */
static inline int64_t gf_prefix_carry_bytes(const struct gf_prefix *p, int64_t width)
{
    return p->along_units ? width * p->colours * (int64_t)sizeof(double) : 0;
}

/* Returns true if samples are added as stored. */
static inline bool gf_prefix_is_whole(const struct gf_io *io)
{
    return !io->src.planar && (io->src.type == GF_U8 || io->src.type == GF_U16) && gf_point_is_identity(io->load);
}

extern const struct gf_operation gf_op_prefix;
gf_op_body gf_prefix_cpu, gf_prefix_cuda;

#ifdef __cplusplus
}
#endif
#endif
