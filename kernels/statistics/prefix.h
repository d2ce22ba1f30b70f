/* Prefix sums of pictures: along the columns, along the units, or both. */
#ifndef GF_KERNELS_PREFIX_H
#define GF_KERNELS_PREFIX_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_PREFIX_RUN 8                  /* samples of a row that are summed one after another */
#define GF_PREFIX_TILE 256               /* and those whose runs are */
#define GF_PREFIX_BAND_SUMS (INT64_C(4) << 20)   /* GPU: sums along the columns that are kept at a time */
#define GF_PREFIX_WHOLE_STRIP 128        /* GPU: columns of whole numbers that a warp takes, four a lane */
#define GF_PREFIX_WHOLE_BAND 64          /* GPU: and units: sums of 16 bits over a strip of them fit into 32 */

/*
 * Each colour becomes the sum, itself included, of those at columns up to its own
 * (along_columns), or of units up to its own (along_units), or of the sums along the columns
 * of units up to its own (both). Other channels are copied.
 *
 * Packed samples of 8 and 16 bits that no program changes on their way in are added as the
 * whole numbers they are stored as: that is exact in any order, as long as the sums stay
 * below 2^53 (137 thousand million white pixels of 16 bits). What is stored is the sum times
 * 1/maxval, both double, made a float; the state is the sum.
 *
 * All others are summed in double until they are stored, and there
 * both bodies add in the same order, so they agree to the bit, however the units are cut. A
 * row is made of tiles, from column 0 on, and a tile of runs. A sum along the columns is
 * (T + R) + S: S adds up the samples of the run, one after another from 0 on; R, in the
 * same way, the whole runs before it in the tile; T the whole tiles before that, each as what R
 * would be behind it. Units are added one after another to the state, which is a double for
 * each column of each colour, colour by colour, and carried along from 0.
 */
struct gf_prefix {
    bool along_columns, along_units;
    int colours;
};

/* Bytes of state, where units are summed. */
static inline int64_t gf_prefix_carry_bytes(const struct gf_prefix *p, int64_t width)
{
    return p->along_units ? width * p->colours * (int64_t)sizeof(double) : 0;
}

/* Whether samples are added as they are stored. */
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
