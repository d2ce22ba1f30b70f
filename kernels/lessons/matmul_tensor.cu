/*
 * The lesson on products of matrices, on tensor cores: a warp multiplies pieces of 16 x 16 values
 * with one instruction. The values are bfloat16, which keeps 8 bits of each; sums are floats.
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/matmul.h"
#include "kernels/lessons/steps.h"

#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#include <math.h>
#include <mma.h>

#define WHAT "lesson of tensor cores"
#define TILE GF_LESSON_MATMUL_TILE
#define DEPTH 32                         /* columns of the first matrix that are in shared memory at a time */
#define GAP 8                            /* unused values after each row, so that rows begin in different banks */
#define PIECE 16                         /* rows and columns of a piece */
#define WARPS 8                          /* of a block: 2 below each other and 4 side by side */
#define DOWN 4                           /* pieces of a warp, … */
#define ACROSS 2                         /* … so it computes 64 x 32 values */
#define EACH 8                           /* values of 16 bytes, which a thread copies at once */

typedef __nv_bfloat16 number;

/* Shared memory of a block. There are two tiles of each matrix: one may be loaded while the other is used. */
struct tiles {
    number a[2][TILE][DEPTH + GAP], b[2][DEPTH][TILE + GAP];
    float edge[WARPS][PIECE][PIECE];     /* pieces of which a part lies outside of the result */
};

