/* Estimates how long a plan takes, for the choice of device. */
#ifndef GF_PLAN_PLAN_ESTIMATE_H
#define GF_PLAN_PLAN_ESTIMATE_H

#include "plan/plan_terms.h"

/*
 * Returns the seconds that a plan takes on the device that plan->cuda names, from start to end. Its
 * memory must be fitted. If the input has several images, or several inputs are processed, these are
 * the seconds of one of them, with its share of the start.
 */
double gf_plan_estimate(const struct gf_plan *plan, const struct gf_plan_terms *terms,
                        const struct gf_device_facts *facts);

#endif
