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

struct gf_reader;

/* Reads numbers, audio or an image, as the row allows, or an array instead. The caller frees the weights. */
int gf_option_mask_read(const char *what, const struct gf_option *row, const char *file, struct gf_reader *array,
                        struct gf_mask *mask, struct gf_error *err) GF_MUST_CHECK;

/* Returns the text of a file, which the caller frees, or NULL. */
char *gf_option_mask_read_text(const char *what, const struct gf_option *row, const char *name, struct gf_error *err);

/* True for a file with a byte below 9 near its start: text has none. */
bool gf_option_mask_is_binary(const char *name);

#endif
