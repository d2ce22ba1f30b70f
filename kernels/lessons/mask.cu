/*
 * The lesson on masks: the weights are in global, shared or constant memory, in a parameter, or in a
 * texture, and the threads of a warp need the same weight or different ones.
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/mask.h"
#include "kernels/lessons/steps.h"

#include <math.h>
#include <stdlib.h>

#define THREADS 512
#define WHAT "lesson of masks"

struct task {
    const float *src;
    float *dst;
    int64_t count;
    int indices;                         /* neighbors use so many masks in turn: a power of 2 */
};

struct state {
    struct gf_lesson_masks masks;
    cudaTextureObject_t texture;
};

__constant__ struct gf_lesson_masks constant_masks;

/*
 * Calls weight(k, mask) for each tap of the thread's sample. If there is one mask, the compiler knows
 * all indices.
 */
template <class Weight>
static __device__ __forceinline__ void weigh(const struct task &t, const Weight &weight)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int mask = threadIdx.x & (t.indices - 1);
    float sum = 0;

    if (i + GF_LESSON_TAPS > t.count)
        return;
    if (t.indices == 1) {
#pragma unroll
        for (int k = 0; k < GF_LESSON_TAPS; k++)
            sum += weight(k, 0) * t.src[i + k];
    } else {
#pragma unroll
        for (int k = 0; k < GF_LESSON_TAPS; k++)
            sum += weight(k, mask) * t.src[i + k];
    }
    t.dst[i] = sum;
}

__global__ void __launch_bounds__(THREADS) from_global(struct task t, const struct gf_lesson_masks *masks)
{
    weigh(t, [=](int k, int mask) { return masks->w[k][mask]; });
}

__global__ void __launch_bounds__(THREADS) from_ldg(struct task t, const struct gf_lesson_masks *masks)
{
    weigh(t, [=](int k, int mask) { return __ldg(&masks->w[k][mask]); });
}

__global__ void __launch_bounds__(THREADS) from_shared(struct task t, const struct gf_lesson_masks *masks)
{
    __shared__ float s[GF_LESSON_TAPS * GF_LESSON_MASKS];
    const float *w = &masks->w[0][0];

    for (int i = threadIdx.x; i < GF_LESSON_TAPS * GF_LESSON_MASKS; i += THREADS)
        s[i] = w[i];
    __syncthreads();
    weigh(t, [](int k, int mask) { return s[k * GF_LESSON_MASKS + mask]; });
}

__global__ void __launch_bounds__(THREADS) from_constant(struct task t)
{
    weigh(t, [](int k, int mask) { return constant_masks.w[k][mask]; });
}

/* Without __grid_constant__, each thread might get a copy of the struct, to be able to change it. */
__global__ void __launch_bounds__(THREADS) from_parameter(struct task t,
                                                          const __grid_constant__ struct gf_lesson_masks masks)
{
    weigh(t, [&](int k, int mask) { return masks.w[k][mask]; });
}

__global__ void __launch_bounds__(THREADS) from_texture(struct task t, cudaTextureObject_t masks)
{
    weigh(t, [=](int k, int mask) { return tex1Dfetch<float>(masks, k * GF_LESSON_MASKS + mask); });
}

extern "C" int gf_lesson_mask_close(struct gf_lesson_io *io, struct gf_error *err)
{
    struct state *s = (struct state *)io->state;

    (void)err;
    if (s != NULL && s->texture != 0)
        cudaDestroyTextureObject(s->texture);
    free(s);
    return 0;
}

extern "C" int gf_lesson_mask_open(struct gf_lesson_io *io, struct gf_error *err)
{
    struct state *s = (struct state *)calloc(1, sizeof *s);
    const cudaStream_t stream = (cudaStream_t)io->stream;
    struct cudaResourceDesc memory = {};
    struct cudaTextureDesc sampling = {};

    io->state = s;
    if (s == NULL)
        return gf_fail_memory(err, NULL);
    gf_lesson_masks_fill(&s->masks);
    memory.resType = cudaResourceTypeLinear;
    memory.res.linear.devPtr = io->scratch;
    memory.res.linear.desc = cudaCreateChannelDesc<float>();
    memory.res.linear.sizeInBytes = sizeof s->masks;
    return gf_cuda_check(cudaMemcpyAsync(io->scratch, &s->masks, sizeof s->masks, cudaMemcpyHostToDevice, stream), WHAT,
                         err) != 0
        || gf_cuda_check(cudaMemcpyToSymbolAsync(constant_masks, &s->masks, sizeof s->masks, 0, cudaMemcpyHostToDevice,
                                                 stream), WHAT, err) != 0
        || gf_cuda_check(cudaCreateTextureObject(&s->texture, &memory, &sampling, NULL), WHAT, err) != 0 ? -1 : 0;
}

static struct task task_of(const struct gf_lesson_io *io)
{
    return (struct task) { (const float *)io->src, (float *)io->dst, io->count, io->value };
}

static unsigned blocks_of(const struct gf_lesson_io *io)
{
    return (unsigned)gf_ceil_div(io->count, THREADS);
}

typedef void weighing(struct task t, const struct gf_lesson_masks *masks);

static int launch(weighing *kernel, struct gf_lesson_io *io, struct gf_error *err)
{
    const struct gf_lesson_masks *masks = (const struct gf_lesson_masks *)io->scratch;

    kernel<<<blocks_of(io), THREADS, 0, (cudaStream_t)io->stream>>>(task_of(io), masks);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_mask_global(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(from_global, io, err);
}

extern "C" int gf_lesson_mask_ldg(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(from_ldg, io, err);
}

extern "C" int gf_lesson_mask_shared(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(from_shared, io, err);
}

extern "C" int gf_lesson_mask_constant(struct gf_lesson_io *io, struct gf_error *err)
{
    from_constant<<<blocks_of(io), THREADS, 0, (cudaStream_t)io->stream>>>(task_of(io));
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_mask_parameter(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct state *s = (const struct state *)io->state;

    from_parameter<<<blocks_of(io), THREADS, 0, (cudaStream_t)io->stream>>>(task_of(io), s->masks);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_mask_texture(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct state *s = (const struct state *)io->state;

    from_texture<<<blocks_of(io), THREADS, 0, (cudaStream_t)io->stream>>>(task_of(io), s->texture);
    return gf_cuda_launched(WHAT, err);
}

/* Says how much slower a memory is if the threads of a warp need different weights. */
extern "C" int gf_lesson_mask_tell(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct gf_lesson_report *report = io->report;
    const int last = report->sizes - 1;
    double slower[6];

    (void)err;
    for (int step = 0; step < 6; step++)
        slower[step] = report->seconds(report->context, step, last) / report->seconds(report->context, step, 0);
    if (!isnan(slower[2]) && !isnan(slower[3]) && !isnan(slower[5]))
        gf_lesson_say(report, "from one index to the largest number: constant memory takes %.1f times as long, "
                              "parameters %.1f, shared memory %.1f, textures "
                              "%.1f", slower[3], slower[4], slower[2], slower[5]);
    return 0;
}
