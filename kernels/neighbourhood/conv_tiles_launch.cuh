/* Launches kernels of convolution on tiles; the file of each number of channels compiles its own. */
#ifndef GF_KERNELS_CONV_TILES_LAUNCH_CUH
#define GF_KERNELS_CONV_TILES_LAUNCH_CUH

#include "kernels/neighbourhood/conv_block_tiles.cuh"

typedef void conv_kernel(const struct conv_task, const struct gf_point, const struct gf_point);

/* Returns a kernel for C channels; masks of 3, 5 and 7 on one channel have kernels of their own. */
template <int C>
static conv_kernel *kernel_of(const struct conv_task *t)
{
    const struct gf_conv *conv = &t->conv;
    const int side = conv->nx == conv->ny ? conv->nx : 0;

    if constexpr (C == 1)
        if (conv->full && t->constant && conv->combine != GF_CONV_HYPOT && (side == 3 || side == 5 || side == 7))
            return side == 3 ? full<1, 4, 3> : side == 5 ? full<1, 4, 5> : full<1, 4, 7>;
    if (conv->full)
        return full<C, C == 1 ? 4 : 1, 0>;
    return conv->combine == GF_CONV_SHARPEN ? separable<C, true> : separable<C, false>;
}

template <int C>
static int launch_tiles(const struct gf_work *work, const struct gf_io *io, const struct conv_task *t,
                        struct gf_error *err)
{
    conv_kernel *const kernel = kernel_of<C>(t);
    const size_t bytes = conv_tile_bytes(t, C);
    const int threads = t->tile_x * t->tile_y / (t->conv.ny > 0 && (!t->conv.full || C == 1) ? 16 : 4);

    if ((t->constant && copy_constant_masks(work, err) != 0)
        || (bytes > 48 * 1024 && gf_cuda_allow_shared_memory((const void *)kernel, err) != 0))
        return -1;
    gf_cuda_launch_rows(*t, t->tile_y, [&](const struct conv_task &part, unsigned height) {
        kernel<<<dim3((unsigned)gf_ceil_div(t->width, t->tile_x), height),
                 threads < 128 ? 128 : threads > 256 ? 256 : threads, bytes, (cudaStream_t)work->stream>>>(
            part, gf_program(io->load, io->src.channels), gf_program(io->store, io->dst.channels));
    });
    return gf_cuda_launched("convolution", err);
}

#endif
