/* What a pass has found of its signal, for the stage that asked. */
#ifndef GF_RUN_MEASURED_H
#define GF_RUN_MEASURED_H

#include "chain/chain.h"
#include "device/device.h"
#include "run/measured_blocks.h"

/*
 * The stage settles on a table, which is one of the chain's, or reports one, in `table`. `lanes` have counted, or `blocks`
 * has their records; `units` is how long the signal was.
 */
int gf_measured_apply(const struct gf_pass *pass, struct gf_lane *lanes,
                      const struct gf_measured_blocks *blocks, struct gf_chain *chain,
                      int64_t units, struct gf_table *table, struct gf_error *err) GF_MUST_CHECK;

#endif
