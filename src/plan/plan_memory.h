/* Chooses segments and lanes so that each pass fits into memory. */
#ifndef GF_PLAN_PLAN_MEMORY_H
#define GF_PLAN_PLAN_MEMORY_H

#include "plan/plan_terms.h"

/* Chooses segments and lanes, and counts the bytes of a plan. */
int gf_plan_fit_memory(struct gf_plan *plan, const struct gf_plan_terms *terms, const struct gf_device_facts *facts,
                       struct gf_error *err) GF_MUST_CHECK;

#endif
