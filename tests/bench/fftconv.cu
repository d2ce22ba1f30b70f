/*
 * A long filter in a GPU's memory, beside overlap-add as CuPy's oaconvolve does it. The peer is rebuilt here from its
 * description: block length as SciPy chooses it, then cuFFT and one kernel for each array operation.
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <vector>

#include "kernels/base/cuda_check.cuh"
#include "kernels/neighbourhood/fftconv.h"

static struct gf_error error;

static void need(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "%s: %s\n", what, error.text);
    exit(1);
}

static void *device_memory(size_t bytes)
{
    void *p = NULL;

    need(gf_cuda_check(cudaMalloc(&p, bytes), "memory", &error) == 0, "memory");
    return p;
}

static void done(void)
{
    need(gf_cuda_check(cudaDeviceSynchronize(), "waiting", &error) == 0, "waiting");
}

/* The best of ten, in milliseconds. */
template <class Work>
static double best(Work work)
{
    double least = 1e9;

    for (int i = 0; i < 12; i++) {
        cudaEvent_t from, to;
        float ms = 0;

        cudaEventCreate(&from), cudaEventCreate(&to);
        cudaEventRecord(from, 0);
        work();
        cudaEventRecord(to, 0);
        done();
        cudaEventElapsedTime(&ms, from, to);
        cudaEventDestroy(from), cudaEventDestroy(to);
        if (i > 1)
            least = std::min(least, (double)ms);
    }
    return least;
}

/* ---- the peer ---- */

/* The next length that is a product of 2, 3, 5 and 7, as CuPy's next_fast_len gives it. */
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

/* SciPy's _calc_oa_lens: -overlap · W₋₁(-1/(2e·overlap)), by Newton's way. */
static int64_t block_length(int64_t taps)
{
    const double overlap = (double)taps - 1, z = -1 / (2 * M_E * overlap);
    double w = log(-z) - log(-log(-z));

    for (int i = 0; i < 50; i++)
        w -= (w * exp(w) - z) / (exp(w) * (w + 1));
    return fast_length((int64_t)ceil(-overlap * w));
}

struct peer {
    int64_t length, step, blocks, units;     /* of a channel */
    int64_t taps;
    float *padded, *out;
    float2 *spectra, *taps_spectrum;
    int forward, backward, once;
};

static int (*plan_many)(int *, int, int *, int *, int, int, int *, int, int, int, int);
static int (*exec_forward)(int, float *, float2 *);
static int (*exec_backward)(int, float2 *, float *);

__global__ void pad(const float *from, float *to, int64_t units, int64_t step, int64_t length, int64_t blocks, int64_t total)
{
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < total; i += (int64_t)gridDim.x * blockDim.x) {
        const int64_t row = i / length, x = i % length, c = row / blocks, unit = row % blocks * step + x;

        to[i] = x < step && unit < units ? from[c * units + unit] : 0.0f;
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

/* The tails are added to the blocks behind them, and the blocks laid end to end. */
__global__ void overlap_add(const float *a, float *to, int64_t units, int64_t step, int64_t length, int64_t blocks, int64_t total)
{
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < total; i += (int64_t)gridDim.x * blockDim.x) {
        const int64_t c = i / units, unit = i % units, block = unit / step, x = unit % step;
        const float *row = a + (c * blocks + block) * length;

        to[i] = row[x] + (block > 0 && x < length - step ? row[x + step - length] : 0.0f);
    }
}

static void peer_open(struct peer *p, int64_t units, int64_t taps, const float *h)
{
    void *library = dlopen("libcufft.so.12", RTLD_NOW);
    int n, pairs;

    library = library ? library : dlopen("libcufft.so.11", RTLD_NOW);
    need(library != NULL, "cuFFT");
    *(void **)&plan_many = dlsym(library, "cufftPlanMany");
    *(void **)&exec_forward = dlsym(library, "cufftExecR2C");
    *(void **)&exec_backward = dlsym(library, "cufftExecC2R");
    p->taps = taps, p->units = units;
    p->length = block_length(taps);
    p->step = p->length - taps + 1;
    p->blocks = gf_ceil_div(units, p->step);
    n = (int)p->length, pairs = n / 2 + 1;
    p->padded = (float *)device_memory((size_t)(2 * p->blocks * p->length) * sizeof(float));
    p->spectra = (float2 *)device_memory((size_t)(2 * p->blocks * pairs) * sizeof(float2));
    p->taps_spectrum = (float2 *)device_memory((size_t)pairs * sizeof(float2));
    p->out = (float *)device_memory((size_t)(2 * units) * sizeof(float));
    need(plan_many(&p->forward, 1, &n, NULL, 1, n, NULL, 1, pairs, 0x2a, (int)(2 * p->blocks)) == 0, "plan");
    need(plan_many(&p->backward, 1, &n, NULL, 1, pairs, NULL, 1, n, 0x2c, (int)(2 * p->blocks)) == 0, "plan");
    need(plan_many(&p->once, 1, &n, NULL, 1, n, NULL, 1, pairs, 0x2a, 1) == 0, "plan");
    cudaMemset(p->padded, 0, (size_t)n * sizeof(float));
    cudaMemcpy(p->padded, h, (size_t)taps * sizeof(float), cudaMemcpyHostToDevice);
    need(exec_forward(p->once, p->padded, p->taps_spectrum) == 0, "taps");
    done();
}

