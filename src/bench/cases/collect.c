/*
 * Cases of rows that are kept. Random calls are made by chains: the tests of promises run
 * spectrogram.
 */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/statistics/collect.h"

/* Each row is kept as it is: channel by channel, without gaps. */
static void compare_rows(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    const struct gf_collect *k = params;
    const float *got = io->dst.data;

    (void)slack;
    for (int64_t y = io->dst.span.start; y < io->dst.span.end; y++)
        for (int c = 0; c < k->channels; c++)
            for (int64_t x = 0; x < k->width; x++, got++) {
                const double wanted = gf_slow_sample(&io->src, c, x, y);

                check->compared++;
                if (!gf_check_same((double)*got, wanted))
                    gf_check_report(check, "rows", &gf_op_collect, io, c, x, y, (double)*got, wanted);
            }
}

static void set_collect(struct gf_bench_call *m)
{
    gf_bench_block_type(&m->src, GF_F32, m->src.channels, true);
    m->src_bytes = m->dst_bytes = gf_bench_block_shape(&m->src, m->src.width, m->src_units);
    *(struct gf_collect *)m->params = (struct gf_collect) { .channels = m->src.channels, .width = m->src.width };
    m->moved = 2.0 * (double)m->src_bytes;
}

static const struct gf_bench_case cases[] = {
    { .name = "collect", .what = "rows kept as they are, floats", .forms = "plane", .set = set_collect },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_collect = { .name = "collect", .op = &gf_op_collect, .cases = cases,
                                                       .compare = compare_rows };
