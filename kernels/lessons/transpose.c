/* The lesson on transposes. */
#include "kernels/lessons/transpose.h"
#include "kernels/lessons/steps.h"

#define BLOCK 32

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The rows of the source in which the samples lie. */
static void plain(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const int64_t width = gf_lesson_transpose_width(io->count), rows = io->count / width;
    const uint32_t *src = io->src;
    uint32_t *dst = io->dst;

    for (int64_t y = first / width; y < end / width; y++)
        for (int64_t x = 0; x < width; x++)
            dst[x * rows + y] = src[y * width + x];
}

/* Within a block, lines of the cache are used completely before they are replaced. */
static void blocked(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const int64_t width = gf_lesson_transpose_width(io->count), rows = io->count / width, bottom = end / width;
    const uint32_t *src = io->src;
    uint32_t *dst = io->dst;

    for (int64_t top = first / width; top < bottom; top += BLOCK)
        for (int64_t left = 0; left < width; left += BLOCK)
            for (int64_t x = left; x < least(left + BLOCK, width); x++)
                for (int64_t y = top; y < least(top + BLOCK, bottom); y++)
                    dst[x * rows + y] = src[y * width + x];
}

const struct gf_lesson gf_lesson_transpose = {
    .name = "transpose",
    .summary = "transpose a square of floats: tiles in shared memory, and its banks",
    .fill = GF_LESSON_FLOATS, .src_bytes = sizeof(float), .dst_bytes = sizeof(float),
    .checked = { 1, 1000, 4096, 5000, 100003 },
    .cpu = { { "plain C", plain }, { "blocks of 32x32 in C", blocked } },
    .steps = {
        { "rows to columns", gf_lesson_transpose_writes,
          "neighboring threads read neighbors of a row, and write them to a column: 32 addresses in 32 rows, so a "
          "warp (32 threads) writes 4 bytes to each of 32 sectors of 32 bytes" },
        { "columns to rows", gf_lesson_transpose_reads,
          "now the writes are contiguous, and the reads go down a column. A thread has to wait for what it reads, but "
          "the first-level cache may keep the rest of a sector until a neighbor row of threads reads it" },
        { "tile in shared memory", gf_lesson_transpose_tile,
          "a block reads a tile of 32x32 by rows into shared memory, and writes it by rows of the result, so all "
          "traffic with memory is contiguous. But a column of the tile lies in one of the 32 banks, which serve one "
          "float each at a time" },
        { "padded tile", gf_lesson_transpose_padded,
          "rows of the tile are 33 floats apart instead of 32, so the 32 floats of a column lie in 32 different "
          "banks, and are read at once" },
        { "swizzled tile", gf_lesson_transpose_swizzled,
          "float x of row y is stored at place x xor y. Columns lie in different banks, too, without any gaps" } },
    .promises = {
        { 2, 0, GF_LESSON_TIMES, 2.7, "contiguous writes; Harris 2013: 51 instead of 19 GB/s on a Tesla M2050", NULL },
        { 2, 1, GF_LESSON_TIMES, 1, "both write contiguously; what the tile gains by contiguous reads, it loses by "
          "bank conflicts", NULL },
        { 3, 2, GF_LESSON_TIMES, 1.9, "no bank conflicts; Harris 2013: 100 instead of 51 GB/s on a Tesla M2050",
          "other blocks use the memory while one waits for a bank" },
        { 4, 3, GF_LESSON_TIMES, 1, "neither has bank conflicts", NULL },
        { GF_LESSON_OURS, 3, GF_LESSON_TIMES, 1, "both move each sample once; gpufilter's kernel also mirrors, for any "
          "size of samples", NULL } },
    .operation = "move", .operation_case = "transpose", .operation_form = "plane",
    .operation_why = "the padded tile, for items of any size, also turned or mirrored. Its blocks follow each other "
                     "along rows of the result, those of the lesson along rows of the source",
};
