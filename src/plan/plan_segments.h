/* How many units a segment has, and on a CPU a strip of it. */
#ifndef GF_PLAN_PLAN_SEGMENTS_H
#define GF_PLAN_PLAN_SEGMENTS_H

#include "plan/plan.h"

/* Units of a segment, and of a strip on a CPU; they end at multiples of the grain, and hold whole blocks where they can. */
int64_t gf_plan_grain_units(const struct gf_pass *pass);
int64_t gf_plan_block_units(const struct gf_pass *pass);
int64_t gf_plan_whole_blocks(const struct gf_pass *pass, int64_t units);
int64_t gf_plan_choose_segment(const struct gf_pass *pass, const struct gf_limits *limits, bool cuda, int lanes);
int64_t gf_plan_choose_strip(const struct gf_pass *pass);

#endif
