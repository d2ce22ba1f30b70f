/* Computes how much memory a lane of a pass needs. */
#ifndef GF_PLAN_PLAN_LANE_H
#define GF_PLAN_PLAN_LANE_H

#include "plan/plan.h"

/*
 * Places the state that segments pass on, and counts the bytes of a lane for the segments and
 * strips of the pass.
 */
void gf_plan_place_states(struct gf_pass *pass);
void gf_plan_size_lane(struct gf_pass *pass, bool cuda);

#endif
