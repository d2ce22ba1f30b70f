/* Decides which operations compute a result in 8 bits from packed integers. */
#ifndef GF_PLAN_PLAN_EIGHT_BITS_H
#define GF_PLAN_PLAN_EIGHT_BITS_H

#include "chain/binding.h"
#include "plan/plan_draft.h"

/*
 * Finds the packed integers from which an operation computes a result in 8 bits faster than from planes: 16 bits, whose
 * rounding is far below a step of 8 bits, or the bytes as they were read. False: there are none, or the signal is in
 * memory already.
 */
bool gf_plan_eight_bits_source(const struct gf_draft *d, const struct gf_link *link, struct gf_format *f);
/* Returns true if the last operation computes the bytes of the output from bytes of the same format. */
bool gf_plan_eight_bits_at_once(const struct gf_draft *d, const struct gf_link *link, const void *params);
/* Returns true if the last two links are one operation at once, with parameters `both` and the need of the second. */
bool gf_plan_eight_bits_join(const struct gf_draft *d, const struct gf_link *link, union gf_op_changed *both);

#endif
