/*
 * --occupancy: how many blocks of a kernel fit a multiprocessor, calculated without a GPU. The
 * figures of the compute capabilities are those of the CUDA Programming Guide and of NVIDIA's
 * occupancy calculator.
 */
#include "bench/occupancy_question.h"

#include "base/signal.h"
#include "base/words.h"
#include "bench/bench_kernel_facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KB 1024
#define WARP 32

struct architecture {
    int capability;                      /* 10 times the compute capability */
    struct gf_multiprocessor m;
    int most_registers;                  /* per thread */
    int block_registers, block_threads;  /* per block, at most */
    size_t block_shared;                 /* per block, at most, if the kernel asks for it */
};

#define OLD(threads_, registers_, unit) \
    { .threads = (threads_), .blocks = 8, .registers = (registers_), .warp = WARP, .shared_bytes = 16 * KB, \
      .register_unit = (unit), .shared_unit = 512, .registers_by_block = true }
#define NEW(threads_, blocks_, registers_, shared, reserved, parts_, unit) \
    { .threads = (threads_), .blocks = (blocks_), .registers = (registers_), .warp = WARP, \
      .shared_bytes = (shared) * KB, .reserved_bytes = (reserved), .parts = (parts_), .shared_unit = (unit) }

static const struct architecture architectures[] = {
    { 10, OLD(768, 8192, 256), 124, 8192, 512, 16 * KB },
    { 11, OLD(768, 8192, 256), 124, 8192, 512, 16 * KB },
    { 12, OLD(1024, 16384, 512), 124, 16384, 512, 16 * KB },
    { 13, OLD(1024, 16384, 512), 124, 16384, 512, 16 * KB },
    { 20, { .threads = 1536, .blocks = 8, .registers = 32768, .warp = WARP, .shared_bytes = 48 * KB, .parts = 2,
            .register_unit = 64, .shared_unit = 128 }, 63, 32768, 1024, 48 * KB },
    { 21, { .threads = 1536, .blocks = 8, .registers = 32768, .warp = WARP, .shared_bytes = 48 * KB, .parts = 2,
            .register_unit = 64, .shared_unit = 128 }, 63, 32768, 1024, 48 * KB },
    { 30, NEW(2048, 16, 65536, 48, 0, 4, 256), 63, 65536, 1024, 48 * KB },
    { 35, NEW(2048, 16, 65536, 48, 0, 4, 256), 255, 65536, 1024, 48 * KB },
    { 37, NEW(2048, 16, 131072, 112, 0, 4, 256), 255, 65536, 1024, 48 * KB },
    { 50, NEW(2048, 32, 65536, 64, 0, 4, 256), 255, 65536, 1024, 48 * KB },
    { 52, NEW(2048, 32, 65536, 96, 0, 4, 256), 255, 65536, 1024, 48 * KB },
    { 53, NEW(2048, 32, 65536, 64, 0, 4, 256), 255, 32768, 1024, 48 * KB },
    { 60, NEW(2048, 32, 65536, 64, 0, 2, 256), 255, 65536, 1024, 48 * KB },
    { 61, NEW(2048, 32, 65536, 96, 0, 4, 256), 255, 65536, 1024, 48 * KB },
    { 62, NEW(2048, 32, 65536, 64, 0, 4, 256), 255, 32768, 1024, 48 * KB },
    { 70, NEW(2048, 32, 65536, 96, 0, 4, 256), 255, 65536, 1024, 96 * KB },
    { 72, NEW(2048, 32, 65536, 96, 0, 4, 256), 255, 65536, 1024, 96 * KB },
    { 75, NEW(1024, 16, 65536, 64, 0, 4, 256), 255, 65536, 1024, 64 * KB },
    { 80, NEW(2048, 32, 65536, 164, KB, 4, 128), 255, 65536, 1024, 163 * KB },
    { 86, NEW(1536, 16, 65536, 100, KB, 4, 128), 255, 65536, 1024, 99 * KB },
    { 87, NEW(1536, 16, 65536, 164, KB, 4, 128), 255, 65536, 1024, 163 * KB },
    { 89, NEW(1536, 24, 65536, 100, KB, 4, 128), 255, 65536, 1024, 99 * KB },
    { 90, NEW(2048, 32, 65536, 228, KB, 4, 128), 255, 65536, 1024, 227 * KB },
    { 100, NEW(2048, 32, 65536, 228, KB, 4, 128), 255, 65536, 1024, 227 * KB },
    { 103, NEW(2048, 32, 65536, 228, KB, 4, 128), 255, 65536, 1024, 227 * KB },
    { 110, NEW(1536, 24, 65536, 228, KB, 4, 128), 255, 65536, 1024, 227 * KB },
    { 120, NEW(1536, 24, 65536, 100, KB, 4, 128), 255, 65536, 1024, 99 * KB },
    { 121, NEW(1536, 24, 65536, 100, KB, 4, 128), 255, 65536, 1024, 99 * KB },
};
enum { ARCHITECTURES = sizeof architectures / sizeof *architectures };

/* The kernel, and the architecture. */
struct question {
    int registers, block, capability;    /* 0: not given */
    int64_t shared;
};

/* ---- reading ---- */

