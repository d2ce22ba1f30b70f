/* Passes what a pass measured to its stage: counts and sums of all lanes, or records. */
#include "run/measured.h"

#include "table/table.h"

#include <stdlib.h>
#include <string.h>

/* A lane computes prefix sums of each channel's counts. If no lane has run a segment, all counts are 0. */
static int sum_counts(const struct gf_pass *pass, struct gf_lane *lanes, uint64_t *sums, const struct gf_counts *c,
                      struct gf_error *err)
{
    for (int i = 0; i < pass->lanes; i++)
        if (lanes[i].state != NULL)
            return lanes[i].device->kind->lane_sums(&lanes[i], sums, c->channels, c->bins, err);
    return 0;
}

/* Adds up what the lanes counted. */
static int collect_counts(const struct gf_pass *pass, struct gf_lane *lanes, uint64_t *counts, struct gf_error *err)
{
    const size_t bytes = pass->measure.result_bytes;
    uint64_t *part = malloc(bytes);

    if (part == NULL)
        return gf_fail_memory(err, NULL);
    for (int i = 0; i < pass->lanes; i++) {
        if (lanes[i].state == NULL)                       /* this lane had no segment */
            continue;
        if (lanes[i].device->kind->lane_result(&lanes[i], part, bytes, err) != 0) {
            free(part);
            return -1;
        }
        for (size_t b = 0; b < bytes / sizeof *part; b++)
            counts[b] += part[b];
    }
    free(part);
    return 0;
}

int gf_measured_apply(const struct gf_pass *pass, struct gf_lane *lanes,
                      const struct gf_measured_blocks *blocks, struct gf_run *run, int which,
                      int64_t units, struct gf_table *table, struct gf_error *err)
{
    const struct gf_pass_measure *m = &pass->measure;
    const struct gf_binding *binding = which > 0 ? run->plane[which - 1] : run->binding;
    const struct gf_link *link = &binding->link[m->link];
    const struct gf_step *s = &pass->step[pass->steps];
    struct gf_build build = { .arena = &run->findings.arena, .findings = &run->findings, .stage = link->stage,
                              .side = run->side, .sides = binding->options.sides, .format = binding->in };
    struct gf_measured found = { .samples = units * s->in.width, .format = &link->in, .reduced = blocks->levels,
                                 .clipped_from = blocks->clipped_from, .build = &build,
                                 .energies = blocks->energies.energy, .records = blocks->kept,
                                 .blocks = blocks->of.keep ? blocks->kept_blocks : blocks->energies.blocks };
    uint64_t *counts = NULL, *sums = NULL;
    int result = -1;

    if (gf_step_op(s)->counts != NULL) {
        const struct gf_counts c = gf_step_op(s)->counts(gf_step_params(s));

        found.channels = c.channels;
        found.bins = c.bins;
        found.counts = counts = calloc(1, m->result_bytes);
        found.sums = sums = malloc(m->result_bytes);
        if (counts == NULL || sums == NULL) {
            gf_fail_memory(err, NULL);
            goto out;
        }
        if (collect_counts(pass, lanes, counts, err) != 0)
            goto out;
        memcpy(sums, counts, m->result_bytes);
        if (link->settle != NULL && c.lines == c.channels && sum_counts(pass, lanes, sums, &c, err) != 0)
            goto out;
    } else {
        found.channels = blocks->of.channels;
    }
    result = link->report ? link->report(link->config, &found, &build, table, err)
                          : link->settle(link->config, &found, run->tables[which], err);
out:
    free(counts);
    free(sums);
    return result;
}
