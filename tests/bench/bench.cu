/*
 * Times every operation on a GPU beside its peers: bench [NAME]. The median of REPEATS
 * calls by events, warm, over input sets that together are larger than the second cache.
 */
#include <algorithm>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#include "bench.h"
extern "C" {
#include "kernels/statistics/scan.h"
}

#define REPEATS 25
#define MASKS 20000

struct gf_work bench_work;
cudaStream_t bench_stream;
char *bench_in[SETS], *bench_out[SETS];
void *bench_counts, *bench_state;
float *bench_masks, bench_tables[1 << 20];

static struct gf_device gpu;
static float masks[MASKS];
static double copy_rate;
static const char *only;

void bench_must(int result, const struct gf_error *err)
{
    if (result == 0)
        return;
    fprintf(stderr, "bench: %s\n", err->text);
    exit(1);
}

/* ---- calls ---- */

struct gf_block bench_image(void *data, const struct bench_shape &s)
{
    struct gf_block b;

    memset(&b, 0, sizeof b);
    b.data = data;
    b.span.end = s.rows;
    b.width = s.width;
    b.pitch_samples = s.width * (s.planar ? 1 : s.channels);
    b.plane_samples = s.planar ? s.width * s.rows : 0;
    b.channels = s.channels;
    b.planar = s.planar;
    b.type = s.planar ? GF_F32 : s.type;
    b.bits = 8 * (int)gf_type_bytes(s.type);
    b.maxval = s.type == GF_U16 ? 65535 : s.type == GF_U8 ? 255 : 1;
    return b;
}

int bench_op(const struct gf_operation *op, const struct gf_block &src, const struct gf_block &dst, const void *params,
             const struct gf_point *load, const struct gf_block *beside)
{
    struct gf_io io;
    struct gf_error err;

    memset(&io, 0, sizeof io);
    io.src = src;
    io.dst = dst;
    io.load = load;
    io.src_units = src.span.end;
    if (beside != NULL) {
        io.beside = *beside;
        io.beside_units = beside->span.end;
    }
    bench_must(op->cuda.body(&bench_work, &io, params, &err), &err);
    return 0;
}

struct gf_point bench_program(enum gf_point_kind kind, int channels)
{
    struct gf_point_step s = {};
    struct gf_point p;

    s.kind = kind, s.channels = channels, s.outs = channels, s.a = 0.7f;
    gf_point_init(&p, channels);
    if (gf_point_add(&p, &s) != 0)
        exit(1);
    return p;
}

static double bytes_of(const struct bench_shape &s)
{
    return (s.planar ? 4.0 : (double)gf_type_bytes(s.type)) * s.channels * (double)s.width * (double)s.rows;
}

static std::string size_of(const struct bench_shape &s)
{
    return s.width == 1 ? std::to_string(s.rows >> 20) + "M frames" : std::to_string(s.width) + "x" + std::to_string(s.rows);
}

struct bench_run bench_ours(const struct gf_operation *op, const struct bench_shape &from, const struct bench_shape &to, const void *params,
                            const struct gf_point *load, const struct bench_shape *beside)
{
    const bool resized = from.width != to.width && from.width != to.rows;
    const struct bench_shape other = beside != NULL ? *beside : from;
    const bool two = beside != NULL;

    return { [=](int s) {
                 const struct gf_block second = bench_image(bench_in[(s + 1) % SETS], other);

                 return bench_op(op, bench_image(bench_in[s], from), bench_image(bench_out[s], to), params, load, two ? &second : NULL);
             },
             size_of(from) + (resized ? " to " + size_of(to) : ""), bytes_of(from) + bytes_of(to) + (two ? bytes_of(other) : 0) };
}

/* ---- rows ---- */

/* Median seconds of a call on each set in turn; less than 0 where there is no such call. */
static double timed(const bench_call &call)
{
    std::vector<float> times;
    cudaEvent_t start, end;

    cudaEventCreate(&start), cudaEventCreate(&end);
    for (int i = 0; i < REPEATS + 5; i++) {
        float ms = 0;

        cudaEventRecord(start, bench_stream);
        if (call(i % SETS) != 0)
            return -1;
        cudaEventRecord(end, bench_stream);
        if (cudaEventSynchronize(end) != cudaSuccess) {
            fprintf(stderr, "bench: %s\n", cudaGetErrorString(cudaGetLastError()));
            exit(1);
        }
        cudaEventElapsedTime(&ms, start, end);
        if (i >= 5)
            times.push_back(ms);
    }
    cudaEventDestroy(start), cudaEventDestroy(end);
    std::sort(times.begin(), times.end());
    return times[times.size() / 2] * 1e-3;
}

