/*
 * The kernels of convolution and their arguments. Each group of kernels is a separate file, and so
 * a module: a process loads only the modules that it uses.
 */
#ifndef GF_KERNELS_CONV_TILES_CUH
#define GF_KERNELS_CONV_TILES_CUH

#include "kernels/base/block_view.cuh"
#include "kernels/base/cuda_check.cuh"
#include "kernels/neighbourhood/conv.h"

struct conv_task {
    struct gf_block_view src, dst;
    struct gf_conv conv;
    int64_t width, src_units, first, end;    /* columns, length of the source, units of the result */
    const float *masks, *tables;
    int tile_x, tile_y;                      /* results of a block */
    int pitch, rows;                         /* of the tile in shared memory */
    bool constant;                           /* copy_constant_masks() puts the masks in constant memory */
};

/* Sharpens v, whose blurred value is `smooth`. */
static __device__ __forceinline__ float sharpened(const struct gf_conv &c, float v, float smooth)
{
    const float d = __fsub_rn(v, smooth);

    return fabsf(d) > c.threshold ? __fmaf_rn(c.amount, d, v) : v;
}

/* Returns the bytes of a tile in shared memory. */
static inline size_t conv_tile_bytes(const struct conv_task *t, int channels)
{
    return (size_t)t->pitch * t->rows * channels * sizeof(float);
}

/* Launch the kernel for a task whose tile fits into shared memory, with that many channels between the programs. */
typedef int gf_conv_tiles(const struct gf_work *work, const struct gf_io *io, const struct conv_task *t,
                          struct gf_error *err);
gf_conv_tiles gf_conv_tiles_1, gf_conv_tiles_3, gf_conv_tiles_4;

/* Launch kernels for one plane whose masks are too long for a tile, and for audio. */
gf_conv_tiles gf_conv_long_line;
int gf_conv_long_tall(const struct gf_work *work, const struct conv_task *t, struct gf_error *err);

/* Replaces dst, the blurred plane, by src sharpened. */
int gf_conv_long_sharpen(const struct gf_work *work, const struct conv_task *t, struct gf_error *err);

#endif
