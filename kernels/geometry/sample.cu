/*
 * Samples at transformed positions on a GPU, by plain loads or through textures. Coordinates are
 * fixed-point and their fractions exact, so the bits are those of the C body.
 */
#include "kernels/geometry/sample.h"

#include "kernels/geometry/sample_fetch.cuh"
#include "kernels/geometry/sample_texture.cuh"

/*
 * Four neighbors of a row a thread. A warp covers 32 columns by 4 rows, so that its loads are close
 * together at every angle.
 */
template <int T, int C, int HOW>
__global__ void __launch_bounds__(128, GF_BLOCKS((blocks_of<T, C, HOW>())))
sample(const __grid_constant__ struct sample_task t, const __grid_constant__ struct gf_point store)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t x = ((int64_t)blockIdx.x * 32) + lane % 8 * 4;
    const int64_t y = t.first + (int64_t)blockIdx.y * 16 + warp * 4 + lane / 8;
    const int64_t round = sample_round(HOW, t.s.coarse);
    int64_t sx = t.s.cx + x * t.s.xx + y * t.s.xy + round, sy = t.s.cy + x * t.s.yx + y * t.s.yy + round;
    const int some = (int)min((int64_t)4, t.width - x);
    float v[4][4] = {};

    if (some <= 0 || y >= t.end)
        return;
    /* those outside are computed in vain */
#pragma unroll (HOW == GF_NEAREST ? 4 : 1)
    for (int k = 0; k < 4; k++, sx += t.s.xx, sy += t.s.yx)
        append_pixel<T, C, HOW>(t, sx, sy, v);
    if (store.count > 0)
        gf_program_run<4, 4>(store, t.tables, v);
    gf_write4(t.dst, gf_block_view_row(t.dst, y), x, some, v);
}

typedef void kernel(const struct sample_task, const struct gf_point);

template <int C, int HOW>
static kernel *kernel_of(int layout)
{
    return layout == GF_U8 ? sample<GF_U8, C, HOW> : layout == GF_PLANES ? sample<GF_PLANES, C,
           HOW> : sample<-1, C, HOW>;
}

static int run(const struct gf_work *work, const struct gf_io *io, const struct gf_sample *s, struct gf_error *err)
{
    const int channels = io->src.channels;
    struct sample_task t;
    int device;
    kernel *k;

    if (gf_cuda_check(cudaGetDevice(&device), "rotation", err) != 0)
        return -1;
    if (gf_texture_serves(io, s, device))
        return gf_texture_run(work, io, s, device, err);
    t = sample_task_of(io, s, work->tables);
    if (s->interpolation == GF_LINEAR)
        k = channels == 1 ? kernel_of<1, GF_LINEAR>(t.src.layout)
          : channels == 3 ? kernel_of<3, GF_LINEAR>(t.src.layout) : kernel_of<4, GF_LINEAR>(t.src.layout);
    else if (s->interpolation == GF_CUBIC)
        k = channels == 3 && t.src.layout == GF_U8 ? sample<GF_U8, 3, GF_CUBIC> : channels != 1
            ? sample<-1, 4, GF_CUBIC> : t.src.layout == GF_PLANES ? sample<GF_PLANES, 1, GF_CUBIC>
            : sample<-1, 1, GF_CUBIC>;
    else
        k = channels == 1 ? sample<-1, 1, GF_NEAREST> : sample<-1, 4, GF_NEAREST>;
    gf_cuda_launch_rows(t, 16, [&](const struct sample_task &part, unsigned height) {
        k<<<dim3((unsigned)gf_ceil_div(t.width, 32), height), 128, 0, (cudaStream_t)work->stream>>>(
            part, gf_program(io->store, io->dst.channels));
    });
    return gf_cuda_launched("rotation", err);
}

extern "C" int gf_sample_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                              struct gf_error *err)
{
    const struct gf_sample *s = (const struct gf_sample *)params;
    const bool load = !gf_point_is_identity(io->load);

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    if (gf_channels_at_work(io) > 4)
        return gf_fail(err, GF_FAILED, "the GPU rotates at most 4 channels;; use --device cpu");
    /* a program that makes more channels, such as that of dog, does not fit into the registers of a thread */
    return gf_program_buffers_through(work, io, io->src.span, load, gf_program_widest(io->store, io->dst.channels) > 4,
                                      err, [&](const struct gf_io &plain) {
        return run(work, &plain, s, err);
    });
}
