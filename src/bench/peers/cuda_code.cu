/*
 * The shared object with peers in CUDA: histogram, scan and reduce of CUB, and a long filter by
 * overlap-add. The filter follows the description of CuPy's oaconvolve: a block length as SciPy
 * chooses it, then cuFFT and one kernel for each array operation.
 */
#include "bench/peers/driver.h"
#include "bench/peers/peer.h"
#include "kernels/neighbourhood/fftconv.h"
#include "kernels/statistics/reduce.h"

#include <cmath>
#include <cstdio>
#include <cub/cub.cuh>
#include <thrust/iterator/transform_iterator.h>

extern "C" const char *gf_peer_cub_version(void)
{
    static char text[60];

    snprintf(text, sizeof text, "CUB %d.%d.%d", CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
    return text;
}

/* Returns working memory, which grows and is never freed. */
static void *room(size_t bytes)
{
    static void *had;
    static size_t had_bytes;

    if (bytes > had_bytes) {
        cudaFree(had);
        had_bytes = cudaMalloc(&had, bytes) == cudaSuccess ? bytes : 0;
    }
    return had_bytes > 0 ? had : NULL;
}

/* Calls a function of CUB twice: the first call returns how much memory it needs. */
template <class F>
static int with_room(F f)
{
    size_t bytes = 0;

    if (f((void *)NULL, bytes) != cudaSuccess)
        return -1;
    void *memory = room(bytes);
    return memory != NULL && f(memory, bytes) == cudaSuccess ? 0 : -1;
}

static int64_t count_of(const struct gf_peer_call *c)
{
    return c->src.width * c->src.span.end * c->src.channels;
}

extern "C" int gf_peer_cub_histogram(const struct gf_peer_call *c)
{
    const int count = (int)count_of(c);
    cudaStream_t stream = (cudaStream_t)c->stream;

    if (c->src.type == GF_U16)
        return with_room([=](void *m, size_t &b) {
            return cub::DeviceHistogram::HistogramEven(m, b, (const uint16_t *)c->src.data, (int *)c->dst.data, 65537,
                                                       0, 65536, count, stream);
        });
    return with_room([=](void *m, size_t &b) {
        return cub::DeviceHistogram::HistogramEven(m, b, (const uint8_t *)c->src.data, (int *)c->dst.data, 257, 0, 256,
                                                   count, stream);
    });
}

extern "C" int gf_peer_cub_scan(const struct gf_peer_call *c)
{
    return with_room([=](void *m, size_t &b) {
        return cub::DeviceScan::InclusiveSum(m, b, (const uint64_t *)c->src.data, (uint64_t *)c->dst.data, count_of(c),
                                             (cudaStream_t)c->stream);
    });
}

extern "C" int gf_peer_cub_sum(const struct gf_peer_call *c)
{
    return with_room([=](void *m, size_t &b) {
        return cub::DeviceReduce::Sum(m, b, (const float *)c->src.data, (float *)c->dst.data, count_of(c),
                                      (cudaStream_t)c->stream);
    });
}

struct to_record {
    __host__ __device__ gf_reduced operator()(float v) const
    {
        const bool finite = fabsf(v) <= 3.40282347e38f;
        const double d = finite ? v : 0.0;
        return { finite ? d : INFINITY, finite ? d : -INFINITY, d, d * d, finite ? 1.0 : 0.0, 0.0, finite ? 0.0 : 1.0 };
    }
};

struct join_records {
    __host__ __device__ gf_reduced operator()(const gf_reduced &a, const gf_reduced &b) const
    {
        return { fmin(a.min, b.min), fmax(a.max, b.max), a.sum + b.sum, a.squares + b.squares, a.finite + b.finite,
                 a.clipped + b.clipped, a.nonfinite + b.nonfinite };
    }
};

extern "C" int gf_peer_cub_records(const struct gf_peer_call *c)
{
    auto in = thrust::make_transform_iterator((const float *)c->src.data, to_record());
    const gf_reduced none = { INFINITY, -INFINITY, 0, 0, 0, 0, 0 };

    return with_room([=](void *m, size_t &b) {
        return cub::DeviceReduce::Reduce(m, b, in, (gf_reduced *)c->dst.data, count_of(c), join_records(), none,
                                         (cudaStream_t)c->stream);
    });
}

/* ---- overlap-add ---- */

/* Returns the next length that is a product of 2, 3, 5 and 7, as CuPy's next_fast_len. */
static int64_t fast_length(int64_t n)
{
    for (;; n++) {
        int64_t m = n;

        for (int64_t p : { 2, 3, 5, 7 })
            while (m % p == 0)
                m /= p;
        if (m == 1)
            return n;
    }
}

/* SciPy's _calc_oa_lens: -overlap · W₋₁(-1/(2e·overlap)), by Newton's method. */
static int64_t block_length(int64_t taps)
{
    const double overlap = (double)taps - 1, z = -1 / (2 * M_E * overlap);
    double w = log(-z) - log(-log(-z));

    for (int i = 0; i < 50; i++)
        w -= (w * exp(w) - z) / (exp(w) * (w + 1));
    return fast_length((int64_t)ceil(-overlap * w));
}

struct overlap {
    int64_t length, step, blocks, units;
    float *padded;
    float2 *spectra, *taps_spectrum;
    int forward, backward;
};

typedef int plan_many(int *, int, int *, int *, int, int, int *, int, int, int, int);
typedef int exec_forward(int, float *, float2 *);
typedef int exec_backward(int, float2 *, float *);
typedef int set_stream(int, cudaStream_t);

__global__ void pad(const float *from, float *to, int64_t units, int64_t step, int64_t length, int64_t total)
{
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < total; i += (int64_t)gridDim.x * blockDim.x) {
        const int64_t row = i / length, x = i % length, unit = row * step + x;

        to[i] = x < step && unit < units ? from[unit] : 0.0f;
    }
}

