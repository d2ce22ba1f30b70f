/* Errors about values of options: what an option takes instead, and which value was probably meant. */
#ifndef GF_CHAIN_OPTION_ERRORS_H
#define GF_CHAIN_OPTION_ERRORS_H

#include "chain/option_parse.h"

/* Says what the row takes instead of the word, and what was meant as far as that can be told; returns -1. */
int gf_option_refuse(const struct gf_option_place *at, const char *word, struct gf_error *err);
/* The choice of the row that was meant by a word that is none of them: what others call so, or the nearest; or NULL. */
const char *gf_option_nearest_choice(const struct gf_option *row, const char *word);
/* The row, of those that follow one another up to one without a name, of whose choices `word` is one; or NULL. */
const struct gf_option *gf_option_with_choice(const struct gf_option *rows, const char *word);

#endif
