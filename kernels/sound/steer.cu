/* A slow gain towards a loudness, on a GPU: energies of all blocks, then one thread that goes from block to block. */
#include "kernels/sound/steer.h"

#include "kernels/base/program_buffers.cuh"

#define THREADS 128

struct steer_task {
    const float *src;                    /* frame out.start of the first channel */
    float *gain;
    int64_t src_plane;
    struct gf_span out;
    struct gf_steer s;
    int channels;
    int64_t block, blocks;               /* the first one, and how many the frames touch */
    double scale;
    unsigned long long *energies;
    int64_t *gains;                      /* in each block */
    struct gf_steer_state *state;
};

/* Adds the energies of THREADS frames of a channel; they may belong to two blocks or more. */
__global__ void __launch_bounds__(THREADS) add_energies(const __grid_constant__ struct steer_task t)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x, c = blockIdx.y;

    if (i < t.out.end - t.out.start)
        atomicAdd(&t.energies[(t.out.start + i) / t.s.block_units - t.block],
                  (unsigned long long)gf_follow_square(__fmul_rn(t.src[(t.s.kept + c) * t.src_plane + i],
                                                                 t.s.root[c])));
}

__global__ void __launch_bounds__(32) hand_on(const __grid_constant__ struct steer_task t)
{
    struct gf_steer_state state;

    if (threadIdx.x > 0)
        return;
    state = *t.state;
    for (int64_t i = 0; i < t.blocks; i++) {
        t.gains[i] = state.gain;
        state.energy += (int64_t)t.energies[i];
        if ((t.block + i + 1) * t.s.block_units <= t.out.end)
            gf_steer_end(&t.s, t.scale, &state);
    }
    *t.state = state;
}

__global__ void __launch_bounds__(THREADS) set_gains(const __grid_constant__ struct steer_task t)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < t.out.end - t.out.start)
        t.gain[i] = gf_octaves_gain((int)t.gains[(t.out.start + i) / t.s.block_units - t.block]);
}

static int run(const struct steer_task *t, const struct gf_io *io, cudaStream_t stream, struct gf_error *err)
{
    const int64_t units = gf_span_units(t->out);
    const unsigned blocks = (unsigned)gf_ceil_div(units, THREADS);

    if (gf_cuda_check(cudaMemsetAsync(t->energies, 0, (size_t)t->blocks * sizeof *t->energies, stream), "energies",
                      err) != 0)
        return -1;
    add_energies<<<dim3(blocks, (unsigned)(t->channels - t->s.kept)), THREADS, 0, stream>>>(*t);
    hand_on<<<1, 32, 0, stream>>>(*t);
    set_gains<<<blocks, THREADS, 0, stream>>>(*t);
    if (gf_cuda_launched("steer", err) != 0)
        return -1;
    return gf_cuda_check(cudaMemcpy2DAsync(io->dst.data, (size_t)io->dst.plane_samples * sizeof(float), t->src,
                                           (size_t)io->src.plane_samples * sizeof(float),
                                           (size_t)units * sizeof(float), (size_t)t->s.kept, cudaMemcpyDeviceToDevice,
                                           stream), "channels", err);
}

extern "C" int gf_steer_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                             struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    struct steer_task t = {};
    int result;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1 || io->dst.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: steer needs planes and no programs");
    t.s = *(const struct gf_steer *)params;
    t.out = io->dst.span;
    t.src = (const float *)io->src.data + (t.out.start - io->src.span.start);
    t.src_plane = io->src.plane_samples;
    t.gain = (float *)io->dst.data + t.s.kept * io->dst.plane_samples;
    t.channels = io->src.channels;
    t.block = t.out.start / t.s.block_units;
    t.blocks = gf_ceil_div(t.out.end, t.s.block_units) - t.block;
    t.scale = gf_steer_scale(&t.s);
    t.state = (struct gf_steer_state *)work->carry;
    if (gf_span_units(t.out) <= 0)
        return 0;
    if (gf_cuda_check(gf_cuda_borrow((void **)&t.energies, (size_t)t.blocks * 16, stream), "memory for energies",
                      err) != 0)
        return -1;
    t.gains = (int64_t *)(t.energies + t.blocks);
    result = run(&t, io, stream, err);
    return gf_cuda_check(cudaFreeAsync(t.energies, stream), "memory for energies", err) != 0 ? -1 : result;
}
