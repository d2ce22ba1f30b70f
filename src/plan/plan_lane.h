/* How much memory a lane of a pass takes. */
#ifndef GF_PLAN_PLAN_LANE_H
#define GF_PLAN_PLAN_LANE_H

#include "plan/plan.h"

/* Where state stands that segments hand on; and the bytes of a lane, for the segments and strips that the pass has. */
void gf_plan_place_states(struct gf_pass *pass);
void gf_plan_size_lane(struct gf_pass *pass, bool cuda);

#endif
