/* Records of measures: taken from lanes, joined one after another. */
#include "records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int gf_joined_open(struct gf_joined *j, const struct gf_pass *pass, struct gf_error *err)
{
    const struct gf_step *s = &pass->measure.step;

    if (!pass->measure.used)
        return 0;
    j->of = gf_op_records(s->op, s->params);
    if (j->of.bytes == 0)
        return 0;
    j->levels = calloc((size_t)j->of.channels, sizeof *j->levels);
    j->segment = calloc(1, pass->measure.result_bytes);
    if (j->levels == NULL || j->segment == NULL)
        return gf_fail(err, GF_FAILED, "not enough memory");
    for (int c = 0; c < j->of.channels; c++) {
        j->levels[c].min = INFINITY;
        j->levels[c].max = -INFINITY;
    }
    return 0;
}

/* The segment's records behind the others. */
static int keep(struct gf_joined *j, int64_t blocks, struct gf_error *err)
{
    const size_t bytes = j->of.bytes * (size_t)j->of.channels;

    if (j->blocks + blocks > j->room) {
        const int64_t room = 2 * (j->blocks + blocks);
        char *more = realloc(j->kept, (size_t)room * bytes);

        if (more == NULL)
            return gf_fail(err, GF_FAILED, "not enough memory");
        j->kept = more;
        j->room = room;
    }
    memcpy(j->kept + (size_t)j->blocks * bytes, j->segment, (size_t)blocks * bytes);
    j->blocks += blocks;
    return 0;
}

int gf_joined_take(struct gf_joined *j, const struct gf_pass *pass, struct gf_lane *lane, struct gf_span out, struct gf_error *err)
{
    const struct gf_step *s = &pass->measure.step;
    const int64_t blocks = (gf_span_units(out) + j->of.block_units - 1) / j->of.block_units, count = blocks * j->of.channels;

    if (lane->device->kind->lane_result(lane, j->segment, (size_t)count * j->of.bytes, err) != 0)
        return -1;
    if (j->of.keep)
        return keep(j, blocks, err);
    for (int64_t i = 0; i < count; i++)                      /* every record begins with its levels */
        gf_reduced_join(&j->levels[i % j->of.channels], (const void *)((const char *)j->segment + (size_t)i * j->of.bytes));
    if (s->op == GF_OP_LOUDNESS && gf_energies_take(&j->energies, s->params, j->segment, blocks) != 0)
        return gf_fail(err, GF_FAILED, "not enough memory");
    return 0;
}

void gf_joined_close(struct gf_joined *j)
{
    free(j->levels);
    free(j->segment);
    free(j->kept);
    free(j->energies.energy);
    *j = (struct gf_joined) { 0 };
}
