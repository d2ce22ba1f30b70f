/* Cases of prefix sums of whole numbers. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/cuda_peers.h"
#include "kernels/statistics/scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void try_scan(const struct gf_form *f, bool on_gpu)
{
    static const int64_t counts[] = { 1, 2, 255, 256, 2047, 2048, 2049, 65536, 100003 };
    struct gf_scan s = { .count = counts[gf_any(9)] };
    struct gf_io io = { 0 };
    uint64_t *v = (uint64_t *)(void *)gf_src_bytes, sum = 0;
    const size_t bytes = (size_t)s.count * sizeof *v;

    (void)f;
    for (int64_t i = 0; i < s.count; i++)
        v[i] = (uint64_t)gf_any(1u << 30) << gf_any(13);
    io.src.data = gf_src_bytes;
    io.dst.data = gf_cpu_bytes;
    if (gf_run_cpu(&gf_op_scan, &io, &s) != 0 || (on_gpu && gf_run_gpu(&gf_op_scan, &io, &s, bytes, bytes) != 0)) {
        snprintf(gf_trouble, sizeof gf_trouble, "scan: %.300s", gf_failure.text);
        return;
    }
    for (int64_t i = 0; i < s.count; i++) {
        sum += v[i];
        if (((uint64_t *)io.dst.data)[i] != sum && gf_trouble[0] == '\0')
            snprintf(gf_trouble, sizeof gf_trouble, "scan: value %" PRId64 " of %" PRId64 " is wrong", i, s.count);
    }
}

/* Numbers of 64 bits, twice as long as floats are: blocks only say where they lie. */
static void set_scan(struct gf_bench_call *m)
{
    const int64_t count = m->src.width * m->src_units;

    m->src_bytes = m->dst_bytes = (size_t)count * sizeof(uint64_t);
    m->fill = GF_BENCH_COUNTS;
    m->moved = 2.0 * (double)m->src_bytes;
    *(struct gf_scan *)m->params = (struct gf_scan) { .count = count };
}

static const struct gf_bench_case cases[] = {
    { .name = "scan", .what = "prefix sums of 64 bits", .forms = "f64", .one_form = true, .set = set_scan,
      .peers = { { "CUB InclusiveSum", NULL, gf_cub_scan } } },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_scan = { .name = "scan", .op = &gf_op_scan, .cases = cases, .slack = -1, .try = try_scan, .once = true };