static void peer_run(struct peer *p, const float *in)
{
    const int64_t total = 2 * p->blocks * p->length, pairs = p->length / 2 + 1;

    pad<<<4096, 256>>>(in, p->padded, p->units, p->step, p->length, p->blocks, total);
    need(exec_forward(p->forward, p->padded, p->spectra) == 0, "forward");
    times<<<4096, 256>>>(p->spectra, p->taps_spectrum, pairs, 2 * p->blocks * pairs);
    need(exec_backward(p->backward, p->spectra, p->padded) == 0, "backward");
    scale<<<4096, 256>>>(p->padded, 1.0f / (float)p->length, total);
    overlap_add<<<4096, 256>>>(p->padded, p->out, p->units, p->step, p->length, p->blocks, 2 * p->units);
}

/* ---- ours ---- */

int main(int argc, char **argv)
{
    const int64_t units = argc > 1 ? atoll(argv[1]) : 28800000, taps = argc > 2 ? atoll(argv[2]) : 65535;
    struct gf_fftconv f;
    struct gf_format format;
    struct gf_work work;
    struct gf_io io;
    struct peer p;
    float *in, *out;
    double ours, theirs, worst = 0, largest = 0;
    cudaMemPool_t pool;
    uint64_t keep = UINT64_MAX;

    memset(&f, 0, sizeof f), memset(&format, 0, sizeof format), memset(&work, 0, sizeof work), memset(&io, 0, sizeof io);
    std::vector<float> h((size_t)taps), masks, x((size_t)(2 * units)), a((size_t)(2 * units)), b((size_t)(2 * units));
    for (auto &v : h)
        v = (float)rand() / (float)RAND_MAX - 0.5f;
    for (auto &v : x)
        v = (float)rand() / (float)RAND_MAX - 0.5f;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
    f.mask_channels = 1;
    gf_fftconv_shape(&f, taps, 0);
    f.spectra_at = (taps + 1) / 2 * 2;
    masks.resize((size_t)(f.spectra_at + gf_fftconv_spectra_samples(&f)));
    std::reverse_copy(h.begin(), h.end(), masks.begin());
    need(gf_fftconv_fill(&f, masks.data(), masks.data() + f.spectra_at) == 0, "taps");
    in = (float *)device_memory(x.size() * sizeof(float)), out = (float *)device_memory(x.size() * sizeof(float));
    work.masks = (float *)device_memory(masks.size() * sizeof(float));
    cudaMemcpy((void *)work.masks, masks.data(), masks.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(in, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
    format.kind = GF_AUDIO, format.type = GF_F32, format.bits = 32, format.maxval = 1, format.channels = 2, format.width = 1, format.units = units;
    io.src = gf_block_planar(in, &format, { 0, units }, 1, units);
    io.dst = gf_block_planar(out, &format, { 0, units }, 1, units);
    io.src_units = units;
    ours = best([&] { need(gf_fftconv_cuda(&work, &io, &f, &error) == 0, "fftconv"); });
    peer_open(&p, units, taps, h.data());
    theirs = best([&] { peer_run(&p, in); });
    cudaMemcpy(a.data(), out, a.size() * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(b.data(), p.out, b.size() * sizeof(float), cudaMemcpyDeviceToHost);
    done();
    for (size_t i = 0; i < a.size(); i++) {
        worst = std::max(worst, (double)fabsf(a[i] - b[i]));
        largest = std::max(largest, (double)fabsf(b[i]));
    }
    printf("%lld frames of 2 channels, %lld taps: fftconv %.3f ms (blocks of %lld), overlap-add rebuilt %.3f ms (blocks of %lld), ratio %.2f; "
           "results differ by %.2g of the largest\n", (long long)units, (long long)taps, ours, (long long)f.size, theirs, (long long)p.length,
           ours / theirs, worst / largest);
    return 0;
}
