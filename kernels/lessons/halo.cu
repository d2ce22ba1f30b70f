/*
 * The lesson on convolution in two dimensions. A block needs the samples of its tile, and those
 * around it: the halo, or ghost cells.
 */
#include "kernels/lessons/halo.h"
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#define WHAT "lesson of convolution"
#define HALO GF_LESSON_HALO
#define SIDE GF_LESSON_HALO_SIDE
#define WIDTH GF_LESSON_HALO_WIDTH
#define ACROSS 32                        /* threads of a block in x … */
#define DOWN 32                          /* … and in y */
#define EACH 4                           /* results of a thread, if it has several */

static __device__ float weights_in_memory[SIDE] = GF_LESSON_HALO_ROW;
static __constant__ float weights[SIDE] = GF_LESSON_HALO_ROW;

/* ---- from memory ---- */

template <bool CONSTANT>
__global__ void __launch_bounds__(ACROSS * DOWN) plain(const float *src, float *dst, int64_t count)
{
    const int x = blockIdx.x * ACROSS + threadIdx.x;
    const int64_t y = (int64_t)blockIdx.y * DOWN + threadIdx.y, i = y * WIDTH + x;
    const float *const w = CONSTANT ? weights : weights_in_memory;
    float sum = 0;

    if (i >= count)
        return;
    for (int v = 0; v < SIDE; v++)
        for (int u = 0; u < SIDE; u++)
            sum += w[v] * w[u] * src[gf_lesson_halo_place(x + u - HALO, y + v - HALO, count)];
    dst[i] = sum;
}

/* ---- tiles ---- */

/* Returns the blurred value whose mask begins at s[y][x]. */
template <int ROW>
static __device__ __forceinline__ float blurred(const float s[][ROW], int x, int y)
{
    float sum = 0;

    for (int v = 0; v < SIDE; v++)
        for (int u = 0; u < SIDE; u++)
            sum += weights[v] * weights[u] * s[y + v][x + u];
    return sum;
}

/* A thread for each sample of the tile with its halo. Only the inner ones compute. */
__global__ void __launch_bounds__(ACROSS * DOWN) inner(const float *src, float *dst, int64_t count)
{
    __shared__ float s[DOWN][ACROSS];
    const int x = blockIdx.x * (ACROSS - 2 * HALO) + threadIdx.x - HALO;
    const int64_t y = (int64_t)blockIdx.y * (DOWN - 2 * HALO) + threadIdx.y - HALO;

    s[threadIdx.y][threadIdx.x] = src[gf_lesson_halo_place(x, y, count)];
    __syncthreads();
    if (threadIdx.x >= HALO && threadIdx.x < ACROSS - HALO && threadIdx.y >= HALO && threadIdx.y < DOWN - HALO
        && x < WIDTH && y * WIDTH + x < count)
        dst[y * WIDTH + x] = blurred(s, threadIdx.x - HALO, threadIdx.y - HALO);
}

/* Loads a tile with its halo; all threads of the block take turns. */
template <int ROWS>
static __device__ __forceinline__ void load_tile(float s[ROWS][ACROSS + 2 * HALO], const float *src, int64_t count,
                                                 int64_t first_row)
{
    const int row = ACROSS + 2 * HALO, threads = ACROSS * blockDim.y;

    for (int k = threadIdx.y * ACROSS + threadIdx.x; k < ROWS * row; k += threads)
        s[k / row][k % row] = src[gf_lesson_halo_place((int64_t)blockIdx.x * ACROSS + k % row - HALO,
                                                       first_row + k / row - HALO, count)];
    __syncthreads();
}

/* A thread for each result, or for EACH results below each other. */
template <int RESULTS>
__global__ void __launch_bounds__(ACROSS * DOWN / RESULTS) tiled(const float *src, float *dst, int64_t count)
{
    __shared__ float s[DOWN + 2 * HALO][ACROSS + 2 * HALO];
    const int x = blockIdx.x * ACROSS + threadIdx.x, top = threadIdx.y * RESULTS;
    const int64_t y = (int64_t)blockIdx.y * DOWN;
    float sum[RESULTS] = {};

    load_tile<DOWN + 2 * HALO>(s, src, count, y);
    for (int v = 0; v < RESULTS + SIDE - 1; v++)
        for (int u = 0; u < SIDE; u++) {
            const float value = s[top + v][threadIdx.x + u];

            for (int k = 0; k < RESULTS; k++)
                if (v - k >= 0 && v - k < SIDE)              /* known when the loops are unrolled */
                    sum[k] += weights[v - k] * weights[u] * value;
        }
    for (int k = 0; k < RESULTS; k++)
        if ((y + top + k) * WIDTH + x < count)
            dst[(y + top + k) * WIDTH + x] = sum[k];
}

