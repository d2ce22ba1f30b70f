/* A word that is neither a stage nor a chain: whether a chain of the user's was meant by it. */
#ifndef GF_CHAIN_NAMED_NEAR_H
#define GF_CHAIN_NAMED_NEAR_H

#include "base/error.h"

/* Refuses it where one is called nearly so, or has a dot in its name; `kinds` as gf_chain_parse() has it. */
int gf_named_near_refuse(unsigned kinds, const char *word, struct gf_error *err) GF_MUST_CHECK;

#endif
