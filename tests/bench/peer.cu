/* The peers of the benchmark. NPP's prototypes are written here, for its headers may be missing where it runs. */
#include "peer.h"

#include <cub/cub.cuh>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <thrust/iterator/transform_iterator.h>

#include "kernels/statistics/reduce.h"

struct npp_size { int width, height; };
struct npp_point { int x, y; };
struct npp_rect { int x, y, width, height; };
struct npp_version { int major, minor, build; };
struct npp_context {
    cudaStream_t stream;
    int device, processors, threads_processor, threads_block;
    size_t shared_block;
    int major, minor;
    unsigned flags;
    int reserved;
};

static struct npp_context context;
static char versions[100];
static void *buffer;
static size_t buffer_bytes;

/* A function of one of NPP's libraries, or NULL. */
static void *npp(const char *library, const char *name)
{
    const char *const endings[] = { ".so.13", ".so.12", ".so" };
    char file[300];

    for (int i = 0; i < 3; i++) {
        snprintf(file, sizeof file, "lib%s%s", library, endings[i]);
        void *l = dlopen(file, RTLD_NOW);
        if (l == NULL) {
            snprintf(file, sizeof file, "/usr/local/cuda/lib64/lib%s%s", library, endings[i]);
            l = dlopen(file, RTLD_NOW);
        }
        if (l != NULL && dlsym(l, name) != NULL)
            return dlsym(l, name);
    }
    return NULL;
}

