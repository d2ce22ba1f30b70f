/* Reading a region of a signal on disk. */
#ifndef GF_DEVICE_REGION_READ_H
#define GF_DEVICE_REGION_READ_H

#include "base/spool.h"
#include "plan/plan_region.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads region `r` of a signal of so many units from disk; `block` is as gf_region_block() made it, in host memory. */
int gf_region_read(const struct gf_spool *spool, const struct gf_pass_end *store, int64_t units, const struct gf_region *r,
                   const struct gf_block *block, struct gf_error *err) GF_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
