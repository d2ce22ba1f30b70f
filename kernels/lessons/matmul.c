/* The lesson on products of matrices: how often each value is loaded, and from where. */
#include "kernels/lessons/matmul.h"

#include "base/clones.h"
#include "kernels/lessons/steps.h"

/* As in a textbook: rows by columns. The second matrix follows the first. */
static void multiply_to(const struct gf_lesson_io *io, int64_t rows, int64_t first, int64_t end)
{
    const int64_t inner = io->value, columns = io->count / rows;
    const float *a = io->src, *b = a + rows * inner;
    float *c = io->dst;

    for (int64_t i = first; i < end; i++) {
        const float *row = a + i / columns * inner, *column = b + i % columns;
        float sum = 0;

        for (int64_t k = 0; k < inner; k++)
            sum += row[k] * column[k * columns];
        c[i] = sum;
    }
}

static void multiply(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    multiply_to(io, io->value, first, end);
}

static void multiply_rectangles(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    multiply_to(io, gf_lesson_matmul_rows(io->value), first, end);
}

GF_CLONES static void add_times(float *restrict c, const float *restrict b, float times, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        c[i] += times * b[i];
}

/* Adds multiples of whole rows, so that all loads are consecutive. The share may begin and end within a row. */
static void multiply_by_rows(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const int64_t n = io->value;
    const float *a = io->src, *b = a + io->count;
    float *c = io->dst;

    while (first < end) {
        const int64_t row = first / n, column = first % n;
        const int64_t count = end - first < n - column ? end - first : n - column;

        for (int64_t i = 0; i < count; i++)
            c[first + i] = 0;
        for (int64_t k = 0; k < n; k++)
            add_times(c + first, b + k * n + column, a[row * n + k], count);
        first += count;
    }
}

static int64_t count_at(int side)
{
    return (int64_t)side * side;
}

static double work(int64_t count, int side)
{
    return 2.0 * (double)count * side;
}

/* Both matrices as bfloat16, of 2 bytes. */
static size_t scratch_bytes(int64_t count, int side)
{
    const size_t padded = (size_t)gf_lesson_matmul_padded(side);

    (void)count;
    return 2 * padded * padded * 2;
}

const struct gf_lesson gf_lesson_matmul = {
    .name = "matmul",
    .summary = "product of two matrices: values from memory, shared memory or registers; tensor cores; cuBLAS",
    .fill = GF_LESSON_FLOATS, .src_bytes = 3 * sizeof(float), .dst_bytes = sizeof(float), .tolerance = 1e-5,
    .axis = "side", .values = { 64, 128, 256, 512, 1024, 2048, 4096 }, .value_count = 7, .count_at = count_at,
    .checked = { 1, 17, 100, 128, 300 },
    .unit = "GFLOP/s", .work = work,
    .cpu = { { "plain C, rows by columns", multiply }, { "plain C, row after row", multiply_by_rows } },
    .steps = {
        { "naive", gf_lesson_matmul_naive,
          "each thread computes one result, and loads a row and a column for it: two loads for each multiplication. "
          "Every value of the matrices is loaded by as many threads as a row has results" },
        { "tiles of 8 x 8", gf_lesson_matmul_tiled_8,
          "a block of 8 x 8 threads loads a tile of each matrix into shared memory, where all its threads read it, "
          "so each value is loaded from memory 8 times less often: a byte for 2 operations instead of 4 bytes for "
          "one. A multiplication still needs two loads" },
        { "tiles of 16 x 16", gf_lesson_matmul_tiled_16,
          "the same with 16 x 16 threads: each value is loaded 16 times less often" },
        { "tiles of 32 x 32", gf_lesson_matmul_tiled,
          "the largest square block: each value is loaded 32 times less often, and a byte serves 8 operations. "
          "Caches did much of that before" },
        { "tiles, rectangular", gf_lesson_matmul_rectangular,
          "the same kernel on 2n x n values times n x n/2: rows and columns of the grid differ, and three sizes "
          "replace one. Row and column are compared with the sizes of the matrix that is read or written; the loop "
          "over tiles ends with the inner size, which both share. As many multiplications, in as many blocks",
          .wanted = multiply_rectangles },
        { "8 x 8 results per thread", gf_lesson_matmul_registers,
          "each thread computes 64 results, and keeps the sums in registers. 8 values of each matrix, loaded once, "
          "serve 64 multiplications: one load for four instead of two for one. To make room for this, the block also "
          "changes: 256 threads, and tiles of 128 x 8. A block computes 128 x 128 results, so small matrices have "
          "too few blocks for all multiprocessors" },
        { "16 bytes per load", gf_lesson_matmul_wide,
          "each load fetches four neighboring values, so four loads serve 64 multiplications. What is left are "
          "the waits: nobody multiplies while the next tile is loaded" },
        { "tensor cores, loads first", gf_lesson_matmul_tensor_waiting,
          "a warp multiplies 16 x 16 values by 16 x 16 with a few instructions, for which tensor cores have hundreds "
          "of multipliers. The inputs are bfloat16, floats of 16 bits, of which 8 are significant: 2 to 3 decimal "
          "digits (converted before the clock starts). The sums are floats" },
        { "tensor cores", gf_lesson_matmul_tensor,
          "the same, but the next tile of each matrix is loaded while this one is multiplied (double buffering). The "
          "copies go to shared memory without registers, and no thread waits for them (cp.async)" },
        { "cuBLAS, float", gf_lesson_matmul_cublas,
          "NVIDIA's library, with kernels for each GPU and size; loads of the next tile run while one is multiplied" },
        { "cuBLAS, TF32", gf_lesson_matmul_cublas_tf32,
          "the same on tensor cores, which keep 11 bits of each float" },
        { "cuBLAS, bfloat16", gf_lesson_matmul_cublas_bf16,
          "half of the bytes and twice the multiplications per clock of TF32. Hopper's tensor cores can read shared "
          "memory themselves, which cuBLAS uses. The inputs have been converted before the clock starts" } },
    .promises = {
        { 2, 1, GF_LESSON_UP_TO, 2, "each value is loaded from memory half as often",
          "two loads from shared memory for each multiplication are the limit" },
        { 3, 0, GF_LESSON_UP_TO, 32, "each value is loaded from memory 32 times less often",
          "caches answered most loads before, and there are still two loads for each multiplication" },
        { 5, 3, GF_LESSON_TIMES, 5.4, "Boehm on an A6000, 2022",
          "the tiles are loaded with small loads, and multiplications wait for them" },
        { 6, 5, GF_LESSON_TIMES, 1.14, "Boehm", NULL },
        { 9, 6, GF_LESSON_TIMES, 1.27, "Boehm", NULL },
        { 7, 6, GF_LESSON_UP_TO, 16, "tensor cores of an A100 or H100 do 15 to 16 times as many multiplications",
          "tensor cores need their inputs faster than a warp can load them from shared memory into registers, and wait "
          "for each tile" },
        { 8, 7, GF_LESSON_UP_TO, 2, "loads and multiplications at the same time",
          "other blocks of the multiprocessor multiply while one waits" },
        { 0, GF_LESSON_ALL_CORES, GF_LESSON_CROSSING, 1,
          "while some threads wait for memory, thousands of others run; small matrices take the cores less time than "
          "starting their threads", NULL } },
    .scratch_bytes = scratch_bytes, .open = gf_lesson_matmul_open, .bind = gf_lesson_matmul_bind,
    .close = gf_lesson_matmul_close, .tell = gf_lesson_matmul_tell,
};
