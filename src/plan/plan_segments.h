/* Chooses the units of a segment and, on a CPU, of a strip. */
#ifndef GF_PLAN_PLAN_SEGMENTS_H
#define GF_PLAN_PLAN_SEGMENTS_H

#include "plan/plan_terms.h"

/*
 * Sets the units of a segment and of a strip. They end at multiples of the grain, and at whole
 * blocks if possible.
 */
int64_t gf_plan_grain_units(const struct gf_pass *pass);
int64_t gf_plan_block_units(const struct gf_pass *pass);
int64_t gf_plan_whole_blocks(const struct gf_pass *pass, int64_t units);
int64_t gf_plan_choose_segment(const struct gf_pass *pass, const struct gf_plan_terms *terms, bool cuda, int lanes);
int64_t gf_plan_choose_strip(const struct gf_pass *pass);

#endif