void peer_open(cudaStream_t stream)
{
    struct cudaDeviceProp p;
    const struct npp_version *(*version)(void) = (const struct npp_version *(*)(void))npp("nppc", "nppGetLibVersion");

    cudaGetDeviceProperties(&p, 0);
    context.stream = stream;
    context.processors = p.multiProcessorCount;
    context.threads_processor = p.maxThreadsPerMultiProcessor;
    context.threads_block = p.maxThreadsPerBlock;
    context.shared_block = p.sharedMemPerBlock;
    context.major = p.major;
    context.minor = p.minor;
    cudaStreamGetFlags(stream, &context.flags);
    if (version != NULL)
        snprintf(versions, sizeof versions, "NPP %d.%d.%d, CUB %d.%d.%d", version()->major, version()->minor, version()->build,
                 CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
    else
        snprintf(versions, sizeof versions, "no NPP, CUB %d.%d.%d", CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
}

const char *peer_versions(void)
{
    return versions;
}

/* Working memory that grows and stays. */
static void *room(size_t bytes)
{
    if (bytes > buffer_bytes) {
        cudaFree(buffer);
        cudaMalloc(&buffer, bytes);
        buffer_bytes = bytes;
    }
    return buffer;
}

#define NPP(library, name, type) \
    static type call = (type)npp(library, name); \
    if (call == NULL) \
        return -1

int peer_gray(const void *src, int src_step, void *dst, int dst_step, int width, int height)
{
    typedef int (*type)(const void *, int, void *, int, npp_size, npp_context);
    NPP("nppicc", "nppiRGBToGray_8u_C3C1R_Ctx", type);
    return call(src, src_step, dst, dst_step, { width, height }, context) == 0 ? 0 : -1;
}

int peer_scale(const void *src, void *dst, int step, int width, int height)
{
    typedef int (*type)(const void *, int, float, void *, int, npp_size, npp_context);
    NPP("nppial", "nppiMulC_32f_C1R_Ctx", type);
    return call(src, step, 0.7f, dst, step, { width, height }, context) == 0 ? 0 : -1;
}

int peer_gauss(const void *src, void *dst, int step, int width, int height, int side)
{
    typedef int (*type)(const void *, int, void *, int, npp_size, int, npp_context);
    NPP("nppif", "nppiFilterGauss_8u_C1R_Ctx", type);
    const int r = side / 2, mask = side == 5 ? 201 : 800;
    return call((const char *)src + r * step + r, step, (char *)dst + r * step + r, step,
                { width - 2 * r, height - 2 * r }, mask, context) == 0 ? 0 : -1;
}

int peer_filter(const void *src, void *dst, int step, int width, int height, const float *device_mask, int side)
{
    typedef int (*type)(const void *, int, void *, int, npp_size, const float *, npp_size, npp_point, npp_context);
    NPP("nppif", "nppiFilter_32f_C1R_Ctx", type);
    const int r = side / 2;
    return call((const char *)src + r * step + 4 * r, step, (char *)dst + r * step + 4 * r, step,
                { width - 2 * r, height - 2 * r }, device_mask, { side, side }, { r, r }, context) == 0 ? 0 : -1;
}

int peer_box(const void *src, void *dst, int step, int width, int height, int side)
{
    typedef int (*type)(const void *, int, void *, int, npp_size, npp_size, npp_point, npp_context);
    NPP("nppif", "nppiFilterBox_8u_C1R_Ctx", type);
    const int r = side / 2;
    return call((const char *)src + r * step + r, step, (char *)dst + r * step + r, step,
                { width - 2 * r, height - 2 * r }, { side, side }, { r, r }, context) == 0 ? 0 : -1;
}

int peer_sobel(const void *src, void *dst, int step, int width, int height)
{
    typedef int (*type)(const void *, int, void *, int, npp_size, npp_context);
    NPP("nppif", "nppiFilterSobelVert_8u_C1R_Ctx", type);
    return call((const char *)src + step + 1, step, (char *)dst + step + 1, step, { width - 2, height - 2 }, context) == 0 ? 0 : -1;
}

int peer_sobel_mag(const void *src, void *dst, int step, int width, int height)
{
    typedef int (*type)(const void *, int, npp_size, npp_point, void *, int, void *, int, void *, int, void *, int, npp_size,
                        int, int, int, npp_context);
    NPP("nppif", "nppiGradientVectorSobelBorder_8u16s_C1R_Ctx", type);
    return call(src, step, { width, height }, { 0, 0 }, NULL, 0, NULL, 0, dst, 2 * step, NULL, 0, { width, height },
                200, 2, 2, context) == 0 ? 0 : -1;
}

int peer_unsharp(const void *src, void *dst, int step, int width, int height, float radius, float sigma)
{
    typedef int (*type)(const void *, int, npp_point, void *, int, npp_size, float, float, float, float, int, void *, npp_context);
    typedef int (*size_type)(float, float, int *);
    static size_type size_of = (size_type)npp("nppif", "nppiFilterUnsharpGetBufferSize_8u_C1R");
    NPP("nppif", "nppiFilterUnsharpBorder_8u_C1R_Ctx", type);
    int bytes = 0;

    if (size_of == NULL || size_of(radius, sigma, &bytes) != 0)
        return -1;
    return call(src, step, { 0, 0 }, dst, step, { width, height }, radius, sigma, 1.0f, 0.0f, 2, room((size_t)bytes + 1), context) == 0 ? 0 : -1;
}

int peer_bilateral(const void *src, void *dst, int step, int width, int height, int radius, const char *name)
{
    typedef int (*type)(const void *, int, npp_size, npp_point, void *, int, npp_size, int, int, float, float, int, npp_context);
    const type call = (type)npp("nppif", name);

    if (call == NULL)
        return -1;
    return call(src, step, { width, height }, { 0, 0 }, dst, step, { width, height }, radius, 1, 25.5f * 25.5f, 1.5f * 1.5f, 2,
                context) == 0 ? 0 : -1;
}

int peer_canny(const void *src, void *dst, int step, int width, int height, int low, int high)
{
    typedef int (*type)(const void *, int, npp_size, npp_point, void *, int, npp_size, int, int, short, short, int, int, void *,
                        npp_context);
    typedef int (*size_type)(npp_size, int *);
    static const size_type size_of = (size_type)npp("nppif", "nppiFilterCannyBorderGetBufferSize");
    NPP("nppif", "nppiFilterCannyBorder_8u_C1R_Ctx", type);
    const npp_size all = { width, height };
    int bytes = 0;

    if (size_of == NULL || size_of(all, &bytes) != 0)
        return -1;
    return call(src, step, all, { 0, 0 }, dst, step, all, 0, 200, (short)low, (short)high, 2, 2, room((size_t)bytes + 1), context) == 0
        ? 0 : -1;
}

int peer_mixed(const void *above, const void *below, void *dst, int step, int width, int height, int alpha)
{
    typedef int (*type)(const void *, int, unsigned char, const void *, int, unsigned char, void *, int, npp_size, int, npp_context);
    NPP("nppial", "nppiAlphaCompC_8u_C1R_Ctx", type);
    return call(above, step, (unsigned char)alpha, below, step, 255, dst, step, { width, height }, 0, context) == 0 ? 0 : -1;
}

int peer_over(const void *above, const void *below, void *dst, int step, int width, int height)
{
    typedef int (*type)(const void *, int, const void *, int, void *, int, npp_size, int, npp_context);
    NPP("nppial", "nppiAlphaComp_8u_AC4R_Ctx", type);
    return call(above, step, below, step, dst, step, { width, height }, 0, context) == 0 ? 0 : -1;
}

int peer_difference(const void *a, const void *b, void *dst, int step, int width, int height)
{
    typedef int (*type)(const void *, int, const void *, int, void *, int, npp_size, npp_context);
    NPP("nppial", "nppiAbsDiff_8u_C1R_Ctx", type);
    return call(a, step, b, step, dst, step, { width, height }, context) == 0 ? 0 : -1;
}

int peer_rotate(const void *src, void *dst, int step, int width, int height, double degrees, const char *name)
{
    typedef int (*type)(const void *, npp_size, int, npp_rect, void *, int, npp_rect, double, double, double, int, npp_context);
    static char last[100];
    static type call;
    const double a = degrees * 3.14159265358979 / 180, cx = (width - 1) / 2.0, cy = (height - 1) / 2.0;

    if (strcmp(name, last) != 0) {
        snprintf(last, sizeof last, "%s", name);
        call = (type)npp("nppig", name);
    }
    if (call == NULL)
        return -1;
    return call(src, { width, height }, step, { 0, 0, width, height }, dst, step, { 0, 0, width, height }, degrees,
                cx - cx * cos(a) - cy * sin(a), cy + cx * sin(a) - cy * cos(a), 2, context) == 0 ? 0 : -1;
}

int peer_resize(const void *src, void *dst, int width, int height, int to_width, int to_height, int filter, const char *name, int pixel_bytes)
{
    typedef int (*type)(const void *, int, npp_size, npp_rect, void *, int, npp_size, npp_rect, int, npp_context);
    const type call = (type)npp("nppig", name);

    if (call == NULL)
        return -1;
    return call(src, width * pixel_bytes, { width, height }, { 0, 0, width, height }, dst, to_width * pixel_bytes,
                { to_width, to_height }, { 0, 0, to_width, to_height }, filter, context) == 0 ? 0 : -1;
}

int peer_median(const void *src, void *dst, int step, int width, int height, int side)
{
    typedef int (*size_type)(npp_size, npp_size, unsigned *, npp_context);
    typedef int (*type)(const void *, int, void *, int, npp_size, npp_size, npp_point, void *, npp_context);
    static const size_type size_of = (size_type)npp("nppif", "nppiFilterMedianGetBufferSize_8u_C1R_Ctx");
    NPP("nppif", "nppiFilterMedian_8u_C1R_Ctx", type);
    const int r = side / 2;
    const npp_size inside = { width - 2 * r, height - 2 * r };
    unsigned bytes = 0;

    if (size_of == NULL || size_of(inside, { side, side }, &bytes, context) != 0)
        return -1;
    return call((const char *)src + r * step + r, step, (char *)dst + r * step + r, step, inside, { side, side }, { r, r },
                room(bytes), context) == 0 ? 0 : -1;
}

int peer_rank(const void *src, void *dst, int step, int width, int height, int side, const char *name)
{
    typedef int (*type)(const void *, int, void *, int, npp_size, npp_size, npp_point, npp_context);
    const type call = (type)npp("nppif", name);
    const int r = side / 2;

    if (call == NULL)
        return -1;
    return call((const char *)src + r * step + r, step, (char *)dst + r * step + r, step,
                { width - 2 * r, height - 2 * r }, { side, side }, { r, r }, context) == 0 ? 0 : -1;
}

int peer_dilate3(const void *src, void *dst, int step, int width, int height)
{
    typedef int (*type)(const void *, int, void *, int, npp_size, npp_context);
    NPP("nppim", "nppiDilate3x3_8u_C1R_Ctx", type);
    return call((const char *)src + step + 1, step, (char *)dst + step + 1, step, { width - 2, height - 2 }, context) == 0 ? 0 : -1;
}

int peer_mirror(const void *src, void *dst, int step, int width, int height, int axis)
{
    typedef int (*type)(const void *, int, void *, int, npp_size, int, npp_context);
    NPP("nppig", "nppiMirror_8u_C1R_Ctx", type);
    return call(src, step, dst, step, { width, height }, axis, context) == 0 ? 0 : -1;
}

int peer_transpose(const void *src, void *dst, int step, int width, int height)
{
    typedef int (*type)(const void *, int, void *, int, npp_size, npp_context);
    NPP("nppidei", "nppiTranspose_8u_C1R_Ctx", type);
    return call(src, step, dst, height, { width, height }, context) == 0 ? 0 : -1;
}

int peer_border(const void *src, int side, void *dst, int to_side, int border, const char *name, int value)
{
    typedef int (*plain)(const void *, int, npp_size, void *, int, npp_size, int, int, npp_context);
    typedef int (*filled)(const void *, int, npp_size, void *, int, npp_size, int, int, unsigned char, npp_context);
    void *const call = npp("nppidei", name);
    const npp_size from = { side, side }, to = { to_side, to_side };

    if (call == NULL)
        return -1;
    return (value ? ((filled)call)(src, side, from, dst, to_side, to, border, border, 0, context)
                  : ((plain)call)(src, side, from, dst, to_side, to, border, border, context)) == 0 ? 0 : -1;
}

int peer_integral(const void *src, void *dst, int width, int height)
{
    typedef int (*type)(const void *, int, void *, int, npp_size, int, npp_context);
    NPP("nppist", "nppiIntegral_8u32s_C1R_Ctx", type);
    return call(src, width, dst, (width + 1 + 127) / 128 * 128 * 4, { width, height }, 0, context) == 0 ? 0 : -1;
}

int peer_npp_histogram(const void *src, int width, int height, void *counts)
{
    typedef int (*type)(const void *, int, npp_size, void *, int, int, int, void *, npp_context);
    NPP("nppist", "nppiHistogramEven_8u_C1R_Ctx", type);
    return call(src, width, { width, height }, counts, 257, 0, 256, room(64 << 20), context) == 0 ? 0 : -1;
}

template <class F>
static int with_room(F f)
{
    size_t bytes = 0;

    if (f((void *)NULL, bytes) != cudaSuccess)
        return -1;
    void *memory = room(bytes);
    return f(memory, bytes) == cudaSuccess ? 0 : -1;
}

int peer_cub_histogram_u8(const void *src, int64_t count, void *counts)
{
    return with_room([=](void *m, size_t &b) {
        return cub::DeviceHistogram::HistogramEven(m, b, (const uint8_t *)src, (int *)counts, 257, 0, 256, (int)count, context.stream);
    });
}

int peer_cub_histogram_u16(const void *src, int64_t count, void *counts)
{
    return with_room([=](void *m, size_t &b) {
        return cub::DeviceHistogram::HistogramEven(m, b, (const uint16_t *)src, (int *)counts, 65537, 0, 65536, (int)count, context.stream);
    });
}

int peer_cub_scan(const void *src, void *dst, int64_t count)
{
    return with_room([=](void *m, size_t &b) {
        return cub::DeviceScan::InclusiveSum(m, b, (const uint64_t *)src, (uint64_t *)dst, count, context.stream);
    });
}

int peer_cub_sum(const void *src, void *dst, int64_t count)
{
    return with_room([=](void *m, size_t &b) {
        return cub::DeviceReduce::Sum(m, b, (const float *)src, (float *)dst, count, context.stream);
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

int peer_cub_records(const void *src, void *dst, int64_t count)
{
    auto in = thrust::make_transform_iterator((const float *)src, to_record());
    const gf_reduced none = { INFINITY, -INFINITY, 0, 0, 0, 0, 0 };

    return with_room([=](void *m, size_t &b) {
        return cub::DeviceReduce::Reduce(m, b, in, (gf_reduced *)dst, count, join_records(), none, context.stream);
    });
}
