/*
 * Runs whose ends are in the GPU's memory: their order on streams of the caller, and copies of samples that are not in
 * rows.
 */
#include "device/cuda/device_cuda_lane.cuh"
#include "kernels/base/borrow.cuh"
#include "kernels/base/thread_pack.cuh"

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

/* Lets work on a stream follow that of earlier runs. */
static int follow(struct gf_cuda_state *s, cudaStream_t stream, struct gf_error *err)
{
    const unsigned long long number = number_of(stream);

    if (s->queued != NULL && (number == 0 || number != s->queued_on)
        && gf_cuda_check(cudaStreamWaitEvent(stream, s->queued, 0), "waiting for the earlier run", err) != 0)
        return -1;
    s->queued_on = number;
    return 0;
}

static int make_event(cudaEvent_t *event, struct gf_error *err)
{
    return *event != NULL ? 0 : gf_cuda_check(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "event", err);
}

/* Marks the end of what was queued. Nobody could wait for work without a mark, so that has ended if this fails. */
static int mark_end(struct gf_cuda_state *s, cudaStream_t stream, struct gf_error *err)
{
    if (make_event(&s->queued, err) == 0 && gf_cuda_check(cudaEventRecord(s->queued, stream), "event", err) == 0)
        return 0;
    cudaStreamSynchronize(stream);
    return -1;
}

int gf_cuda_ends_begin(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    struct gf_cuda_state *s = gf_cuda_state_of(lane->device);

    if (s->batch.runs) {
        l->stream = s->batch.stream[s->batch.next++ % GF_CUDA_STREAMS];
        return 0;
    }
    l->stream = (cudaStream_t)job->ends->stream;
    return follow(s, l->stream, err);
}

int gf_cuda_ends_leave(struct gf_lane *lane, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    struct gf_cuda_state *s = gf_cuda_state_of(lane->device);

    return s->batch.runs ? 0 : mark_end(s, l->stream, err);
}

/* ---- batches ---- */

/* Makes what is not there yet: a batch before may have failed half-way. */
static int open_batch(struct gf_cuda_batch *b, struct gf_error *err)
{
    if (make_event(&b->begun, err) != 0)
        return -1;
    for (int i = 0; i < GF_CUDA_STREAMS; i++)
        if ((b->stream[i] == NULL
             && gf_cuda_check(cudaStreamCreateWithFlags(&b->stream[i], cudaStreamNonBlocking), "stream", err) != 0)
            || make_event(&b->ended[i], err) != 0)
            return -1;
    return 0;
}

int gf_cuda_batch_begin(struct gf_device *d, void *stream, struct gf_error *err)
{
    struct gf_cuda_state *s = gf_cuda_state_of(d);
    struct gf_cuda_batch *b = &s->batch;

    if (gf_cuda_bind(d, err) != 0 || open_batch(b, err) != 0 || follow(s, (cudaStream_t)stream, err) != 0
        || gf_cuda_check(cudaEventRecord(b->begun, (cudaStream_t)stream), "event", err) != 0)
        return -1;
    for (int i = 0; i < GF_CUDA_STREAMS; i++)
        if (gf_cuda_check(cudaStreamWaitEvent(b->stream[i], b->begun, 0), "batch", err) != 0)
            return -1;
    b->runs = true;
    b->next = 0;
    return 0;
}

/* Runs that the caller's stream cannot wait for have ended on return, because their arrays may be freed then. */
int gf_cuda_batch_end(struct gf_device *d, void *stream, struct gf_error *err)
{
    struct gf_cuda_state *s = gf_cuda_state_of(d);
    struct gf_cuda_batch *b = &s->batch;
    struct gf_error none;
    int result = 0;

    b->runs = false;
    for (unsigned i = 0; i < GF_CUDA_STREAMS && i < b->next; i++)
        if (gf_cuda_check(cudaEventRecord(b->ended[i], b->stream[i]), "event", result == 0 ? err : &none) != 0
            || gf_cuda_check(cudaStreamWaitEvent((cudaStream_t)stream, b->ended[i], 0), "batch",
                             result == 0 ? err : &none) != 0) {
            cudaStreamSynchronize(b->stream[i]);
            result = -1;
        }
    return mark_end(s, (cudaStream_t)stream, result == 0 ? err : &none) != 0 ? -1 : result;
}

