/*
 * Runs whose ends are in the GPU's memory: their order on streams of the caller, and copies of samples that are not in
 * rows.
 */
#include "device/cuda/device_cuda_lane.cuh"
#include "kernels/base/borrow.cuh"

#include <cuda_fp16.h>
#include <string.h>

extern "C" {
#include "device/strided.h"
}

/* ---- order ---- */

/* Returns a number that no other stream has or had; 0: unknown. */
static unsigned long long number_of(cudaStream_t stream)
{
    unsigned long long number = 0;

#if CUDART_VERSION >= 12000
    if (cudaStreamGetId(stream, &number) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    number++;
#else
    (void)stream;
#endif
    return number;
}

int gf_cuda_ends_begin(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    struct gf_cuda_state *s = gf_cuda_state_of(lane->device);
    unsigned long long number;

    l->stream = (cudaStream_t)job->ends->stream;
    number = number_of(l->stream);
    if (s->queued != NULL && (number == 0 || number != s->queued_on)
        && gf_cuda_check(cudaStreamWaitEvent(l->stream, s->queued, 0), "waiting for the earlier run", err) != 0)
        return -1;
    s->queued_on = number;
    return 0;
}

int gf_cuda_ends_leave(struct gf_lane *lane, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    struct gf_cuda_state *s = gf_cuda_state_of(lane->device);

    if (s->queued == NULL
        && gf_cuda_check(cudaEventCreateWithFlags(&s->queued, cudaEventDisableTiming), "event", err) != 0)
        return -1;
    return gf_cuda_check(cudaEventRecord(s->queued, l->stream), "event", err);
}

int gf_cuda_ends_settle(struct gf_device *d, struct gf_error *err)
{
    struct gf_cuda_state *s = gf_cuda_state_of(d);

    return s->queued == NULL ? 0 : gf_cuda_check(cudaEventSynchronize(s->queued), "waiting for kernels", err);
}

/* ---- copies ---- */

#define THREADS 256

/* Samples in memory with any strides, and packed ones. */
struct copy_task {
    char *strided;
    int64_t unit, pixel, channel;
    char *packed;
    int64_t width, units;
    int channels;
    bool out;                            /* from packed samples to strided ones */
};

template <class T> static __device__ __forceinline__ void convert(T from, T *to)
{
    *to = from;
}

static __device__ __forceinline__ void convert(__half from, float *to)
{
    *to = __half2float(from);
}

static __device__ __forceinline__ void convert(float from, __half *to)
{
    *to = __float2half_rn(from);
}

/*
 * S is a strided sample, T a packed one. A thread has a pixel, so that a warp reads and writes neighbors both in planes
 * and in pixels.
 */
template <class S, class T>
static __global__ void __launch_bounds__(THREADS) copy_pixels(const __grid_constant__ struct copy_task t)
{
    const int64_t all = t.width * t.units, step = (int64_t)gridDim.x * THREADS;

    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < all; i += step) {
        const int64_t y = i / t.width, x = i - y * t.width;
        char *strided = t.strided + y * t.unit + x * t.pixel;
        T *packed = (T *)t.packed + i * t.channels;

        for (int c = 0; c < t.channels; c++, strided += t.channel)
            if (t.out)
                convert(packed[c], (S *)strided);
            else
                convert(*(const S *)strided, &packed[c]);
    }
}

int gf_cuda_ends_copy(const struct gf_strided *a, const struct gf_block *packed, bool out, cudaStream_t stream,
                      struct gf_error *err)
{
    const int64_t pixels = packed->width * gf_span_units(packed->span);
    const unsigned blocks = gf_cuda_grid_size(gf_ceil_div(pixels, THREADS), 1 << 16);
    const struct copy_task t = { a->data + packed->span.start * a->unit, a->unit, a->pixel, a->channel,
                                 (char *)packed->data, packed->width, gf_span_units(packed->span), packed->channels,
                                 out };

    if (pixels == 0)
        return 0;
    if (a->half)
        copy_pixels<__half, float><<<blocks, THREADS, 0, stream>>>(t);
    else if (gf_type_bytes(packed->type) == 1)
        copy_pixels<unsigned char, unsigned char><<<blocks, THREADS, 0, stream>>>(t);
    else if (gf_type_bytes(packed->type) == 2)
        copy_pixels<unsigned short, unsigned short><<<blocks, THREADS, 0, stream>>>(t);
    else if (gf_type_bytes(packed->type) == 4)
        copy_pixels<unsigned, unsigned><<<blocks, THREADS, 0, stream>>>(t);
    else
        copy_pixels<unsigned long long, unsigned long long><<<blocks, THREADS, 0, stream>>>(t);
    return gf_cuda_launched("copying samples", err);
}

/* ---- memory ---- */

int gf_cuda_result_alloc(struct gf_device *d, size_t bytes, void *stream, void **memory, struct gf_error *err)
{
    cudaMemPool_t pool;
    cudaError_t code;

    *memory = NULL;
    if (gf_cuda_bind(d, err) != 0 || gf_cuda_check(gf_cuda_pool(d->index, &pool), "memory pool", err) != 0)
        return -1;
    code = cudaMallocFromPoolAsync(memory, bytes > 0 ? bytes : 1, pool, (cudaStream_t)stream);
    if (code == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        return gf_fail_memory_bytes(err, bytes, "on the GPU");
    }
    return gf_cuda_check(code, "memory", err);
}

/* The default stream waits for other streams, except those that were made not to, and exists as long as the GPU. */
void gf_cuda_result_free(int index, void *memory)
{
    const int before = gf_cuda_current(index);

    cudaFreeAsync(memory, cudaStreamLegacy);
    (void)cudaGetLastError();
    gf_cuda_current(before);
}

int gf_cuda_stream_wait(struct gf_device *d, void *stream, struct gf_error *err)
{
    return gf_cuda_bind(d, err) != 0 ? -1 : gf_cuda_finish((cudaStream_t)stream, err);
}

int gf_cuda_owner(const void *memory)
{
    struct cudaPointerAttributes a;

    if (cudaPointerGetAttributes(&a, memory) != cudaSuccess) {
        (void)cudaGetLastError();
        return -1;
    }
    return a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged ? a.device : -1;
}

int gf_cuda_current(int index)
{
    int before = -1;

    if (cudaGetDevice(&before) != cudaSuccess)
        before = -1;
    if (index >= 0 && index != before)
        cudaSetDevice(index);
    (void)cudaGetLastError();
    return before;
}
