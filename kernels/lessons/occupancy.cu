/*
 * The lesson on occupancy: how many threads a multiprocessor runs at once, what limits them, and
 * what they have to do with speed. All kernels add 1 to each sample; they wait for memory.
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#include <math.h>
#include <stdio.h>

#define WHAT "lesson of occupancy"
#define WARP 32
#define FEW_REGISTERS 32

#if CUDART_VERSION >= 12040
#define AT_MOST_REGISTERS __maxnreg__(FEW_REGISTERS)
#else
#define AT_MOST_REGISTERS __launch_bounds__(1024, 65536 / FEW_REGISTERS / 1024)
#endif

/*
 * Each thread starts LOADS loads, and then stores the results. src and dst could be the same
 * memory, as far as the compiler knows, so it keeps this order, and a register for each value.
 */
template <int LOADS>
__device__ void add_one(const unsigned *src, unsigned *dst, int64_t count)
{
    const int64_t threads = (int64_t)gridDim.x * blockDim.x, me = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int64_t group = WARP * LOADS, whole = count / group * group;       /* samples of a warp; of all warps */

#pragma unroll 1
    for (int64_t first = me / WARP * group + me % WARP; first < whole; first += threads * LOADS) {
        unsigned v[LOADS];

        for (int k = 0; k < LOADS; k++)
            v[k] = src[first + k * WARP];
        for (int k = 0; k < LOADS; k++)
            dst[first + k * WARP] = v[k] + 1;
    }
    for (int64_t i = whole + me; i < count; i += threads)
        dst[i] = src[i] + 1;
}

template <int LOADS>
__global__ void with_loads(const unsigned *src, unsigned *dst, int64_t count)
{
    add_one<LOADS>(src, dst, count);
}

/* The values do not fit into the registers, so some are stored in memory and loaded again. */
__global__ void AT_MOST_REGISTERS with_few_registers(const unsigned *src, unsigned *dst, int64_t count)
{
    add_one<64>(src, dst, count);
}

typedef void adding(const unsigned *src, unsigned *dst, int64_t count);

static const struct {
    const char *name;
    adding *kernel;
    int loads;
    bool quarter;                        /* a block asks for a quarter of the shared memory, so at most four fit */
} ways[] = {
    { "one load at a time", with_loads<1>, 1, false },
    { "one load, four blocks", with_loads<1>, 1, true },
    { "eight loads at a time", with_loads<8>, 8, false },
    { "eight loads, four blocks", with_loads<8>, 8, true },
    { "64 loads at a time", with_loads<64>, 64, false },
    { "64 loads, 32 registers", with_few_registers, 64, false },
};
enum { WAYS = sizeof ways / sizeof *ways };

static int attribute(enum cudaDeviceAttr which)
{
    int device = 0, value = 0;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&value, which, device);
    return value;
}

/* Returns the bytes that a block asks for. Some are reserved for each block by the system. */
static size_t shared_bytes(int way)
{
    const int quarter = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / 4;

    return ways[way].quarter ? quarter - attribute(cudaDevAttrReservedSharedMemoryPerBlock) : 0;
}

/* Returns how many blocks run at once in a multiprocessor, as CUDA calculates it; 0: a block cannot run. */
static int blocks_that_fit(int way, int threads, size_t bytes)
{
    int fit = 0;

    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, ways[way].kernel, threads, bytes) != cudaSuccess) {
        cudaGetLastError();                                  /* a block that is too large is no error here */
        return 0;
    }
    return fit;
}

