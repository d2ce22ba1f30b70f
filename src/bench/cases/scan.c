/* Cases of prefix sums of integers. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/cuda_peers.h"
#include "kernels/statistics/scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void compare_sums(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    const struct gf_scan *s = params;
    const uint64_t *from = io->src.data, *to = io->dst.data;
    uint64_t sum = 0;

    (void)slack;
    for (int64_t i = 0; i < s->count; i++) {
        sum += from[i];
        if (to[i] != sum && check->problem[0] == '\0')
            snprintf(check->problem, sizeof check->problem, "scan: value %" PRId64 " of %" PRId64 " is wrong%s", i,
                     s->count, check->on_gpu ? " on a GPU" : "");
    }
    check->compared += s->count;
}

static void try_scan(struct gf_check *check, const struct gf_form *f)
{
    static const int64_t counts[] = { 1, 2, 255, 256, 2047, 2048, 2049, 65536, 100003 };
    struct gf_scan s = { .count = counts[gf_draw(check, 9)] };
    struct gf_io io = { 0 };
    uint64_t *v = (uint64_t *)(void *)check->src;
    const size_t bytes = (size_t)s.count * sizeof *v;

    (void)f;
    for (int64_t i = 0; i < s.count; i++)
        v[i] = (uint64_t)gf_draw(check, 1u << 30) << gf_draw(check, 13);
    io.src.data = check->src;
    io.dst.data = check->cpu;
    if (gf_check_run_cpu(check, &gf_op_scan, &io, &s) != 0
        || (check->on_gpu && gf_check_run_gpu(check, &gf_op_scan, &io, &s, bytes, bytes) != 0))
        snprintf(check->problem, sizeof check->problem, "scan: %.300s", check->failure.text);
    else
        compare_sums(check, &io, &s, 0);
}

/* Values have 64 bits; the blocks only say where they are. */
static void set_scan(struct gf_bench_call *m)
{
    const int64_t count = m->src.width * m->src_units;

    m->src_bytes = m->dst_bytes = (size_t)count * sizeof(uint64_t);
    m->fill = GF_BENCH_COUNTS;
    m->moved = 2.0 * (double)m->src_bytes;
    *(struct gf_scan *)m->params = (struct gf_scan) { .count = count };
}

static const struct gf_bench_case cases[] = {
    { .name = "scan", .what = "prefix sums, 64-bit integers", .forms = "f64", .one_form = true, .set = set_scan,
      .peers = { { "CUB InclusiveSum", NULL, gf_cub_scan } } },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_scan = { .name = "scan", .op = &gf_op_scan, .cases = cases,
    .compare = compare_sums, .try = try_scan, .once = true };
