/* Cases of rows that are kept. Chains try the operation: spectrogram in tests of promises. */
#include "bench/bench_call.h"
#include "kernels/statistics/collect.h"

/* Rows of floats, kept as they are. */
static void set_collect(struct gf_bench_call *m)
{
    gf_bench_block_type(&m->src, GF_F32, m->src.channels, true);
    m->src_bytes = m->dst_bytes = gf_bench_block_shape(&m->src, m->src.width, m->src_units);
    *(struct gf_collect *)m->params = (struct gf_collect) { .channels = m->src.channels, .width = m->src.width };
    m->moved = 2.0 * (double)m->src_bytes;
}

static const struct gf_bench_case cases[] = {
    { .name = "collect", .what = "rows of floats kept", .forms = "plane", .set = set_collect },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_collect = { .name = "collect", .op = &gf_op_collect, .cases = cases };
