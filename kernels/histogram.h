/* Counting how often each value occurs, channel by channel. */
#ifndef GF_HISTOGRAM_H
#define GF_HISTOGRAM_H

#include "op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_HISTOGRAM_MAX_BINS 65536

enum gf_binning {
    GF_BIN_FLOOR,        /* floor(v · bins), clamped: equal shares of [0, 1] */
    GF_BIN_ROUND         /* v · (bins - 1) to the nearest, ties to even, clamped: one bin a stored level */
};

/* Adds to uint64_t counts[channel][bin] at io->dst.data; NaN counts in bin 0. */
struct gf_histogram {
    int bins;
    enum gf_binning binning;
    int channels;            /* count the first so many channels */
};

gf_op_body gf_histogram_cpu, gf_histogram_cuda;

#ifdef __cplusplus
}
#endif
#endif
