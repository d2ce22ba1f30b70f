/* Selects channels on a GPU: one pixel a thread, channel by channel. */
#include "kernels/geometry/select.h"

#include "kernels/base/cuda_check.cuh"

struct select_task {
    const unsigned char *src;
    unsigned char *dst;
    int64_t src_pitch, dst_pitch, src_plane, dst_plane;      /* samples */
    int64_t width, rows;
    int in, out;                                             /* samples from one pixel to the next */
    int channels;                                            /* of dst */
    struct gf_select s;
};

template <class T>
__global__ void __launch_bounds__(256) select_channels(const __grid_constant__ struct select_task t)
{
    const int64_t x = (int64_t)blockIdx.x * 256 + threadIdx.x;

    if (x >= t.width)
        return;
    for (int64_t r = blockIdx.y; r < t.rows; r += gridDim.y) {
        const T *from = (const T *)t.src + r * t.src_pitch + x * t.in;
        T *to = (T *)t.dst + r * t.dst_pitch + x * t.out;

        for (int o = 0; o < t.channels; o++)
            to[o * t.dst_plane] = t.s.from[o] < 0 ? (T)0 : from[t.s.from[o] * t.src_plane];
    }
}

extern "C" int gf_select_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                              struct gf_error *err)
{
    const struct gf_block *a = &io->src, *b = &io->dst;
    const int sample = (int)gf_type_bytes(a->type);
    struct select_task t;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || a->planar != b->planar)
        return gf_fail(err, GF_FAILED, "internal error: select cannot change samples");
    t.src = (const unsigned char *)a->data + (b->span.start - a->span.start) * a->pitch_samples * sample;
    t.dst = (unsigned char *)b->data;
    t.src_pitch = a->pitch_samples, t.dst_pitch = b->pitch_samples;
    t.src_plane = a->planar ? a->plane_samples : 1, t.dst_plane = b->planar ? b->plane_samples : 1;
    t.in = a->planar ? 1 : a->channels, t.out = b->planar ? 1 : b->channels;
    t.width = b->width, t.rows = gf_span_units(b->span);
    t.channels = b->channels;
    t.s = *(const struct gf_select *)params;
    if (t.width <= 0 || t.rows <= 0)
        return 0;
    if (t.src_pitch == t.width * t.in && t.dst_pitch == t.width * t.out) {
        t.width *= t.rows;
        t.rows = 1;
    }
    const dim3 grid((unsigned)gf_ceil_div(t.width, 256), gf_cuda_grid_rows(t.rows));
    const cudaStream_t stream = (cudaStream_t)work->stream;

    switch (sample) {
    case 1: select_channels<unsigned char><<<grid, 256, 0, stream>>>(t); break;
    case 2: select_channels<unsigned short><<<grid, 256, 0, stream>>>(t); break;
    case 4: select_channels<unsigned><<<grid, 256, 0, stream>>>(t); break;
    default: select_channels<unsigned long long><<<grid, 256, 0, stream>>>(t); break;
    }
    return gf_cuda_launched("select", err);
}
