/* Errors about values of options: the allowed values, and the one that was probably meant. */
#ifndef GF_CHAIN_OPTION_ERRORS_H
#define GF_CHAIN_OPTION_ERRORS_H

#include "chain/option.h"

/* The option that is being read, for messages. */
struct gf_option_place {
    const char *what;
    const struct gf_option *rows, *row;  /* all options of the stage, and the current one */
};

/*
 * Reports the values that the option allows, and a suggestion if there is one. Always returns -1.
 */
int gf_option_refuse(const struct gf_option_place *at, const char *word, struct gf_error *err);
/* Fails because a value is outside the row's range, without advice. */
int gf_option_fail_range(const struct gf_option_place *at, const char *word, struct gf_error *err);
/* The choice that other programs call `word`, or the nearest one; or NULL. */
const char *gf_option_nearest_choice(const struct gf_option *row, const char *word);
/*
 * The first of `rows` (ended by a row without a name) that has `word` among its choices; or NULL.
 */
const struct gf_option *gf_option_with_choice(const struct gf_option *rows, const char *word);

#endif
