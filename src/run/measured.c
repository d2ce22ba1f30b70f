/* What a pass has found of its signal, for the stage that asked: counts of all lanes, their sums, records. */
#include "run/measured.h"

#include "kernels/statistics/scan.h"
#include "table/table.h"

#include <stdlib.h>

/* Prefix sums of each channel's counts, made by the device. */
static int sum_counts(struct gf_engine *e, const uint64_t *counts, uint64_t *sums, int channels, int bins, struct gf_error *err)
{
    const struct gf_device_kind *kind = e->device[0].kind;
    const size_t bytes = (size_t)bins * sizeof *counts;
    struct gf_work work = kind->work(&e->device[0]);
    struct gf_scan scan = { .count = bins };
    void *memory = NULL;
    int result = -1;

    if (kind->alloc(&e->device[0], bytes, &memory, err) != 0
        || kind->alloc(&e->device[0], gf_scan_state_bytes(bins), &scan.state, err) != 0)
        goto out;
    for (int c = 0; c < channels; c++) {
        struct gf_io io = { 0 };

        io.src.data = io.dst.data = memory;
        if (kind->upload(&e->device[0], memory, counts + (int64_t)c * bins, bytes, err) != 0
            || gf_device_body(kind, &gf_op_scan)(&work, &io, &scan, err) != 0 || kind->wait(&e->device[0], err) != 0
            || kind->download(&e->device[0], sums + (int64_t)c * bins, memory, bytes, err) != 0)
            goto out;
    }
    result = 0;
out:
    kind->release(&e->device[0], scan.state);
    kind->release(&e->device[0], memory);
    return result;
}

/* Adds up what the lanes counted. */
static int collect_counts(const struct gf_pass *pass, struct gf_lane *lanes, uint64_t *counts, struct gf_error *err)
{
    const size_t bytes = pass->measure.result_bytes;
    uint64_t *part = malloc(bytes);

    if (part == NULL)
        return gf_fail(err, GF_FAILED, "not enough memory");
    for (int i = 0; i < pass->lanes; i++) {
        if (lanes[i].state == NULL)                       /* there was no segment for it */
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

int gf_measured_apply(struct gf_engine *e, const struct gf_pass *pass, struct gf_lane *lanes,
                      const struct gf_measured_blocks *blocks, struct gf_chain *chain,
                      int64_t units, struct gf_table *table, struct gf_error *err)
{
    const struct gf_pass_measure *m = &pass->measure;
    const struct gf_chain_link *link = &chain->link[m->link];
    struct gf_build build = { .chain = chain, .stage = link->stage, .format = chain->in };
    struct gf_measured found = { .samples = units * pass->step[pass->steps].in.width, .format = &link->in, .reduced = blocks->levels,
                                 .clipped_from = blocks->clipped_from, .build = &build,
                                 .energies = blocks->energies.energy, .records = blocks->kept,
                                 .blocks = blocks->of.keep ? blocks->kept_blocks : blocks->energies.blocks };
    uint64_t *counts = NULL, *sums = NULL;
    int result = -1;

    if (link->op->counts != NULL) {
        const struct gf_counts c = link->op->counts(link->params);

        found.channels = c.channels;
        found.bins = c.bins;
        found.counts = counts = calloc(1, m->result_bytes);
        found.sums = sums = calloc(1, m->result_bytes);
        if (counts == NULL || sums == NULL) {
            gf_fail(err, GF_FAILED, "not enough memory");
            goto out;
        }
        if (collect_counts(pass, lanes, counts, err) != 0
            || (link->settle != NULL && c.lines == c.channels && sum_counts(e, counts, sums, c.channels, c.bins, err) != 0))
            goto out;
    } else {
        found.channels = blocks->of.channels;
    }
    result = link->report ? link->report(link->config, &found, &build, table, err)
                          : link->settle(link->config, &found, chain->tables.data, err);
out:
    free(counts);
    free(sums);
    return result;
}