static int read_count(const char *key, const char *value, int most, int *to, struct gf_error *err)
{
    double number;

    if (gf_parse_number(value, &number) != 0 || !(number >= 1 && number <= most) || floor(number) < number)
        return gf_fail(err, GF_MISUSED, "--occupancy: %s=%s: must be a whole number, 1 to %d", key, value, most);
    *to = (int)number;
    return 0;
}

/* Reads a compute capability, as 75 or 7.5. */
static int read_capability(const char *value, int *to, struct gf_error *err)
{
    double number;

    if (gf_parse_number(value, &number) == 0 && number > 0 && number < 1000)
        for (int i = 0; i < ARCHITECTURES; i++) {
            const double wanted = architectures[i].capability;

            if (fabs((strchr(value, '.') != NULL ? 10 * number : number) - wanted) < 1e-6) {
                *to = architectures[i].capability;
                return 0;
            }
        }
    return gf_fail(err, GF_MISUSED, "--occupancy: arch=%s: unknown compute capability; leave arch out to list all",
                   value);
}

static int read_part(struct question *q, const char *key, const char *value, struct gf_error *err)
{
    if (strcmp(key, "registers") == 0)
        return read_count(key, value, 255, &q->registers, err);
    if (strcmp(key, "block") == 0)
        return read_count(key, value, 1024, &q->block, err);
    if (strcmp(key, "arch") == 0)
        return read_capability(value, &q->capability, err);
    if (strcmp(key, "shared") != 0)
        return gf_fail(err, GF_MISUSED, "--occupancy: unexpected '%s'; it takes block, registers, shared and arch",
                       key);
    if (gf_parse_bytes(value, &q->shared) != 0 || q->shared < 0 || q->shared > KB * KB)
        return gf_fail(err, GF_MISUSED, "--occupancy: shared=%s: must be a size of up to 1M, as in 48K", value);
    return 0;
}

static int read_question(const char *text, struct question *q, struct gf_error *err)
{
    char copy[200], *rest = copy, *part;

    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return gf_fail(err, GF_MISUSED, "--occupancy: the value is too long");
    while ((part = strsep(&rest, ",")) != NULL) {
        char *value = strchr(part, '=');

        if (value == NULL)
            return gf_fail(err, GF_MISUSED, "--occupancy: '%s': must be NAME=VALUE, as in block=256,registers=64",
                           part);
        *value++ = '\0';
        if (read_part(q, part, value, err) != 0)
            return -1;
    }
    return q->block > 0 ? 0 : gf_fail(err, GF_MISUSED, "--occupancy: no block size; add block=N, as in block=256");
}

/* ---- answering ---- */

/* Returns the registers that a block gets: each part of a multiprocessor has those of its warps. */
static int64_t registers_of_block(const struct gf_multiprocessor *m, const struct question *q)
{
    const int64_t warps = gf_ceil_div(q->block, WARP), own = (int64_t)q->registers * WARP;

    if (m->registers_by_block)
        return gf_round_up(gf_round_up(warps, 2) * own, m->register_unit);
    return gf_round_up(own, m->register_unit > 0 ? m->register_unit : 256) * gf_round_up(warps, m->parts);
}

/* Returns why no block can run; NULL if one can. */
static const char *find_obstacle(const struct architecture *a, const struct question *q)
{
    if (q->block > a->block_threads)
        return "no block runs: too many threads";
    if (q->registers > a->most_registers)
        return "no block runs: too many registers per thread";
    if (registers_of_block(&a->m, q) > a->block_registers)
        return "no block runs: too many registers per block";
    return q->shared > (int64_t)a->block_shared ? "no block runs: too much shared memory" : NULL;
}

static void print_answer(const struct architecture *a, const struct question *q)
{
    const struct gf_kernel_fact fact = { .threads = q->block, .registers = q->registers,
                                         .dynamic_bytes = (size_t)q->shared };
    const struct gf_kernel_room room = gf_bench_kernel_facts_room(&fact, &a->m);
    const char *obstacle = find_obstacle(a, q);
    int blocks = room.warps < room.blocks ? room.warps : room.blocks;
    const int warps = (int)gf_ceil_div(q->block, WARP);
    char limit[80];

    blocks = room.registers < blocks ? room.registers : blocks;
    blocks = obstacle != NULL ? 0 : room.shared < blocks ? room.shared : blocks;
    gf_bench_kernel_facts_limit(&room, limit, sizeof limit);
    printf("%2d.%d %7d %5d of %2d %8.1f %%  %s\n", a->capability / 10, a->capability % 10, blocks, blocks * warps,
           a->m.threads / WARP, gf_bench_kernel_facts_occupancy(&a->m, blocks, q->block),
           obstacle != NULL ? obstacle : limit);
}

int gf_occupancy_answer(const char *text, struct gf_error *err)
{
    struct question q = { 0 };

    if (read_question(text, &q, err) != 0)
        return -1;
    puts("arch  blocks       warps  occupancy  limited by");
    for (int i = 0; i < ARCHITECTURES; i++)
        if (q.capability == 0 || q.capability == architectures[i].capability)
            print_answer(&architectures[i], &q);
    return 0;
}
