/* What the segments of a pass leave of a measure, joined in the order of the signal. */
#ifndef GF_RUN_MEASURED_BLOCKS_H
#define GF_RUN_MEASURED_BLOCKS_H

#include "chain/chain.h"
#include "device/device.h"
#include "kernels/statistics/loudness.h"

struct gf_measured_blocks {
    struct gf_records of;
    struct gf_reduced *levels;           /* one a channel */
    int64_t *clipped_from;               /* and where the first block of it begins that has a clipped sample; -1: none has */
    struct gf_loudness_energies energies; /* of loudness */
    void *segment;                       /* the records of one */
    char *kept;                          /* or of all of them, for a report in the chain's memory */
    bool own;                            /* else here, until the signal is done with */
    int64_t blocks, kept_blocks;         /* so far, and as they are kept: joined */
    int64_t room;
};

/* Nothing where the pass measures nothing that makes records; `m` is zeroed. What is kept belongs to the chain. */
int gf_measured_blocks_open(struct gf_measured_blocks *m, const struct gf_pass *pass, struct gf_chain *chain,
                            struct gf_error *err) GF_MUST_CHECK;
static inline bool gf_measured_blocks_used(const struct gf_measured_blocks *m)
{
    return m->of.bytes > 0;
}
/* Takes what the lane has left of a segment that makes units `out`. */
int gf_measured_blocks_take(struct gf_measured_blocks *m, const struct gf_pass *pass, struct gf_lane *lane,
                            struct gf_span out, struct gf_error *err) GF_MUST_CHECK;
void gf_measured_blocks_close(struct gf_measured_blocks *m);

#endif
