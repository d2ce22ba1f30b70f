/* Shifts a recording on a GPU: copies within its memory, or a sample a thread from the end. */
#include "kernels/geometry/shift.h"

#include "kernels/base/cuda_check.cuh"

struct turn_task {
    const unsigned char *last;           /* the frame that becomes the first one */
    unsigned char *to;
    int64_t src_plane, dst_plane;        /* bytes */
    int64_t samples;                     /* of a plane */
    int channels;                        /* channels of a packed frame, otherwise 1 */
};

template <class T>
__global__ void __launch_bounds__(256) turn(const __grid_constant__ struct turn_task t)
{
    const int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x;

    if (i < t.samples) {
        const int64_t frame = i / t.channels;

        ((T *)(t.to + blockIdx.y * t.dst_plane))[i] =
            ((const T *)(t.last + blockIdx.y * t.src_plane))[i - 2 * frame * t.channels];
    }
}

static void launch_turn(const struct turn_task &t, int sample, int planes, cudaStream_t stream)
{
    const dim3 grid((unsigned)gf_ceil_div(t.samples, 256), (unsigned)planes);

    switch (sample) {
    case 1: turn<unsigned char><<<grid, 256, 0, stream>>>(t); break;
    case 2: turn<unsigned short><<<grid, 256, 0, stream>>>(t); break;
    case 4: turn<unsigned><<<grid, 256, 0, stream>>>(t); break;
    default: turn<unsigned long long><<<grid, 256, 0, stream>>>(t); break;
    }
}

/* Sets the silence before and after the copied part, and copies it if it runs forwards. */
static int place(const struct gf_shift *p, const unsigned char *from, unsigned char *to, struct gf_span all,
                 struct gf_span filled,
                 int64_t bytes, cudaStream_t stream, struct gf_error *err)
{
    const int64_t before = (filled.start - all.start) * bytes, inside = gf_span_units(filled) * bytes;
    const int64_t after = (all.end - filled.end) * bytes;

    if (before > 0 && gf_cuda_check(cudaMemsetAsync(to, 0, (size_t)before, stream), "silence", err) != 0)
        return -1;
    if (inside > 0 && !p->backwards
        && gf_cuda_check(cudaMemcpyAsync(to + before, from, (size_t)inside, cudaMemcpyDeviceToDevice, stream),
                         "placing", err) != 0)
        return -1;
    return after > 0 ? gf_cuda_check(cudaMemsetAsync(to + before + inside, 0, (size_t)after, stream), "silence", err)
           : 0;
}

extern "C" int gf_shift_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                             struct gf_error *err)
{
    const struct gf_shift *p = (const struct gf_shift *)params;
    const struct gf_span filled = gf_shift_filled(p, io), all = io->dst.span;
    const int sample = (int)gf_type_bytes(io->src.type), planes = io->src.planar ? io->src.channels : 1;
    const int64_t bytes = sample * (io->src.planar ? 1 : io->src.channels);
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const int64_t from = (p->backwards ? p->first - filled.start : filled.start - p->first) - io->src.span.start;
    struct turn_task t;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || io->src.planar != io->dst.planar
        || io->dst.width != 1)
        return gf_fail(err, GF_FAILED, "internal error: shift cannot change samples");
    t.last = (const unsigned char *)io->src.data + (filled.end > filled.start ? from : 0) * bytes;
    t.to = (unsigned char *)io->dst.data;
    t.src_plane = io->src.plane_samples * sample, t.dst_plane = io->dst.plane_samples * sample;
    t.samples = gf_span_units(filled) * (bytes / sample);
    t.channels = (int)(bytes / sample);
    for (int c = 0; c < planes; c++)
        if (place(p, t.last + c * t.src_plane, t.to + c * t.dst_plane, all, filled, bytes, stream, err) != 0)
            return -1;
    t.to += (filled.start - all.start) * bytes;
    if (p->backwards && t.samples > 0)
        launch_turn(t, sample, planes, stream);
    return gf_cuda_launched("place", err);
}
