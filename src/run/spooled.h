/* Moves rows and regions of signals on disk between the disk and a lane's host buffers. */
#ifndef GF_RUN_SPOOLED_H
#define GF_RUN_SPOOLED_H

#include "base/spool.h"
#include "device/device.h"
#include "plan/plan_region.h"

struct gf_spooled {
    const struct gf_spool *spool;
    const struct gf_pass_end *store;     /* layout of the signal */
    int64_t units;                       /* its length */
};

/* Reads units `span` into lane->in, or writes them from lane->out. Their planes are adjacent there. */
int gf_spooled_move(const struct gf_spooled *s, struct gf_lane *lane, struct gf_span span, bool write,
                    struct gf_error *err) GF_MUST_CHECK;
/* Reads a region for a lane (gf_lane.fetch) into `to`, which gf_region_block() has made. */
int gf_spooled_fetch(const void *spooled, const struct gf_region *r, const struct gf_block *to,
                     struct gf_error *err) GF_MUST_CHECK;

#endif
