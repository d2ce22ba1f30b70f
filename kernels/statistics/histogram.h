/* Counts how often each value occurs, channel by channel. */
#ifndef GF_KERNELS_HISTOGRAM_H
#define GF_KERNELS_HISTOGRAM_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_HISTOGRAM_MAX_BINS 65536

enum gf_histogram_binning {
    GF_BIN_FLOOR,        /* floor(v · bins), clamped: equal shares of [0, 1] */
    GF_BIN_ROUND         /* v · (bins - 1) rounded to nearest, ties to even, clamped: one bin for each stored level */
};

/*
 * Adds to uint64_t counts[channel][bin] at io->dst.data; NaN counts in bin 0. With tiles, each has
 * its own counts, [tile][channel][bin], in rows of tiles.
 */
struct gf_histogram {
    int bins;
    enum gf_histogram_binning binning;
    int channels;            /* number of channels to count */
    int across, down;        /* tiles of the whole signal; 0: none */
    int64_t rows;            /* rows of the whole signal, if there are tiles */
};

/* Returns the rows of counts: one for each channel of each tile. */
static inline int gf_histogram_lines(const struct gf_histogram *h)
{
    return h->channels * (h->across > 0 ? h->across * h->down : 1);
}

/* Returns the columns or rows of tile i of `tiles` in `length`. */
static inline struct gf_span gf_histogram_tile_span(int64_t length, int tiles, int i)
{
    const struct gf_span s = { length * i / tiles, length * (i + 1) / tiles };

    return s;
}

/* Returns the part of the call in tile (i, j), with its counts; false if there is none. */
bool gf_histogram_tile(const struct gf_io *io, const struct gf_histogram *h, int i, int j, struct gf_io *part);

extern const struct gf_operation gf_op_histogram;
gf_op_body gf_histogram_cpu, gf_histogram_cuda;

#ifdef __cplusplus
}
#endif
#endif
