/* A compact view of a block, which kernels take by value. */
#ifndef GF_KERNELS_BLOCK_VIEW_CUH
#define GF_KERNELS_BLOCK_VIEW_CUH

#include "kernels/base/op.h"

#include <cuda_runtime.h>

#define GF_PLANES 6                     /* a layout in addition to the types: planar floats */

/* A block with the constants that conversion needs, computed on the host. */
struct gf_block_view {
    unsigned char *data;
    int64_t pitch, plane;               /* samples */
    int64_t start;                      /* the unit at `data` */
    int64_t width;
    int layout;                         /* enum gf_type or GF_PLANES */
    int channels;
    float one, high, low;
    int least, most, shift;             /* signed integers */
};

static inline struct gf_block_view gf_block_view_of(const struct gf_block *b)
{
    struct gf_block_view v;
    bool is_signed = !b->planar && (b->type == GF_S16 || b->type == GF_S32);
    int container = b->type == GF_S16 ? 16 : 32;

    v.data = (unsigned char *)b->data;
    v.pitch = b->pitch_samples;
    v.plane = b->planar ? b->plane_samples : 0;
    v.start = b->span.start;
    v.width = b->width;
    v.layout = b->planar ? GF_PLANES : (int)b->type;
    v.channels = b->channels;
    v.one = is_signed ? (float)(INT64_C(1) << (b->bits - 1)) : (float)b->maxval;
    v.high = (float)(1.0 / b->maxval);
    v.low = (float)(1.0 / b->maxval - (double)v.high);
    v.most = is_signed ? (int)((INT64_C(1) << (b->bits - 1)) - 1) : 0;
    v.least = -v.most - 1;
    v.shift = is_signed ? container - b->bits : 0;
    return v;
}

/* Returns true if units have no gaps between them: several units are then one run of pixels. */
static inline bool gf_block_view_is_run(const struct gf_block_view &v)
{
    return v.pitch == v.width * (v.layout == GF_PLANES ? 1 : v.channels);
}

/*
 * Treats all samples as one channel if `alike` and both blocks are packed, and returns true then. Joins all rows to one
 * run if they have no gaps.
 */
static inline bool gf_block_view_flatten(struct gf_block_view *src, struct gf_block_view *dst, bool alike,
                                         int64_t *width, int64_t *rows)
{
    const bool flat = alike && src->layout != GF_PLANES && dst->layout != GF_PLANES && src->channels == dst->channels;

    if (flat) {
        *width *= src->channels;
        src->channels = dst->channels = 1;
        src->width = dst->width = *width;
    }
    if (gf_block_view_is_run(*src) && gf_block_view_is_run(*dst)) {
        *width *= *rows;
        *rows = 1;
    }
    return flat;
}

static __host__ __device__ __forceinline__ int gf_sample_layout_bytes(int layout)
{
    return layout == GF_U8 ? 1 : layout == GF_U16 || layout == GF_S16 ? 2 : layout == GF_F64 ? 8 : 4;
}

/* Returns the first byte of unit `unit`; its other planes follow, view.plane samples apart. */
static __device__ __forceinline__ unsigned char *gf_block_view_row(const struct gf_block_view &v, int64_t unit)
{
    return v.data + (unit - v.start) * v.pitch * gf_sample_layout_bytes(v.layout);
}

#endif
