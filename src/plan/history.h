/* Histories: the last units that a step with state has computed, kept for the segments that follow. */
#ifndef GF_PLAN_HISTORY_H
#define GF_PLAN_HISTORY_H

#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Finds the first units of `span` in the state of a pass at `carry`, as many as are contiguous
 * there. Unit u of the signal is at place u mod history_units. The span must not be longer than
 * that.
 */
struct gf_block gf_history_part(const struct gf_step *s, void *carry, struct gf_span span);
/* Returns which units a segment that computed `made` leaves to the segments after it. */
struct gf_span gf_history_left(const struct gf_step *s, struct gf_span made);

#ifdef __cplusplus
}
#endif
#endif
