/*
 * The first lesson. An image of three bytes a pixel becomes gray, with one thread, one block, many
 * blocks, and a grid of two dimensions; and with the copies between the host and the GPU.
 */
#include "kernels/lessons/host/first.h"
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#include <math.h>

#define WHAT "first lesson"
#define THREADS 256
#define WIDTH GF_LESSON_FIRST_WIDTH
#define HEIGHT GF_LESSON_FIRST_HEIGHT
#define MOST_FOR_ONE_THREAD (1 << 20)    /* samples; more would take seconds */
#define MOST_COPIES 4096

/* ---- kernels ---- */

/* The loop of plain C, in a thread of the GPU. */
__global__ void by_one_thread(const unsigned char *rgb, unsigned char *gray, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        gray[i] = gf_lesson_first_gray(rgb + 3 * i);
}

__global__ void by_one_block(const unsigned char *rgb, unsigned char *gray, int64_t count)
{
    for (int64_t i = threadIdx.x; i < count; i += blockDim.x)
        gray[i] = gf_lesson_first_gray(rgb + 3 * i);
}

/* A thread for each pixel. The grid may have up to blockDim.x - 1 threads too many. */
__global__ void by_many_blocks(const unsigned char *rgb, unsigned char *gray, int64_t count)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        gray[i] = gf_lesson_first_gray(rgb + 3 * i);
}

/* Right with any number of blocks and threads. */
__global__ void by_stride(const unsigned char *rgb, unsigned char *gray, int64_t count)
{
    const int64_t threads = (int64_t)gridDim.x * blockDim.x;

    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads)
        gray[i] = gf_lesson_first_gray(rgb + 3 * i);
}

/* The last row of the image may be incomplete. */
__global__ void by_rows_and_columns(const unsigned char *rgb, unsigned char *gray, int width, int64_t count)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int64_t y = (int64_t)blockIdx.y * blockDim.y + threadIdx.y, i = y * width + x;

    if (x < width && i < count)
        gray[i] = gf_lesson_first_gray(rgb + 3 * i);
}

/* The rows are those of slices, each of which follows the one before in memory. The last may be incomplete. */
__global__ void by_slices(const unsigned char *rgb, unsigned char *gray, int width, int height, int64_t count)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int64_t z = (int64_t)blockIdx.z * blockDim.z + threadIdx.z, i = (z * height + y) * width + x;

    if (x < width && y < height && i < count)
        gray[i] = gf_lesson_first_gray(rgb + 3 * i);
}

/* ---- launches ---- */

typedef void graying(const unsigned char *rgb, unsigned char *gray, int64_t count);

static int launch(graying *kernel, unsigned blocks, unsigned threads, struct gf_lesson_io *io, struct gf_error *err)
{
    kernel<<<blocks, threads, 0, (cudaStream_t)io->stream>>>((const unsigned char *)io->src, (unsigned char *)io->dst,
                                                             io->count);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_first_thread(struct gf_lesson_io *io, struct gf_error *err)
{
    if (io->count > MOST_FOR_ONE_THREAD) {
        *io->seconds = NAN;
        return 0;
    }
    return launch(by_one_thread, 1, 1, io, err);
}

extern "C" int gf_lesson_first_block(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(by_one_block, 1, THREADS, io, err);
}

extern "C" int gf_lesson_first_blocks(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(by_many_blocks, (unsigned)((io->count + THREADS - 1) / THREADS), THREADS, io, err);
}

extern "C" int gf_lesson_first_stride(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(by_stride, gf_lesson_blocks(io->count, THREADS), THREADS, io, err);
}

static int launch_image(dim3 block, struct gf_lesson_io *io, struct gf_error *err)
{
    const int64_t height = gf_ceil_div(io->count, WIDTH);
    const dim3 grid((unsigned)gf_ceil_div(WIDTH, block.x), (unsigned)gf_ceil_div(height, block.y));

    by_rows_and_columns<<<grid, block, 0, (cudaStream_t)io->stream>>>((const unsigned char *)io->src,
                                                                      (unsigned char *)io->dst, WIDTH, io->count);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_first_square(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch_image(dim3(16, 16), io, err);
}

extern "C" int gf_lesson_first_wide(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch_image(dim3(32, 8), io, err);
}

extern "C" int gf_lesson_first_slices(struct gf_lesson_io *io, struct gf_error *err)
{
    const dim3 block(32, 4, 2);
    const int64_t slices = gf_ceil_div(io->count, WIDTH * HEIGHT);
    const dim3 grid(gf_ceil_div(WIDTH, block.x), gf_ceil_div(HEIGHT, block.y),
                    (unsigned)gf_ceil_div(slices, block.z));

    by_slices<<<grid, block, 0, (cudaStream_t)io->stream>>>((const unsigned char *)io->src, (unsigned char *)io->dst,
                                                            WIDTH, HEIGHT, io->count);
    return gf_cuda_launched(WHAT, err);
}

/* ---- copies ---- */

/* Copies `each` pixels with a call. */
static int with_copies(int64_t each, struct gf_lesson_io *io, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)io->stream;
    char *const from = (char *)io->host_src, *const to = (char *)io->host_dst;

    for (int64_t i = 0; i < io->count; i += each)
        if (gf_cuda_check(cudaMemcpyAsync((char *)io->src + 3 * i, from + 3 * i, 3 * each, cudaMemcpyHostToDevice,
                                          stream), WHAT, err) != 0)
            return -1;
    if (gf_lesson_first_blocks(io, err) != 0)
        return -1;
    for (int64_t i = 0; i < io->count; i += each)
        if (gf_cuda_check(cudaMemcpyAsync(to + i, (char *)io->dst + i, each, cudaMemcpyDeviceToHost, stream), WHAT,
                          err) != 0)
            return -1;
    return 0;
}

extern "C" int gf_lesson_first_copies(struct gf_lesson_io *io, struct gf_error *err)
{
    if (io->count > MOST_COPIES) {
        *io->seconds = NAN;
        return 0;
    }
    return with_copies(1, io, err);
}

extern "C" int gf_lesson_first_copy(struct gf_lesson_io *io, struct gf_error *err)
{
    return with_copies(io->count, io, err);
}

/* A small program, as the first in a textbook. cudaMemcpy() waits for the kernel before it. */
extern "C" int gf_lesson_first_whole(struct gf_lesson_io *io, struct gf_error *err)
{
    unsigned char *rgb = NULL, *gray = NULL;
    int result = -1;

    if (gf_cuda_check(cudaMalloc(&rgb, 3 * io->count), WHAT, err) == 0
        && gf_cuda_check(cudaMalloc(&gray, io->count), WHAT, err) == 0
        && gf_cuda_check(cudaMemcpy(rgb, io->pageable_src, 3 * io->count, cudaMemcpyHostToDevice), WHAT, err) == 0) {
        by_many_blocks<<<(unsigned)((io->count + THREADS - 1) / THREADS), THREADS>>>(rgb, gray, io->count);
        if (gf_cuda_launched(WHAT, err) == 0)
            result = gf_cuda_check(cudaMemcpy(io->pageable_dst, gray, io->count, cudaMemcpyDeviceToHost), WHAT, err);
    }
    cudaFree(gray);
    cudaFree(rgb);
    return result;
}
