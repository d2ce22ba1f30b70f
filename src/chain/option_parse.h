/* Reads one value of an option: a number, size, time, color or mask. */
#ifndef GF_CHAIN_OPTION_PARSE_H
#define GF_CHAIN_OPTION_PARSE_H

#include "chain/option_errors.h"

/* Reads a word as the option's type, and stores the value. */
int gf_option_parse_value(const struct gf_option_place *at, const char *word, void *values,
                          struct gf_error *err) GF_MUST_CHECK;

#endif
