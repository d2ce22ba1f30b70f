/*
 * The lesson on transposes: threads read rows and write columns, or go through a tile in shared
 * memory, whose columns lie in one bank or, with padding or swizzling, in 32.
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"
#include "kernels/lessons/transpose.h"

#define TILE 32
#define HEIGHT 8                         /* rows of threads; each thread moves TILE / HEIGHT samples */
#define WHAT "lesson of transposes"

struct image {
    const float *src;
    float *dst;
    int64_t width, rows;                 /* of the source */
};

/* A warp reads 32 neighbors of a row, and writes them to 32 rows of the result. */
__global__ void __launch_bounds__(TILE *HEIGHT) rows_to_columns(struct image image)
{
    const int64_t x = (int64_t)blockIdx.x * TILE + threadIdx.x;
    const int64_t top = (int64_t)blockIdx.y * TILE;

    for (int64_t y = top + threadIdx.y; y < top + TILE; y += HEIGHT)
        if (x < image.width && y < image.rows)
            image.dst[x * image.rows + y] = image.src[y * image.width + x];
}

/* A warp reads from 32 rows, and writes 32 neighbors of a row. */
__global__ void __launch_bounds__(TILE *HEIGHT) columns_to_rows(struct image image)
{
    const int64_t y = (int64_t)blockIdx.y * TILE + threadIdx.x;
    const int64_t left = (int64_t)blockIdx.x * TILE;

    for (int64_t x = left + threadIdx.y; x < left + TILE; x += HEIGHT)
        if (x < image.width && y < image.rows)
            image.dst[x * image.rows + y] = image.src[y * image.width + x];
}

/* Returns the column of the tile where float x of row y is. */
template <bool SWIZZLED>
static __device__ __forceinline__ int place(int x, int y)
{
    return SWIZZLED ? x ^ y : x;
}

/* A warp reads and writes 32 neighbors; the tile turns in shared memory. */
template <int PITCH, bool SWIZZLED>
__global__ void __launch_bounds__(TILE *HEIGHT) through_tile(struct image image)
{
    __shared__ float tile[TILE][PITCH];
    const int64_t left = (int64_t)blockIdx.x * TILE, top = (int64_t)blockIdx.y * TILE;

    for (int y = threadIdx.y; y < TILE; y += HEIGHT)
        if (left + threadIdx.x < image.width && top + y < image.rows)
            tile[y][place<SWIZZLED>(threadIdx.x, y)] = image.src[(top + y) * image.width + left + threadIdx.x];
    __syncthreads();
    for (int x = threadIdx.y; x < TILE; x += HEIGHT)
        if (left + x < image.width && top + threadIdx.x < image.rows)
            image.dst[(left + x) * image.rows + top + threadIdx.x] = tile[threadIdx.x][place<SWIZZLED>(x, threadIdx.x)];
}

typedef void transposing(struct image image);

static int launch(transposing *kernel, struct gf_lesson_io *io, struct gf_error *err)
{
    const int64_t width = gf_lesson_transpose_width(io->count), rows = io->count / width;
    const dim3 grid((unsigned)gf_ceil_div(width, TILE), (unsigned)gf_ceil_div(rows, TILE));
    const struct image image = { (const float *)io->src, (float *)io->dst, width, rows };

    kernel<<<grid, dim3(TILE, HEIGHT), 0, (cudaStream_t)io->stream>>>(image);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_transpose_writes(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(rows_to_columns, io, err);
}

extern "C" int gf_lesson_transpose_reads(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(columns_to_rows, io, err);
}

extern "C" int gf_lesson_transpose_tile(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(through_tile<TILE, false>, io, err);
}

extern "C" int gf_lesson_transpose_padded(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(through_tile<TILE + 1, false>, io, err);
}

extern "C" int gf_lesson_transpose_swizzled(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(through_tile<TILE, true>, io, err);
}
