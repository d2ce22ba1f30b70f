/* Passes what a pass measured to its stage. */
#ifndef GF_RUN_MEASURED_H
#define GF_RUN_MEASURED_H

#include "device/device.h"
#include "run/run.h"
#include "run/measured_blocks.h"

/*
 * Lets the stage compute its table from the measurement, or report one in `table`. `lanes` have
 * counts, or `blocks` has their records; `units` is the length of the signal, and `which` the binding: 0 of the signal,
 * 1 of luma, 2 of chroma.
 */
int gf_measured_apply(const struct gf_pass *pass, struct gf_lane *lanes,
                      const struct gf_measured_blocks *blocks, struct gf_run *run, int which,
                      int64_t units, struct gf_table *table, struct gf_error *err) GF_MUST_CHECK;

#endif
