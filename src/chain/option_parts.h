/* What the parts of the reader of options share. */
#ifndef GF_OPTION_PARTS_H
#define GF_OPTION_PARTS_H

#include "chain/option.h"

/* Where a value is being read: for messages that name all of it. */
struct gf_option_place {
    const char *what;
    const struct gf_option *rows, *row;  /* all of the stage's, and the one at hand */
};

/* Reads a word as the row has it, into its place among the stage's values; or refuses it. */
int gf_option_read(const struct gf_option_place *at, const char *word, void *values, struct gf_error *err) GF_MUST_CHECK;

/* Says what the row takes instead of the word, and what was meant as far as that can be told; returns -1. */
int gf_option_refuse(const struct gf_option_place *at, const char *word, struct gf_error *err);
/* Its name, #rgb, #rrggbb or #rrggbbaa; -1 where it is none of them. */
int gf_parse_colour(const char *word, struct gf_colour *value) GF_MUST_CHECK;
/* The choice of the row that was meant by a word that is none of them: what others call so, or the nearest; or NULL. */
const char *gf_option_near_choice(const struct gf_option *row, const char *word);
/* The row, of those that follow one another up to one without a name, of whose choices `word` is one; or NULL. */
const struct gf_option *gf_option_of_choice(const struct gf_option *rows, const char *word);

#endif
