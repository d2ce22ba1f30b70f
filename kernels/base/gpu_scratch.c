/* Computes the memory that CUDA bodies borrow for programs and for packed samples. */
#include "kernels/base/gpu_scratch.h"

int64_t gf_gpu_plane_bytes(const struct gf_block *b, int channels, int64_t units)
{
    const int64_t pitch = b->width == 1 ? 1 : gf_round_up(b->width, 128);

    return gf_round_up(pitch * units, 128) * channels * (int64_t)sizeof(float);
}

int64_t gf_gpu_loaded_bytes(const struct gf_io *io, bool packed_too, int64_t units)
{
    const bool load = !gf_point_is_identity(io->load) || (packed_too && !io->src.planar);

    return load ? gf_gpu_plane_bytes(&io->src, gf_channels_at_work(io), units) : 0;
}

int64_t gf_gpu_stored_bytes(const struct gf_io *io, bool packed_too)
{
    const bool store = !gf_point_is_identity(io->store) || (packed_too && !io->dst.planar);

    return store ? gf_gpu_plane_bytes(&io->dst, gf_channels_at_work(io), gf_span_units(io->dst.span)) : 0;
}

size_t gf_gpu_scratch_programs(const struct gf_io *io, const void *params)
{
    (void)params;
    return (size_t)(gf_gpu_loaded_bytes(io, false, gf_span_units(io->src.span)) + gf_gpu_stored_bytes(io, false)
                    + GF_GPU_SCRATCH_SMALL);
}

size_t gf_gpu_scratch_planes(const struct gf_io *io, const void *params)
{
    (void)params;
    return (size_t)(gf_gpu_loaded_bytes(io, true, gf_span_units(io->src.span)) + gf_gpu_stored_bytes(io, true)
                    + GF_GPU_SCRATCH_SMALL);
}