void bench_row(const char *name, const struct bench_run &ours, const char *peer_name, const bench_call &peer)
{
    char best[40] = "-", ratio[40] = "-";
    double a, b;

    if (only != NULL && strstr(name, only) == NULL)
        return;
    a = timed(ours.call);
    b = peer_name ? timed(peer) : -1;
    if (b > 0) {
        snprintf(best, sizeof best, "%.1f", b * 1e6);
        snprintf(ratio, sizeof ratio, "%.2f", b / a);
    }
    printf("| %s | %s | %.1f | %.1f | %.0f | %.0f %% | %s | %s | %s |\n", name, ours.size.c_str(), a * 1e6, ours.bytes * 1e-6,
           ours.bytes / a * 1e-9, 100 * ours.bytes / a / copy_rate, peer_name ? peer_name : "-", best, ratio);
    fflush(stdout);
}

/* ---- the GPU and what is on it ---- */

__global__ void noise(float *to, size_t count, unsigned seed, bool bytes)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x) {
        unsigned h = (unsigned)i * 2654435761u + seed;
        h ^= h >> 16, h *= 0x85ebca6bu, h ^= h >> 13, h *= 0xc2b2ae35u, h ^= h >> 16;
        if (bytes)
            ((unsigned *)to)[i] = h;
        else
            to[i] = (float)(h >> 8) * (1.0f / 16777216);
    }
}

/* Bytes for operations on integers, floats in [0, 1) for those on floats, or one value everywhere. */
static void fill(int how)
{
    for (int s = 0; s < SETS; s++) {
        if (how < 2)
            noise<<<1024, 256, 0, bench_stream>>>((float *)bench_in[s], SET_BYTES / 4, 77u + (unsigned)s, how == 0);
        else
            cudaMemsetAsync(bench_in[s], 0x3E, SET_BYTES, bench_stream);
    }
    cudaStreamSynchronize(bench_stream);
}

static void set_pools(int64_t tables)
{
    const struct gf_pools pools = { masks, bench_tables, MASKS, tables };
    struct gf_error err;

    bench_must(gpu.kind->set_pools(&gpu, &pools, &err), &err);
    bench_work = gpu.kind->work(&gpu);
    bench_work.carry = bench_counts;
    bench_masks = (float *)bench_work.masks;
}

void bench_set_tables(void)
{
    set_pools(sizeof bench_tables / sizeof *bench_tables);
}

static void fill_masks(void)
{
    static const int sobel[18] = { -1, 0, 1, -2, 0, 2, -1, 0, 1, -1, -2, -1, 0, 0, 0, 1, 2, 1 };

    for (int i = 0; i < MASKS; i++)
        masks[i] = 1.0f / 225;
    for (int i = 0; i < 5; i++)
        masks[MEAN_AT + i] = 1.0f / 5;
    for (int i = 0; i < 18; i++)
        masks[SOBEL_AT + i] = (float)sobel[i];
    for (int i = 0; i < 8; i++)
        masks[NEAR_AT + i] = -0.25f * (float)(i * i);
}

static void start(void)
{
    struct cudaDeviceProp p;
    struct gf_error err;

    gpu.kind = &gf_device_cuda;
    bench_must(gpu.kind->open(&gpu, 0, &err), &err);
    fill_masks();
    bench_must(gpu.kind->alloc(&gpu, 4 << 20, &bench_counts, &err), &err);
    bench_must(gpu.kind->alloc(&gpu, gf_scan_state_bytes((int64_t)SIDE * SIDE), &bench_state, &err), &err);
    for (int s = 0; s < SETS; s++) {
        bench_must(gpu.kind->alloc(&gpu, SET_BYTES, (void **)&bench_in[s], &err), &err);
        bench_must(gpu.kind->alloc(&gpu, SET_BYTES, (void **)&bench_out[s], &err), &err);
    }
    set_pools(0);
    bench_stream = (cudaStream_t)bench_work.stream;
    cudaMemsetAsync(bench_counts, 0, 4 << 20, bench_stream);
    peer_open(bench_stream);
    fill(0);
    copy_rate = 2.0 * SET_BYTES / timed([](int s) {
        return cudaMemcpyAsync(bench_out[s], bench_in[s], SET_BYTES, cudaMemcpyDeviceToDevice, bench_stream) == cudaSuccess ? 0 : -1;
    });
    cudaGetDeviceProperties(&p, 0);
    printf("%s, CUDA %d.%d, %s. Copy from device to device: %.0f GB/s, read and written.\n\n", p.name, CUDART_VERSION / 1000,
           CUDART_VERSION % 1000 / 10, peer_versions(), copy_rate * 1e-9);
    printf("| operation | size | µs | MB at least | GB/s | of copy | peer | its µs | peer / ours |\n"
           "|---|---|---|---|---|---|---|---|---|\n");
}

int main(int argc, char **argv)
{
    only = argc > 1 ? argv[1] : NULL;
    start();
    bench_points();
    bench_blends();
    bench_convolutions();
    bench_neighbours();
    bench_edges();
    bench_geometry();
    bench_ranks();
    bench_histograms("noise");
    bench_borders();
    bench_sums();
    bench_sizes();
    fill(2);
    bench_histograms("flat");
    fill(1);
    bench_floats();
    gpu.kind->close(&gpu);
    return 0;
}
