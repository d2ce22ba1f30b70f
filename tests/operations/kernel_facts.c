/*
 * Names of kernels, and what limits how many of them run at once: computed by hand from the tables
 * of the programming guide.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench_kernel_facts.h"
#include "tests/tap.h"

static void name(const char *symbol, const char *wanted)
{
    char got[80];

    gf_bench_kernel_facts_name(symbol, got, sizeof got);
    gf_ok(strcmp(got, wanted) == 0, "%s", wanted);
    if (strcmp(got, wanted) != 0)
        printf("# got %s\n", got);
}

/*
 * Compute capability 9.0: 64 warps, 32 blocks, 64 K registers, and 228 KB, of which each block
 * takes one for itself.
 */
static const struct gf_multiprocessor hopper = { .threads = 2048, .blocks = 32, .registers = 65536, .warp = 32,
                                                 .shared_bytes = 233472, .reserved_bytes = 1024 };

static void limit(int threads, int registers, size_t shared, int blocks, const char *wanted)
{
    const struct gf_kernel_fact f = { .threads = threads, .registers = registers, .dynamic_bytes = shared };
    const struct gf_kernel_room r = gf_bench_kernel_facts_room(&f, &hopper);
    int least = r.warps < r.blocks ? r.warps : r.blocks;
    char got[80];

    least = r.registers < least ? r.registers : least;
    least = r.shared < least ? r.shared : least;
    gf_bench_kernel_facts_limit(&r, got, sizeof got);
    gf_ok(least == blocks && strcmp(got, wanted) == 0, "%d threads of %d registers, %zu bytes: %d blocks by %s",
          threads, registers, shared,
          blocks, wanted);
    if (least != blocks || strcmp(got, wanted) != 0)
        printf("# got %d by %s\n", least, got);
}

/* Occupancy of other block sizes, from blocks that the runtime counts. */
static void sizes(void)
{
    const struct gf_kernel_fact small = { .other_fit = { 32, 12, 6, -1, -1 }, .best_threads = 64 },
                                unknown = { .other_fit = { -1, -1, -1, -1, -1 } };
    char got[60];

    gf_is((int64_t)gf_bench_kernel_facts_occupancy(&hopper, 6, 256), 75, "6 blocks of 8 warps are 48 of 64 warps");
    gf_is((int64_t)gf_bench_kernel_facts_occupancy(&hopper, 16, 100), 100, "100 threads are four warps");
    gf_is((int64_t)gf_bench_kernel_facts_occupancy(&(struct gf_multiprocessor) { .warp = 0 }, 1, 32), 0, "no facts");
    gf_bench_kernel_facts_sizes(&small, &hopper, got, sizeof got);
    gf_ok(strcmp(got, "  100   75   75    -    -    64") == 0, "sizes up to the launch bounds");
    gf_bench_kernel_facts_sizes(&unknown, &hopper, got, sizeof got);
    gf_ok(strcmp(got, "    -    -    -    -    -     -") == 0, "unknown sizes");
}

int main(void)
{
    name("_Z4scanPKyPylS_", "scan");
    name("_Z11count_bytesILi1EEv14histogram_task8gf_point", "count_bytes<1>");
    name("_Z6reduceILin1EEv11reduce_task8gf_point", "reduce<-1>");
    name("_Z9copy_rowsI5uint4Ev9move_task", "copy_rows<uint4>");
    name("_Z5quadsILi0ELi3ELi4ELb1EEv10point_task8gf_point", "quads<0,3,4,1>");
    name("_ZL5wholeILi5ELb0EEv10whole_task", "whole<5,0>");
    name("_ZN46_INTERNAL_00000000_4_x_cu_12345678_9012345_0004walkIhLi3EEEv9rank_task", "walk<u8,3>");
    name("_Z10sum_blocksIL4tree2EEvPKflPd", "sum_blocks<2>");
    name("plain", "plain");
    name("_Z99short", "_Z99short");
    name("_Z4scanI", "_Z4scanI");

    limit(256, 32, 0, 8, "registers and warps");         /* 8 · 256 · 32 = 65536, and 8 · 8 = 64 warps */
    limit(256, 16, 0, 8, "warps");
    limit(256, 64, 0, 4, "registers");                   /* 256 · 64 = 16384 */
    /* registers come in units of 8 a thread: 40, so 1280 a warp, 12 warps a quarter, 48 in all */
    limit(256, 33, 0, 6, "registers");
    limit(32, 16, 0, 32, "blocks");
    limit(128, 32, 32768, 6, "shared memory");           /* 233472 / 33792 */
    limit(1024, 64, 0, 1, "registers");
    limit(100, 24, 0, 16, "warps");                      /* four warps */
    sizes();
    return gf_tap_end();
}
