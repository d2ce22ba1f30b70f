/* Convolution on a GPU with masks too long for a tile. */
#include "kernels/neighbourhood/conv_grid_long.cuh"

int gf_conv_long_tall(const struct gf_work *work, const struct conv_task *t, struct gf_error *err)
{
    if (t->constant && copy_constant_masks(work, err) != 0)
        return -1;
    gf_cuda_launch_rows(*t, TALL, [&](const struct conv_task &part, unsigned height) {
        (t->constant ? tall<true> : tall<false>)<<<dim3((unsigned)gf_ceil_div(t->width, 128), height), 128, 0,
                                                   (cudaStream_t)work->stream>>>(part);
    });
    return gf_cuda_launched("convolution", err);
}

int gf_conv_long_line(const struct gf_work *work, const struct gf_io *io, const struct conv_task *t,
                      struct gf_error *err)
{
    void (*const kernel)(struct conv_task, struct gf_point, struct gf_point) = t->constant ? line<true> : line<false>;
    const int samples = line_at(LINE * LINE_THREADS + (t->conv.ny + LINE) / LINE * LINE) + 64;
    const size_t bytes = (size_t)samples * sizeof(float);
    const int64_t blocks = gf_ceil_div(t->end - t->first, LINE * LINE_THREADS);

    if ((t->constant && copy_constant_masks(work, err) != 0)
        || (bytes > 48 * 1024 && gf_cuda_allow_shared_memory((const void *)kernel, err) != 0))
        return -1;
    kernel<<<dim3((unsigned)blocks, (unsigned)io->src.channels), LINE_THREADS, bytes, (cudaStream_t)work->stream>>>(
        *t, gf_program_flat(io->load), gf_program_flat(io->store));
    return gf_cuda_launched("convolution", err);
}

/* ---- sharpening, if no tile keeps a sample until its blurred value is known ---- */

__global__ void sharpen_plane(const __grid_constant__ struct conv_task t)
{
    const int64_t x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (int64_t y = t.first + blockIdx.y; x < t.width && y < t.end; y += gridDim.y) {
        float *to = (float *)gf_block_view_row(t.dst, y) + x;

        *to = sharpened(t.conv, ((const float *)gf_block_view_row(t.src, y))[x], *to);
    }
}

int gf_conv_long_sharpen(const struct gf_work *work, const struct conv_task *t, struct gf_error *err)
{
    sharpen_plane<<<dim3((unsigned)gf_ceil_div(t->width, 128), gf_cuda_grid_rows(t->end - t->first)), 128, 0,
                    (cudaStream_t)work->stream>>>(*t);
    return gf_cuda_launched("sharpening", err);
}
