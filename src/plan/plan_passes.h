/* Draws up the passes of a plan, and the steps of each pass, from the links of a chain. */
#ifndef GF_PLAN_PLAN_PASSES_H
#define GF_PLAN_PLAN_PASSES_H

#include "plan/plan.h"

/* Draws up passes and steps for a device that fuses point programs, or for one that does not. */
int gf_plan_make_passes(struct gf_plan *plan, const struct gf_plan_request *request, bool fuses,
                        struct gf_error *err) GF_MUST_CHECK;

#endif
