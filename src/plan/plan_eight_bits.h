/* Decides which operations compute packed bytes from packed bytes. */
#ifndef GF_PLAN_PLAN_EIGHT_BITS_H
#define GF_PLAN_PLAN_EIGHT_BITS_H

#include "chain/binding.h"
#include "plan/plan_draft.h"

/* Returns true if the last operation computes the bytes of the output from bytes of the same format. */
bool gf_plan_eight_bits_at_once(const struct gf_draft *d, const struct gf_link *link, const void *params);
/* Returns true if the last two links are one operation at once, with parameters `both` and the need of the second. */
bool gf_plan_eight_bits_join(const struct gf_draft *d, const struct gf_link *link, union gf_op_changed *both);

#endif
