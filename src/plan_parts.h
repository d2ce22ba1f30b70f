/* What the parts of the planner share. */
#ifndef GF_PLAN_PARTS_H
#define GF_PLAN_PARTS_H

#include "plan.h"
#include "histogram.h"

/* Passes and their steps, for a device that fuses or one that does not. */
int gf_plan_passes(struct gf_plan *plan, const struct gf_chain *chain, const struct gf_format *out, bool fuses,
                   struct gf_error *err) GF_MUST_CHECK;
/* Segments, lanes and bytes. */
int gf_plan_sizes(struct gf_plan *plan, const struct gf_limits *limits, const struct gf_device_facts *facts,
                  struct gf_error *err) GF_MUST_CHECK;

#endif
