/* Passes the results of a measuring pass to its stage: counts and sums of all lanes, or records joined in order. */
#include "run/measured.h"

#include "kernels/operations.h"
#include "table/table.h"

#include <math.h>
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

/* Adds up what the lanes counted. `part` has room for the counts of a lane. */
static int collect_counts(const struct gf_pass *pass, struct gf_lane *lanes, uint64_t *counts, uint64_t *part,
                          struct gf_error *err)
{
    const size_t bytes = pass->measure.result_bytes;
    uint64_t *to = counts;

    memset(counts, 0, bytes);
    for (int i = 0; i < pass->lanes; i++) {
        if (lanes[i].state == NULL)                       /* this lane had no segment */
            continue;
        if (lanes[i].device->kind->lane_result(&lanes[i], to, bytes, err) != 0)
            return -1;
        for (size_t b = 0; to == part && b < bytes / sizeof *part; b++)
            counts[b] += part[b];
        to = part;
    }
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
    uint64_t *counts = NULL, *sums;
    int result = -1;

    if (gf_step_op(s)->counts != NULL) {
        const struct gf_counts c = gf_step_op(s)->counts(gf_step_params(s));

        found.channels = c.channels;
        found.bins = c.bins;
        /* in one piece: glibc returns several to the system, which clears them page by page at each call */
        counts = malloc(2 * m->result_bytes);
        if (counts == NULL) {
            gf_fail_memory(err, NULL);
            goto out;
        }
        sums = counts + m->result_bytes / sizeof *counts;
        found.counts = counts;
        found.sums = sums;
        if (collect_counts(pass, lanes, counts, sums, err) != 0)
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
    return result;
}

int gf_measured_blocks_open(struct gf_measured_blocks *m, const struct gf_pass *pass, const struct gf_binding *binding,
                            struct gf_findings *findings, struct gf_error *err)
{
    struct gf_build build = { .arena = &findings->arena };
    const struct gf_step *s = &pass->step[pass->steps];

    m->of = gf_op_records(gf_step_op(s), gf_step_params(s));
    if (m->of.bytes == 0)
        return 0;
    m->levels = calloc((size_t)m->of.channels, sizeof *m->levels);
    m->clipped_from = calloc((size_t)m->of.channels, sizeof *m->clipped_from);
    m->segment = calloc(1, pass->measure.result_bytes);
    m->room = pass->measure.kept_blocks;
    m->own = binding->link[pass->measure.link].report == NULL;     /* a report's table may use the records later */
    if (m->room > 0)
        m->kept = m->own ? calloc(1, pass->measure.kept_bytes) : gf_build_alloc(&build, pass->measure.kept_bytes);
    if (m->levels == NULL || m->clipped_from == NULL || m->segment == NULL || (m->room > 0 && m->kept == NULL))
        return gf_fail_memory(err, NULL);
    for (int c = 0; c < m->of.channels; c++) {
        m->levels[c].min = INFINITY;
        m->levels[c].max = -INFINITY;
        m->clipped_from[c] = -1;
    }
    return 0;
}

/* Appends the records of a segment, or joins them with the previous ones. */
static int keep_records(struct gf_measured_blocks *m, const struct gf_step *s, int64_t blocks, struct gf_error *err)
{
    const size_t bytes = m->of.bytes * (size_t)m->of.channels;
    const int64_t joined = m->of.joined > 1 ? m->of.joined : 1;

    for (int64_t i = 0; i < blocks; i++, m->blocks++) {
        const int64_t at = m->blocks / joined;
        const char *from = (const char *)m->segment + (size_t)i * bytes;

        if (at >= m->room)
            return gf_fail(err, GF_FAILED, "the signal is longer than its header says");
        m->kept_blocks = at + 1;
        if (m->blocks % joined == 0)
            memcpy(m->kept + (size_t)at * bytes, from, bytes);
        else
            for (size_t c = 0; c < bytes; c += m->of.bytes)
                gf_step_op(s)->join(gf_step_params(s), m->kept + (size_t)at * bytes + c, from + c);
    }
    return 0;
}

int gf_measured_blocks_take(struct gf_measured_blocks *m, const struct gf_pass *pass, struct gf_lane *lane,
                            struct gf_span out, struct gf_error *err)
{
    const struct gf_step *s = &pass->step[pass->steps];
    const int64_t blocks = gf_ceil_div(gf_span_units(out), m->of.block_units), count = blocks * m->of.channels;

    if (lane->device->kind->lane_result(lane, m->segment, (size_t)count * m->of.bytes, err) != 0)
        return -1;
    if (m->of.keep)
        return keep_records(m, s, blocks, err);
    for (int64_t i = 0; i < count; i++) {                    /* every record begins with its levels */
        const struct gf_reduced *r = (const void *)((const char *)m->segment + (size_t)i * m->of.bytes);
        const int64_t channel = i % m->of.channels;

        if (r->clipped > 0 && m->clipped_from[channel] < 0)
            m->clipped_from[channel] = out.start + i / m->of.channels * m->of.block_units;
        gf_reduced_join(&m->levels[channel], r);
    }
    if (m->of.energies && gf_loudness_energies_take(&m->energies, gf_step_params(s), m->segment, blocks) != 0)
        return gf_fail_memory(err, NULL);
    return 0;
}

void gf_measured_blocks_close(struct gf_measured_blocks *m)
{
    free(m->levels);
    free(m->clipped_from);
    free(m->segment);
    free(m->own ? m->kept : NULL);
    free(m->energies.energy);
    *m = (struct gf_measured_blocks) { 0 };
}