static int run(int way, struct gf_lesson_io *io, struct gf_error *err)
{
    const int threads = io->value, fit = blocks_that_fit(way, threads, shared_bytes(way));
    const int64_t blocks = gf_ceil_div(io->count, (int64_t)threads * ways[way].loads);

    if (fit == 0) {
        *io->seconds = NAN;
        return 0;
    }
    ways[way].kernel<<<gf_cuda_grid_size(blocks, (int64_t)fit * attribute(cudaDevAttrMultiProcessorCount)), threads,
                       shared_bytes(way),
                       (cudaStream_t)io->stream>>>((const unsigned *)io->src, (unsigned *)io->dst, io->count);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_occupancy_open(struct gf_lesson_io *io, struct gf_error *err)
{
    (void)io;
    return gf_cuda_allow_shared_memory((const void *)with_loads<1>, err) != 0
        || gf_cuda_allow_shared_memory((const void *)with_loads<8>, err) != 0 ? -1 : 0;
}

#define STEP(name, way) \
    extern "C" int gf_lesson_occupancy_##name(struct gf_lesson_io *io, struct gf_error *err) \
    { \
        return run(way, io, err); \
    }
STEP(one, 0)
STEP(one_quarter, 1)
STEP(eight, 2)
STEP(eight_quarter, 3)
STEP(many, 4)
STEP(many_capped, 5)

/* ---- what it says ---- */

/* Returns what limits the number of blocks. */
static const char *limit(int way, int threads, int fit)
{
    if (fit == 0)
        return "a block needs too many registers";
    if (blocks_that_fit(way, threads, 0) > fit)
        return "shared memory";
    if (fit == attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / threads)
        return "threads";
    return fit == attribute(cudaDevAttrMaxBlocksPerMultiprocessor) ? "blocks" : "registers";
}

static int tell_way(int way, const struct gf_lesson_report *report, struct gf_error *err)
{
    const int most = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    struct cudaFuncAttributes code;
    int n = 0, grid = 0, best = 0;
    char text[300];

    if (gf_cuda_check(cudaFuncGetAttributes(&code, ways[way].kernel), WHAT, err) != 0
        || gf_cuda_check(cudaOccupancyMaxPotentialBlockSize(&grid, &best, ways[way].kernel, shared_bytes(way)), WHAT,
                         err) != 0)
        return -1;
    for (int i = 0, threads = 32; threads <= 1024; i++, threads *= 2) {
        const int fit = blocks_that_fit(way, threads, shared_bytes(way));

        n += snprintf(text + n, sizeof text - n, "%s%d: %d%% (%s)", i == 0 ? "" : ", ", threads,
                      100 * fit * threads / most, limit(way, threads, fit));
    }
    gf_lesson_say(report, "'%s' has %d registers per thread%s. Calculated occupancy (threads that run, of those that "
                  "could) for each block size, and its limit: %s. cudaOccupancyMaxPotentialBlockSize() proposes %d",
                  ways[way].name, code.numRegs, code.localSizeBytes > 0 ? " and spills the rest to memory" : "", text,
                  best);
    return 0;
}

/* One load at a time, in four blocks of 32 threads, shows how long a load takes. */
static void tell_latency(const struct gf_lesson_io *io)
{
    const double processors = attribute(cudaDevAttrMultiProcessorCount);
    const double took = io->report->seconds(io->report->context, 1, 0);
    const double turns = (double)io->count / (processors * 32 * blocks_that_fit(1, 32, shared_bytes(1)));
    const double clock = attribute(cudaDevAttrMemoryClockRate) * 1e3;        /* it transfers twice in each clock */
    const double bytes = 2 * clock * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
    const double needed = bytes / 2 * (took / turns) / processors;

    if (!isnan(took) && bytes > 0)
        gf_lesson_say(io->report, "with four blocks of 32 threads, each thread loads and stores %.0f times in %.0f us, "
                      "so one turn takes %.0f ns. To read at half of %.3g TB/s (writes are the other half), %.1f KB "
                      "must be on their way in each multiprocessor: at least %.0f threads with a load of 4 bytes each, "
                      "or an eighth with eight. In practice more: the latency is that of an idle memory, and grows",
                      turns, took * 1e6, took / turns * 1e9, bytes * 1e-12, needed / 1024, needed / 4);
}

extern "C" int gf_lesson_occupancy_tell(struct gf_lesson_io *io, struct gf_error *err)
{
    for (int way = 0; way < WAYS; way++)
        if (tell_way(way, io->report, err) != 0)
            return -1;
    tell_latency(io);
    return 0;
}
