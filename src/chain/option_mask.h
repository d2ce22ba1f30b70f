/* Masks: a matrix as an argument, or in a text file. */
#ifndef GF_CHAIN_OPTION_MASK_H
#define GF_CHAIN_OPTION_MASK_H

#include "chain/option.h"

#define GF_OPTION_MASK_WEIGHTS (8 << 20)

/*
 * Reads `word` into `mask`, whose weights the caller frees. `what` names the stage in messages,
 * `row` is the option: mask, taps.
 */
int gf_option_mask_parse(const char *what, const struct gf_option *row, const char *word, struct gf_mask *mask,
                         struct gf_error *err) GF_MUST_CHECK;

/* Fails if there is no file of this name, with a word that was probably meant; some files are checked when read. */
int gf_option_mask_check(const char *what, const struct gf_option *row, const char *word,
                         struct gf_error *err) GF_MUST_CHECK;

/*
 * Reads mask->file, numbers or audio, and identifies it; or the array of this name. Does nothing if there is no name,
 * or it is read already.
 */
int gf_option_mask_load(const char *what, const struct gf_option *row, struct gf_mask *mask,
                        const struct gf_given *given, struct gf_error *err) GF_MUST_CHECK;

/* Returns the text of a file, which the caller frees, or NULL. */
char *gf_option_mask_read_text(const char *what, const struct gf_option *row, const char *name, struct gf_error *err);

/* True for a file with a byte below 9 near its start: text has none. */
bool gf_option_mask_is_binary(const char *name);

/* Stores the identity of the file, which no output may replace. */
void gf_option_mask_identify(struct gf_mask *mask);

#endif
