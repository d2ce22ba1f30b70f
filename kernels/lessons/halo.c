/* The lesson on convolution in two dimensions. */
#include "kernels/lessons/halo.h"

#include "kernels/lessons/steps.h"

static void blur(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    static const float row[] = GF_LESSON_HALO_ROW;
    const float *src = io->src;
    float *dst = io->dst;

    for (int64_t i = first; i < end; i++) {
        const int64_t x = i % GF_LESSON_HALO_WIDTH, y = i / GF_LESSON_HALO_WIDTH;
        float sum = 0;

        for (int v = -GF_LESSON_HALO; v <= GF_LESSON_HALO; v++)
            for (int u = -GF_LESSON_HALO; u <= GF_LESSON_HALO; u++)
                sum += row[v + GF_LESSON_HALO] * row[u + GF_LESSON_HALO]
                    * src[gf_lesson_halo_place(x + u, y + v, io->count)];
        dst[i] = sum;
    }
}

const struct gf_lesson gf_lesson_halo = {
    .name = "halo",
    .summary = "blur an image with 5 x 5 weights: tiles in shared memory, and the neighbors of their edges",
    .fill = GF_LESSON_FLOATS, .src_bytes = sizeof(float), .dst_bytes = sizeof(float), .most = 64 << 20,
    .cpu = { { "plain C", blur } },
    .steps = {
        { "each thread from memory", gf_lesson_halo_plain,
          "a block of 32 x 32 threads computes 32 x 32 pixels. Each thread loads its 25 neighbors itself, and the "
          "weights. Beyond the edges, the nearest pixel counts" },
        { "weights in constant memory", gf_lesson_halo_constant,
          "the same, but all threads of a warp get the same weight at once from the cache of constant memory" },
        { "tile, inner threads compute", gf_lesson_halo_inner,
          "each thread loads one pixel of a tile of 32 x 32 into shared memory. The pixels at its edges, two in each "
          "direction, are ghost cells (the halo): they are only needed by neighbors. So 28 x 28 threads compute, and "
          "the others have only loaded" },
        { "tile with ghost cells", gf_lesson_halo_tiled,
          "all 32 x 32 threads compute, and the tile in shared memory has 36 x 36 pixels, so some threads load two. "
          "The row and the column of each are the quotient and the remainder by 36, which compilers know and multiply "
          "by a constant instead" },
        { "ghost cells from the cache", gf_lesson_halo_cached,
          "shared memory has only the 32 x 32 pixels of the block. Ghost cells are loaded when they are needed: "
          "neighbor blocks have just loaded them, so they are in a cache" },
        { "rows, then columns", gf_lesson_halo_separable,
          "the mask is a product of a row and a column of 5 weights. Rows are weighed first, then columns of the "
          "result: 10 multiplications instead of 25, and a second array in shared memory" },
        { "four results per thread", gf_lesson_halo_several,
          "a block of 32 x 8 threads, each of which computes four pixels below each other. Their masks overlap, so "
          "it loads 8 rows of 5 from shared memory instead of 4 x 5 rows" } },
    .promises = {
        { 1, 0, GF_LESSON_TIMES, 2, "only samples are loaded, no weights",
          "the first-level cache serves both kinds of loads" },
        { 3, 1, GF_LESSON_UP_TO, 25, "each sample is loaded from memory once instead of 25 times",
          "the first-level cache serves the loads of neighbors, so memory is read about once in both ways" },
        { 3, 2, GF_LESSON_UP_TO, 1.31, "1024 of 1024 threads compute instead of 784", NULL },
        { 3, 4, GF_LESSON_TIMES, 1, "the ghost cells are in a cache, because the blocks beside load them, too", NULL,
          .more = "each of the 25 loads needs comparisons and an address of its own, and warps diverge" },
        { 5, 3, GF_LESSON_UP_TO, 2.5, "10 multiplications instead of 25",
          "the rows of the ghost cells are computed, too, and there is one more barrier" },
        { 6, 3, GF_LESSON_UP_TO, 2.5, "8 x 5 loads for four results instead of 4 x 25",
          "the compiler keeps the loop over rows, so each weight is loaded by its index" } },
    .operation = "conv", .operation_case = "blur 5x5", .operation_form = "plane",
    .operation_why = "one kernel for masks of any size, any edge handling, several channels and all sample formats",
};