/* Begins to copy a tile of each matrix. The copies need no registers, and no thread waits for them here. */
__device__ void begin_loading(struct tiles *t, int half, const number *a, const number *b, int first, int side)
{
    for (int i = threadIdx.x; i < TILE * DEPTH / EACH; i += WARPS * 32) {
        const int a_row = i / (DEPTH / EACH), a_column = i % (DEPTH / EACH) * EACH;
        const int b_row = i / (TILE / EACH), b_column = i % (TILE / EACH) * EACH;

        __pipeline_memcpy_async(&t->a[half][a_row][a_column],
                                a + (blockIdx.y * TILE + a_row) * side + first + a_column, EACH * sizeof(number));
        __pipeline_memcpy_async(&t->b[half][b_row][b_column],
                                b + (first + b_row) * side + blockIdx.x * TILE + b_column, EACH * sizeof(number));
    }
    __pipeline_commit();
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800          /* older GPUs have no bfloat16 */
using namespace nvcuda;

typedef wmma::fragment<wmma::accumulator, PIECE, PIECE, PIECE, float> sums;

/* Stores a piece of the result. A piece at the edge goes through shared memory, because only a part of it is stored. */
__device__ void store(float *c, int n, int row, int column, const sums &sum, float edge[PIECE][PIECE])
{
    if (row + PIECE <= n && column + PIECE <= n && n % 4 == 0) {
        wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
        return;
    }
    wmma::store_matrix_sync(&edge[0][0], sum, PIECE, wmma::mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x % 32; i < PIECE * PIECE; i += 32)
        if (row + i / PIECE < n && column + i % PIECE < n)
            c[(row + i / PIECE) * n + column + i % PIECE] = edge[i / PIECE][i % PIECE];
    __syncwarp();                                            /* the next piece uses the same place */
}

/* AHEAD: the next tiles are loaded while these are multiplied. */
template <bool AHEAD>
__device__ void multiply(struct tiles *t, const number *a, const number *b, float *c, int n, int side)
{
    const int warp = threadIdx.x / 32, row = warp / 4 * DOWN * PIECE, column = warp % 4 * ACROSS * PIECE;
    sums sum[DOWN][ACROSS];

    for (int i = 0; i < DOWN; i++)
        for (int j = 0; j < ACROSS; j++)
            wmma::fill_fragment(sum[i][j], 0);
    begin_loading(t, 0, a, b, 0, side);
    for (int first = 0, half = 0; first < side; first += DEPTH, half ^= AHEAD) {
        __pipeline_wait_prior(0);
        __syncthreads();                                     /* a tile is complete; nobody reads the other one */
        if (AHEAD && first + DEPTH < side)
            begin_loading(t, half ^ 1, a, b, first + DEPTH, side);
        for (int k = 0; k < DEPTH; k += PIECE) {
            wmma::fragment<wmma::matrix_a, PIECE, PIECE, PIECE, number, wmma::row_major> left[DOWN];
            wmma::fragment<wmma::matrix_b, PIECE, PIECE, PIECE, number, wmma::row_major> right[ACROSS];

            for (int i = 0; i < DOWN; i++)
                wmma::load_matrix_sync(left[i], &t->a[half][row + i * PIECE][k], DEPTH + GAP);
            for (int j = 0; j < ACROSS; j++)
                wmma::load_matrix_sync(right[j], &t->b[half][k][column + j * PIECE], TILE + GAP);
            for (int i = 0; i < DOWN; i++)
                for (int j = 0; j < ACROSS; j++)
                    wmma::mma_sync(sum[i][j], left[i], right[j], sum[i][j]);
        }
        if (!AHEAD) {
            __syncthreads();                                 /* nobody reads the tile any longer */
            if (first + DEPTH < side)
                begin_loading(t, 0, a, b, first + DEPTH, side);
        }
    }
    for (int i = 0; i < DOWN; i++)
        for (int j = 0; j < ACROSS; j++)
            store(c, n, blockIdx.y * TILE + row + i * PIECE, blockIdx.x * TILE + column + j * PIECE, sum[i][j],
                  t->edge[warp]);
}
#endif

/* Each block computes 128 x 128 values from matrices that have `side` rows, of which the first n are not 0. */
template <bool AHEAD>
__global__ void __launch_bounds__(WARPS * 32) tensor(const number *a, const number *b, float *c, int n, int side)
{
#if __CUDA_ARCH__ >= 800
    __shared__ __align__(128) struct tiles t;

    multiply<AHEAD>(&t, a, b, c, n, side);
#endif
}

/* Converts both matrices, with zeros after each row and column. */
__global__ void __launch_bounds__(256) convert(const float *src, number *dst, int n, int side)
{
    for (int i = blockIdx.x * 256 + threadIdx.x; i < 2 * side * side; i += gridDim.x * 256) {
        const int matrix = i / (side * side), row = i / side % side, column = i % side;

        dst[i] = __float2bfloat16(row < n && column < n ? src[matrix * n * n + row * n + column] : 0);
    }
}

/* Before the clock starts, because networks keep their matrices as bfloat16. */
extern "C" int gf_lesson_matmul_bind(struct gf_lesson_io *io, struct gf_error *err)
{
    const int side = (int)gf_lesson_matmul_padded(io->value);

    convert<<<gf_lesson_blocks(2 * (int64_t)side * side, 256), 256, 0,
              (cudaStream_t)io->stream>>>((const float *)io->src, (number *)io->scratch, io->value, side);
    return gf_cuda_launched(WHAT, err);
}

template <bool AHEAD>
static int launch(struct gf_lesson_io *io, struct gf_error *err)
{
    const int side = (int)gf_lesson_matmul_padded(io->value);
    const number *a = (const number *)io->scratch;
    struct cudaFuncAttributes code;

    if (gf_cuda_check(cudaFuncGetAttributes(&code, tensor<AHEAD>), WHAT, err) != 0)
        return -1;
    if (code.ptxVersion < 80) {                              /* compiled for older GPUs: the kernel is empty */
        *io->seconds = NAN;
        return 0;
    }
    tensor<AHEAD><<<dim3(side / TILE, side / TILE), WARPS * 32, 0,
                    (cudaStream_t)io->stream>>>(a, a + (int64_t)side * side, (float *)io->dst, io->value, side);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_matmul_tensor_waiting(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch<false>(io, err);
}

extern "C" int gf_lesson_matmul_tensor(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch<true>(io, err);
}