void gf_cuda_batch_close(struct gf_cuda_state *s)
{
    struct gf_cuda_batch *b = &s->batch;

    for (int i = 0; i < GF_CUDA_STREAMS; i++) {
        if (b->stream[i] != NULL)
            cudaStreamDestroy(b->stream[i]);
        if (b->ended[i] != NULL)
            cudaEventDestroy(b->ended[i]);
    }
    if (b->begun != NULL)
        cudaEventDestroy(b->begun);
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

/* Four samples of a row of a plane. */
template <class T> struct alignas(4 * sizeof(T)) four {
    T v[4];
};

template <class T> static __device__ __forceinline__ bool is_aligned(const T *p)
{
    return (uintptr_t)p % sizeof(struct four<T>) == 0;
}

/* Copies up to four pixels from C planes, or with `out` to them. `row` is the first pixel in the first plane. */
template <class T, int C>
static __device__ __forceinline__ void copy_four(const struct copy_task &t, char *row, T *pixels, int count)
{
    constexpr int words = C * (int)sizeof(T);
    union {
        unsigned w[words];
        T v[4 * C];
    } all;

    if (t.out && !(count == 4 && gf_read_words<words>((const unsigned char *)pixels, all.w))) {
#pragma unroll
        for (int k = 0; k < 4 * C; k++)
            if (k < count * C)
                all.v[k] = pixels[k];
    }
#pragma unroll
    for (int c = 0; c < C; c++) {
        T *const p = (T *)(row + c * t.channel);
        const bool whole = count == 4 && is_aligned(p);
        struct four<T> plane;

        if (!t.out && whole)
            plane = *(const struct four<T> *)p;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            if (t.out)
                plane.v[k] = all.v[k * C + c];
            else if (!whole && k < count)
                plane.v[k] = p[k];
            if (t.out && !whole && k < count)
                p[k] = plane.v[k];
            else if (!t.out)
                all.v[k * C + c] = plane.v[k];
        }
        if (t.out && whole)
            *(struct four<T> *)p = plane;
    }
    if (!t.out && !(count == 4 && gf_write_words<words>((unsigned char *)pixels, all.w))) {
#pragma unroll
        for (int k = 0; k < 4 * C; k++)
            if (k < count * C)
                pixels[k] = all.v[k];
    }
}

/* Copies planes whose rows have no gaps: a thread has four pixels. */
template <class T, int C>
static __global__ void __launch_bounds__(THREADS) copy_planes(const __grid_constant__ struct copy_task t)
{
    const int64_t across = gf_ceil_div(t.width, 4), all = across * t.units, step = (int64_t)gridDim.x * THREADS;

    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < all; i += step) {
        const int64_t y = i / across, x = 4 * (i - y * across);

        copy_four<T, C>(t, t.strided + y * t.unit + x * (int)sizeof(T), (T *)t.packed + (y * t.width + x) * C,
                        (int)min((int64_t)4, t.width - x));
    }
}

/* Launches the kernel for planes of samples of that size. Returns false if there is none. */
template <class T>
static bool launch_planes(const struct copy_task &t, cudaStream_t stream)
{
    const unsigned blocks = gf_cuda_grid_size(gf_ceil_div(gf_ceil_div(t.width, 4) * t.units, THREADS), 1 << 16);

    if (t.pixel != sizeof(T) || t.channels < 2 || t.channels > 4)
        return false;
    (t.channels == 2 ? copy_planes<T, 2> : t.channels == 3 ? copy_planes<T, 3>
     : copy_planes<T, 4>)<<<blocks, THREADS, 0, stream>>>(t);
    return true;
}

static bool copies_planes(const struct copy_task &t, size_t bytes, cudaStream_t stream)
{
    return bytes == 1 ? launch_planes<unsigned char>(t, stream)
         : bytes == 2 ? launch_planes<unsigned short>(t, stream)
         : bytes == 4 ? launch_planes<unsigned>(t, stream) : false;
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
    else if (copies_planes(t, gf_type_bytes(packed->type), stream))
        return gf_cuda_launched("copying samples", err);
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

/* Choosing a GPU that nobody has started would start it: GPU 0, say, of a thread that never chose one. */
static bool may_choose(int index)
{
#if CUDART_VERSION >= 12050
    return gf_cuda_is_started(index);
#else
    (void)index;
    return true;
#endif
}

/* The default stream waits for other streams, except those that were made not to, and exists as long as the GPU. */
void gf_cuda_result_free(int index, void *memory, void *stream)
{
    int before;

    if (!may_choose(index))
        return;                          /* the memory has gone with the context that had it */
    before = gf_cuda_current(index);
    cudaFreeAsync(memory, stream != NULL ? (cudaStream_t)stream : cudaStreamLegacy);
    (void)cudaGetLastError();
    gf_cuda_current(before);
}

void gf_cuda_result_follow(int index, void *stream)
{
    cudaEvent_t now = NULL;
    int before;

    if (!may_choose(index))
        return;
    before = gf_cuda_current(index);
    if (cudaEventCreateWithFlags(&now, cudaEventDisableTiming) != cudaSuccess
        || cudaEventRecord(now, (cudaStream_t)stream) != cudaSuccess
        || cudaStreamWaitEvent(cudaStreamLegacy, now, 0) != cudaSuccess)
        cudaStreamSynchronize((cudaStream_t)stream);
    if (now != NULL)
        cudaEventDestroy(now);
    (void)cudaGetLastError();
    gf_cuda_current(before);
}

int gf_cuda_runs_wait(struct gf_device *d, struct gf_error *err)
{
    return gf_cuda_bind(d, err) != 0 ? -1 : gf_cuda_ends_settle(d, err);
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
    if (index >= 0 && index != before && may_choose(index))
        cudaSetDevice(index);
    (void)cudaGetLastError();
    return before;
}
