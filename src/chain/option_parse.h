/* Reads one value of an option: a number, size, time, color or mask. */
#ifndef GF_CHAIN_OPTION_PARSE_H
#define GF_CHAIN_OPTION_PARSE_H

#include "chain/option.h"

/* The option that is being read, for messages. */
struct gf_option_place {
    const char *what;
    const struct gf_option *rows, *row;  /* all options of the stage, and the current one */
    bool arrays;                         /* files of numbers may be missing: a caller may have arrays of their names */
};

/* Reads a word as the option's type, and stores the value. */
int gf_option_parse_value(const struct gf_option_place *at, const char *word, void *values,
                          struct gf_error *err) GF_MUST_CHECK;
/* The first of `rows` (ended by a row without a name) that has `word` among its choices; or NULL. */
const struct gf_option *gf_option_with_choice(const struct gf_option *rows, const char *word);

#endif
