/* Warnings about options that other programs count on another scale: levels of 255, percentages of change. */
#ifndef GF_CHAIN_UNLIKELY_VALUES_H
#define GF_CHAIN_UNLIKELY_VALUES_H

#include "base/notice.h"
#include "chain/binding.h"

/*
 * Warns about values of the chain, bound to the input `name`, that can hardly be meant, and says
 * what to write instead.
 */
void gf_unlikely_values_warn(const struct gf_binding *binding, const char *name, struct gf_notices *n);

#endif
