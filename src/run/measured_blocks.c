/* Records of measures: taken from lanes, joined one after another. */
#include "kernels/operations.h"
#include "run/measured_blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int gf_measured_blocks_open(struct gf_measured_blocks *j, const struct gf_pass *pass, struct gf_chain *chain,
                            struct gf_error *err)
{
    struct gf_build build = { .chain = chain };
    const struct gf_step *s = &pass->measure.step;

    if (!pass->measure.used)
        return 0;
    j->of = gf_op_records(s->op, s->params);
    if (j->of.bytes == 0)
        return 0;
    j->levels = calloc((size_t)j->of.channels, sizeof *j->levels);
    j->clipped_from = calloc((size_t)j->of.channels, sizeof *j->clipped_from);
    j->segment = calloc(1, pass->measure.result_bytes);
    j->room = pass->measure.kept_blocks;
    j->own = chain->link[pass->measure.link].report == NULL;     /* a report's table may go on using them */
    if (j->room > 0)
        j->kept = j->own ? calloc(1, pass->measure.kept_bytes) : gf_build_alloc(&build, pass->measure.kept_bytes);
    if (j->levels == NULL || j->clipped_from == NULL || j->segment == NULL || (j->room > 0 && j->kept == NULL))
        return gf_fail(err, GF_FAILED, "not enough memory");
    for (int c = 0; c < j->of.channels; c++) {
        j->levels[c].min = INFINITY;
        j->levels[c].max = -INFINITY;
        j->clipped_from[c] = -1;
    }
    return 0;
}

/* Adds record `from`, which stands behind `all`. */
static void join_record(enum gf_op op, const struct gf_records *of, char *all, const char *from)
{
    float *sums = (void *)all;
    const float *more = (const void *)from;

    if (op == GF_OP_REDUCE)
        gf_reduced_join((void *)all, (const void *)from);
    else
        for (size_t i = 0; i < of->bytes / sizeof *sums; i++)
            sums[i] += more[i];
}

/* The segment's records behind the others, or joined with them. */
static int keep_records(struct gf_measured_blocks *j, enum gf_op op, int64_t blocks, struct gf_error *err)
{
    const size_t bytes = j->of.bytes * (size_t)j->of.channels;
    const int64_t joined = j->of.joined > 1 ? j->of.joined : 1;

    for (int64_t i = 0; i < blocks; i++, j->blocks++) {
        const int64_t at = j->blocks / joined;
        const char *from = (const char *)j->segment + (size_t)i * bytes;

        if (at >= j->room)
            return gf_fail(err, GF_FAILED, "there is more of the signal than was said at its beginning");
        j->kept_blocks = at + 1;
        if (j->blocks % joined == 0)
            memcpy(j->kept + (size_t)at * bytes, from, bytes);
        else
            for (size_t c = 0; c < bytes; c += j->of.bytes)
                join_record(op, &j->of, j->kept + (size_t)at * bytes + c, from + c);
    }
    return 0;
}

int gf_measured_blocks_take(struct gf_measured_blocks *j, const struct gf_pass *pass, struct gf_lane *lane,
                            struct gf_span out, struct gf_error *err)
{
    const struct gf_step *s = &pass->measure.step;
    const int64_t blocks = gf_ceil_div(gf_span_units(out), j->of.block_units), count = blocks * j->of.channels;

    if (lane->device->kind->lane_result(lane, j->segment, (size_t)count * j->of.bytes, err) != 0)
        return -1;
    if (j->of.keep)
        return keep_records(j, s->op, blocks, err);
    for (int64_t i = 0; i < count; i++) {                    /* every record begins with its levels */
        const struct gf_reduced *r = (const void *)((const char *)j->segment + (size_t)i * j->of.bytes);
        const int64_t channel = i % j->of.channels;

        if (r->clipped > 0 && j->clipped_from[channel] < 0)
            j->clipped_from[channel] = out.start + i / j->of.channels * j->of.block_units;
        gf_reduced_join(&j->levels[channel], r);
    }
    if (s->op == GF_OP_LOUDNESS && gf_loudness_energies_take(&j->energies, s->params, j->segment, blocks) != 0)
        return gf_fail(err, GF_FAILED, "not enough memory");
    return 0;
}

void gf_measured_blocks_close(struct gf_measured_blocks *j)
{
    free(j->levels);
    free(j->clipped_from);
    free(j->segment);
    free(j->own ? j->kept : NULL);
    free(j->energies.energy);
    *j = (struct gf_measured_blocks) { 0 };
}
