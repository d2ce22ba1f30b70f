/*
 * Suggestions for words that are neither a stage nor a chain: a chain of the user with a similar
 * name.
 */
#ifndef GF_CHAIN_NAMED_NEAR_H
#define GF_CHAIN_NAMED_NEAR_H

#include "base/error.h"

/*
 * Fails with a suggestion if a chain has a similar name, or a dot in its name. `kinds` is as for
 * gf_chain_parse().
 */
int gf_named_near_refuse(unsigned kinds, const char *word, struct gf_error *err) GF_MUST_CHECK;

#endif
