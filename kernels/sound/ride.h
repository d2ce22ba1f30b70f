/* Applies a gain that is a channel of the signal, after smoothing it. */
#ifndef GF_KERNELS_RIDE_H
#define GF_KERNELS_RIDE_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_RIDE_ONE 1073741824.0f        /* 2^30 */
#define GF_RIDE_MOST 1024.0f             /* largest gain: sums of a window stay within 63 bits */
#define GF_RIDE_WINDOW (1 << 20)         /* most frames of a window */
#define GF_RIDE_CHUNK 128                /* frames for one thread of a GPU */

/*
 * The last channel of the source is a gain, from 0 to GF_RIDE_MOST, kept as ⌊g·2^30⌋. m[n] is its mean over frames
 * n + ahead - window + 1 to n + ahead; before the start and after the end it is that of the first and the last frame.
 * The result is y = x·m in `channels` channels. With `band`, channel `channels` + c of the source is a band of channel
 * c, and y = x - (1 - m)·band. Sums are integers, so their order does not matter.
 * Planes in, planes out, with adjacent frames and no programs.
 */
struct gf_ride {
    int channels;
    int window, ahead;
    bool band;
};

GF_BOTH int64_t gf_ride_level(float gain)
{
    return (int64_t)(gain * GF_RIDE_ONE);
}

static inline double gf_ride_scale(const struct gf_ride *r)
{
    return 1.0 / ((double)r->window * (double)GF_RIDE_ONE);
}

static inline int gf_ride_gain_channel(const struct gf_ride *r)
{
    return r->band ? 2 * r->channels : r->channels;
}

/* Frames of the source before a frame of the result; `ahead` of them are after it. */
static inline int64_t gf_ride_before(const struct gf_ride *r)
{
    return r->window - 1 > r->ahead ? r->window - 1 - r->ahead : 0;
}

/* Bytes that a GPU needs: sums of chunks of the source, and means. */
static inline size_t gf_ride_gpu_bytes(int64_t in_units, int64_t out_units)
{
    return (size_t)((in_units / GF_RIDE_CHUNK + 2) * 8 + out_units * 4);
}

extern const struct gf_operation gf_op_ride;
gf_op_body gf_ride_cpu, gf_ride_cuda;

#ifdef __cplusplus
}
#endif
#endif