/* Only the tile is in shared memory; ghost cells are loaded when they are needed. */
__global__ void __launch_bounds__(ACROSS * DOWN) cached(const float *src, float *dst, int64_t count)
{
    __shared__ float s[DOWN][ACROSS];
    const int x = blockIdx.x * ACROSS + threadIdx.x;
    const int64_t y = (int64_t)blockIdx.y * DOWN + threadIdx.y;
    float sum = 0;

    s[threadIdx.y][threadIdx.x] = src[gf_lesson_halo_place(x, y, count)];
    __syncthreads();
    if (y * WIDTH + x >= count)
        return;
    for (int v = 0; v < SIDE; v++)
        for (int u = 0; u < SIDE; u++) {
            const unsigned a = threadIdx.x + u - HALO, b = threadIdx.y + v - HALO;

            sum += weights[v] * weights[u]
                * (a < ACROSS && b < DOWN ? s[b][a] : src[gf_lesson_halo_place(x + u - HALO, y + v - HALO, count)]);
        }
    dst[y * WIDTH + x] = sum;
}

/* The mask is a product of a row and a column, so rows are blurred first, and then columns of the result. */
__global__ void __launch_bounds__(ACROSS * DOWN) separable(const float *src, float *dst, int64_t count)
{
    __shared__ float s[DOWN + 2 * HALO][ACROSS + 2 * HALO], rows[DOWN + 2 * HALO][ACROSS];
    const int x = blockIdx.x * ACROSS + threadIdx.x;
    const int64_t y = (int64_t)blockIdx.y * DOWN + threadIdx.y;
    float sum = 0;

    load_tile<DOWN + 2 * HALO>(s, src, count, (int64_t)blockIdx.y * DOWN);
    for (int v = threadIdx.y; v < DOWN + 2 * HALO; v += DOWN) {
        float row = 0;

        for (int u = 0; u < SIDE; u++)
            row += weights[u] * s[v][threadIdx.x + u];
        rows[v][threadIdx.x] = row;
    }
    __syncthreads();
    for (int v = 0; v < SIDE; v++)
        sum += weights[v] * rows[threadIdx.y + v][threadIdx.x];
    if (y * WIDTH + x < count)
        dst[y * WIDTH + x] = sum;
}

/* ---- launches ---- */

typedef void blurring(const float *src, float *dst, int64_t count);

/* Launches blocks whose threads compute `across` x `down` results. */
static int launch(blurring *kernel, int across, int down, dim3 block, struct gf_lesson_io *io, struct gf_error *err)
{
    const dim3 grid((unsigned)gf_ceil_div(WIDTH, across),
                    (unsigned)gf_ceil_div(gf_ceil_div(io->count, WIDTH), down));

    kernel<<<grid, block, 0, (cudaStream_t)io->stream>>>((const float *)io->src, (float *)io->dst, io->count);
    return gf_cuda_launched(WHAT, err);
}

#define STEP(name, kernel, across, down, results) \
    extern "C" int gf_lesson_halo_##name(struct gf_lesson_io *io, struct gf_error *err) \
    { \
        return launch(kernel, across, down, dim3(ACROSS, DOWN / (results)), io, err); \
    }
STEP(plain, plain<false>, ACROSS, DOWN, 1)
STEP(constant, plain<true>, ACROSS, DOWN, 1)
STEP(inner, inner, ACROSS - 2 * HALO, DOWN - 2 * HALO, 1)
STEP(tiled, tiled<1>, ACROSS, DOWN, 1)
STEP(cached, cached, ACROSS, DOWN, 1)
STEP(separable, separable, ACROSS, DOWN, 1)
STEP(several, tiled<EACH>, ACROSS, DOWN, EACH)