__global__ void times(float2 *a, const float2 *b, int64_t pairs, int64_t total)
{
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < total; i += (int64_t)gridDim.x * blockDim.x) {
        const float2 v = a[i], w = b[i % pairs];

        a[i] = make_float2(v.x * w.x - v.y * w.y, v.x * w.y + v.y * w.x);
    }
}

__global__ void scale(float *a, float by, int64_t total)
{
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < total; i += (int64_t)gridDim.x * blockDim.x)
        a[i] *= by;
}

/* Adds the tail of each block to the next one, and joins the blocks. */
__global__ void overlap_add(const float *a, float *to, int64_t units, int64_t step, int64_t length)
{
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < units; i += (int64_t)gridDim.x * blockDim.x) {
        const int64_t block = i / step, x = i % step;
        const float *row = a + block * length;

        to[i] = row[x] + (block > 0 && x < length - step ? row[x + step - length] : 0.0f);
    }
}

static bool open_overlap(struct overlap *o, int64_t units, int64_t taps)
{
    plan_many *make = (plan_many *)gf_peer_symbol("cufft", "cufftPlanMany");
    exec_forward *forward = (exec_forward *)gf_peer_symbol("cufft", "cufftExecR2C");
    int n, pairs, once;

    o->units = units;
    o->length = block_length(taps);
    o->step = o->length - taps + 1;
    o->blocks = (units + o->step - 1) / o->step;
    n = (int)o->length, pairs = n / 2 + 1;
    if (make == NULL || forward == NULL
        || cudaMalloc(&o->padded, (size_t)(o->blocks * o->length) * sizeof(float)) != cudaSuccess
        || cudaMalloc(&o->spectra, (size_t)(o->blocks * pairs) * sizeof(float2)) != cudaSuccess
        || cudaMalloc(&o->taps_spectrum, (size_t)pairs * sizeof(float2)) != cudaSuccess
        || make(&o->forward, 1, &n, NULL, 1, n, NULL, 1, pairs, 0x2a, (int)o->blocks) != 0
        || make(&o->backward, 1, &n, NULL, 1, pairs, NULL, 1, n, 0x2c, (int)o->blocks) != 0
        || make(&once, 1, &n, NULL, 1, n, NULL, 1, pairs, 0x2a, 1) != 0)
        return false;
    cudaMemset(o->padded, 0, (size_t)n * sizeof(float));
    return forward(once, o->padded, o->taps_spectrum) == 0 && cudaDeviceSynchronize() == cudaSuccess;
}

/* The taps are zeros, which does not change the time. */
extern "C" int gf_peer_oaconvolve(const struct gf_peer_call *c)
{
    static struct overlap o;
    static bool open;
    exec_forward *forward = (exec_forward *)gf_peer_symbol("cufft", "cufftExecR2C");
    exec_backward *backward = (exec_backward *)gf_peer_symbol("cufft", "cufftExecC2R");
    set_stream *on = (set_stream *)gf_peer_symbol("cufft", "cufftSetStream");
    cudaStream_t stream = (cudaStream_t)c->stream;
    int64_t pairs;

    if (!open && !open_overlap(&o, c->src.span.end, ((const struct gf_fftconv *)c->params)->taps))
        return -1;
    open = true;
    pairs = o.length / 2 + 1;
    on(o.forward, stream), on(o.backward, stream);
    pad<<<4096, 256, 0, stream>>>((const float *)c->src.data, o.padded, o.units, o.step, o.length, o.blocks * o.length);
    if (forward(o.forward, o.padded, o.spectra) != 0)
        return -1;
    times<<<4096, 256, 0, stream>>>(o.spectra, o.taps_spectrum, pairs, o.blocks * pairs);
    if (backward(o.backward, o.spectra, o.padded) != 0)
        return -1;
    scale<<<4096, 256, 0, stream>>>(o.padded, 1.0f / (float)o.length, o.blocks * o.length);
    overlap_add<<<4096, 256, 0, stream>>>(o.padded, (float *)c->dst.data, o.units, o.step, o.length);
    return 0;
}
