/* Histories: the last units of what a step that carries state has made, kept for the segments that follow. */
#ifndef GF_PLAN_HISTORY_H
#define GF_PLAN_HISTORY_H

#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Where the first of `span` stand in a pass's state at `carry`, as many as lie side by side:
 * unit u of the signal has place u mod history_units. The span is no longer than that.
 */
struct gf_block gf_history_part(const struct gf_step *s, void *carry, struct gf_span span);
/* Which units a segment that made `made` leaves to those behind it. */
struct gf_span gf_history_left(const struct gf_step *s, struct gf_span made);

#ifdef __cplusplus
}
#endif
#endif
