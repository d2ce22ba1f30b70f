/* How many units of a signal the steps of a pass need, in any segment. */
#ifndef GF_PLAN_PLAN_UNITS_H
#define GF_PLAN_PLAN_UNITS_H

#include "plan/plan.h"

#define GF_PLAN_FAR (INT64_C(1) << 60)            /* a length that no signal reaches */

static inline int64_t gf_plan_max(int64_t a, int64_t b)
{
    return a < b ? b : a;
}

static inline int64_t gf_plan_min(int64_t a, int64_t b)
{
    return a > b ? b : a;
}

/* Returns the span of the pass's input that a segment needs if it runs all steps. */
struct gf_span gf_pass_span(const struct gf_pass *pass, struct gf_span out, int64_t in_units);
/* Returns the most units of input that a step needs for `units` of its output, wherever these begin. */
int64_t gf_plan_most_input_units(const struct gf_step *s, int64_t units);
/* Returns the same for the steps of a pass from `from` on. */
int64_t gf_plan_units_before(const struct gf_pass *pass, int from, int64_t units);
/*
 * Returns the most units of step k's result, which carries state, that a segment reads but an
 * earlier segment computed.
 */
int64_t gf_plan_history_units(const struct gf_pass *pass, int k);
/* Returns the first units of that result, which no later step reads. */
int64_t gf_plan_lead_units(const struct gf_pass *pass, int k);
/* Returns how many units of a result `units` of the source become. */
int64_t gf_plan_units_after(const struct gf_need *need, int64_t units);
/* Returns the units that a pass needs around those of its output, in units of the output. */
int64_t gf_plan_halo_units(const struct gf_pass *pass);
/*
 * Returns the units that a segment computes again for those around it, in units of the output. They count as much as
 * their bytes: rows of a small image cost little before it becomes a large one.
 */
int64_t gf_plan_repeated_units(const struct gf_pass *pass);
/* Returns the units of its input for one unit of output, without halos, as far as its steps stream. */
int64_t gf_plan_units_under(const struct gf_pass *pass);

#endif
