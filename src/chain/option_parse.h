/* Reads one value of an option: a number, size, time, color or mask. */
#ifndef GF_CHAIN_OPTION_PARSE_H
#define GF_CHAIN_OPTION_PARSE_H

#include "chain/option.h"

/* The option that is being read, for messages. */
struct gf_option_place {
    const char *what;
    const struct gf_option *rows, *row;  /* all options of the stage, and the current one */
};

/* Reads a word as the option's type, and stores the value. */
int gf_option_parse_value(const struct gf_option_place *at, const char *word, void *values,
                          struct gf_error *err) GF_MUST_CHECK;
/* Reads a name, #rgb, #rrggbb or #rrggbbaa; returns -1 if the word is none of them. */
int gf_option_parse_colour(const char *word, struct gf_colour *value) GF_MUST_CHECK;

#endif
