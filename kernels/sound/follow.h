/* A gain that follows the level of a signal: the detector and the curve of compressors and gates. */
#ifndef GF_KERNELS_FOLLOW_H
#define GF_KERNELS_FOLLOW_H

#include "kernels/sound/octaves.h"

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_FOLLOW_MOST 8.0f              /* largest magnitude of a sample for mean squares; larger ones count as this */
#define GF_FOLLOW_WINDOW (1 << 18)       /* most frames of a mean: sums of squares stay within 63 bits */
#define GF_FOLLOW_CHUNK 128              /* frames for one thread of a GPU */

/*
 * Over d, the octaves of a level beyond the threshold, the gain is 0 up to -knee/2, slope·d from knee/2 on, and
 * slope·(d + knee/2)²/(2·knee) between. It is not below `least`. All but the slope are in GF_OCTAVE.
 */
struct gf_follow_curve {
    int32_t threshold, knee, least;
    float slope;
    bool below;                          /* it acts below the threshold: d is threshold - level */
};

/* Channels of the source, or of the second source. */
struct gf_follow_channels {
    int first, count;
};

/*
 * The result has channels `kept` of the source, unchanged, and one more: the gain that each frame wants.
 * x[n] is the largest magnitude of any of the channels `heard`; or with a window, the root of the mean of their
 * squares in frames n - window + 1 to n, where frames outside the signal count as 0 and squares are rounded to 2^-32.
 * Samples that are not finite count as 0. With l = gf_octaves_of(x), the level falls by `fall`/65536 in each frame:
 *  e[n] = max(65536·l[n], e[n-1] - fall),   level = ⌊e/65536⌋
 * With `against`, the level of those channels is subtracted. Whole numbers make the result independent of how the
 * maximum is computed. The state has both e.
 * Planes in, planes out, with adjacent frames and no programs. A second source has the frames of the signal.
 */
struct gf_follow {
    int kept;
    struct gf_follow_channels heard, against;        /* against.count is 0 if it is not used */
    int window;                          /* 0: magnitudes */
    bool beside;                         /* `heard` is in the second source */
    int64_t fall;
    struct gf_follow_curve curve;
};

#define GF_FOLLOW_CARRY_BYTES ((int64_t)(2 * sizeof(int64_t)))

GF_BOTH float gf_follow_gain(const struct gf_follow_curve *c, int32_t level)
{
    const int32_t d = c->below ? c->threshold - level : level - c->threshold;
    const float half = (float)c->knee * 0.5f, above = (float)d + half;
    float octaves;

    if (above <= 0.0f)
        return 1.0f;
    octaves = (float)d >= half ? (float)d * c->slope : above * above / (2.0f * (float)c->knee) * c->slope;
    return gf_octaves_gain(octaves > (float)c->least ? (int32_t)octaves : c->least);
}

/* Returns the square of a sample in units of 2^-32. */
GF_BOTH int64_t gf_follow_square(float x)
{
    const float v = x < 0.0f ? -x : x, most = v < GF_FOLLOW_MOST ? v : GF_FOLLOW_MOST;

    return v <= 3.40282347e38f ? (int64_t)((double)most * (double)most * 4294967296.0 + 0.5) : 0;
}

/* Returns the level of a sum of squares. */
GF_BOTH int32_t gf_follow_mean_level(int64_t sum, double scale)
{
    return (gf_octaves_of((float)((double)sum * scale)) + GF_OCTAVES_OF_ONE) >> 1;
}

static inline double gf_follow_scale(const struct gf_follow *f, int count)
{
    return 1.0 / (4294967296.0 * (double)f->window * (double)count);
}

/* Whole chunks of the frames before the last one of a window. */
GF_BOTH int64_t gf_follow_whole_chunks(const struct gf_follow *f)
{
    return f->window > 0 ? (f->window - 1) / GF_FOLLOW_CHUNK : 0;
}

/*
 * Bytes that a GPU needs for levels of so many frames: those of each frame, and of the end of each chunk, and sums of
 * squares of the chunks, and of those before them in a window.
 */
static inline size_t gf_follow_gpu_bytes(const struct gf_follow *f, int64_t units)
{
    const int64_t chunks = (units + GF_FOLLOW_CHUNK - 1) / GF_FOLLOW_CHUNK;
    const int64_t sums = f->window > 0 ? chunks + gf_follow_whole_chunks(f) : 0;

    return (size_t)((f->against.count > 0 ? 2 : 1) * (chunks * 8 + sums * 8 + units * 4));
}

extern const struct gf_operation gf_op_follow;
gf_op_body gf_follow_cpu, gf_follow_cuda;

#ifdef __cplusplus
}
#endif
#endif
