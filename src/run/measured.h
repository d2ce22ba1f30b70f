/* Passes what a pass measured to its stage. */
#ifndef GF_RUN_MEASURED_H
#define GF_RUN_MEASURED_H

#include "device/device.h"
#include "kernels/statistics/loudness.h"
#include "run/run.h"

/* The records of a measure from all segments, joined in the order of the signal. */
struct gf_measured_blocks {
    struct gf_records of;
    struct gf_reduced *levels;           /* one for each channel */
    /* for each channel, start of the first block with a clipped sample; -1: none */
    int64_t *clipped_from;
    struct gf_loudness_energies energies; /* for loudness */
    void *segment;                       /* records of one segment */
    char *kept;                          /* or of all segments, in the memory of a report */
    bool own;                            /* the memory is this struct's own, freed after the signal */
    int64_t blocks, kept_blocks;         /* blocks so far, and records after joining */
    int64_t room;
};

/*
 * Does nothing if the measure produces no records; `m` must be zeroed. Records that are kept belong to
 * `findings`.
 */
int gf_measured_blocks_open(struct gf_measured_blocks *m, const struct gf_pass *pass, const struct gf_binding *binding,
                            struct gf_findings *findings, struct gf_error *err) GF_MUST_CHECK;
static inline bool gf_measured_blocks_used(const struct gf_measured_blocks *m)
{
    return m->of.bytes > 0;
}
/* Takes the records that a segment left in its lane; the segment computed units `out`. */
int gf_measured_blocks_take(struct gf_measured_blocks *m, const struct gf_pass *pass, struct gf_lane *lane,
                            struct gf_span out, struct gf_error *err) GF_MUST_CHECK;
void gf_measured_blocks_close(struct gf_measured_blocks *m);
/*
 * Lets the stage compute its table from the measurement, or report one in `table`. `lanes` have
 * counts, or `blocks` has their records; `units` is the length of the signal, and `which` the binding: 0 of the signal,
 * 1 of luma, 2 of chroma.
 */
int gf_measured_apply(const struct gf_pass *pass, struct gf_lane *lanes,
                      const struct gf_measured_blocks *blocks, struct gf_run *run, int which,
                      int64_t units, struct gf_table *table, struct gf_error *err) GF_MUST_CHECK;

#endif
