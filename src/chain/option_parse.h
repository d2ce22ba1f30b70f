/* Reads one value of an option: numbers, sizes, times, colours and masks as people write them. */
#ifndef GF_CHAIN_OPTION_PARSE_H
#define GF_CHAIN_OPTION_PARSE_H

#include "chain/option.h"

/* Where a value is being read: for messages that name all of it. */
struct gf_option_place {
    const char *what;
    const struct gf_option *rows, *row;  /* all of the stage's, and the one at hand */
};

/* Reads a word as the row has it, into its place among the stage's values; or refuses it. */
int gf_option_parse_value(const struct gf_option_place *at, const char *word, void *values,
                          struct gf_error *err) GF_MUST_CHECK;
/* Reads a name, #rgb, #rrggbb or #rrggbbaa; returns -1 if the word is none of them. */
int gf_option_parse_colour(const char *word, struct gf_colour *value) GF_MUST_CHECK;

#endif
