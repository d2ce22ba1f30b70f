/* Words that people type and read: the nearest of several, lists, numbers with suffixes, sizes. */
#ifndef GF_BASE_WORDS_H
#define GF_BASE_WORDS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the most similar of `names` (ended by NULL), or NULL if none is similar enough. */
const char *gf_nearest_word(const char *word, const char *const *names);

/*
 * Writes the most similar of `names` to `to` (of `size`),
 * or all of them, "png, pnm", if none is similar.
 */
void gf_nearest_words(const char *word, const char *const *names, char *to, size_t size);

/* Joins names, ended by NULL, to "a, b or c". */
void gf_join_words(const char *const *names, char *text, size_t bytes);

/* Writes a word in capitals, cut to `bytes`. */
void gf_capital_word(const char *word, char *text, size_t bytes);

/* Reads a number with an optional suffix: 3k, 50%, -3dB, 1.5. Returns -1 if it is not one. */
int gf_parse_number(const char *text, double *value) GF_MUST_CHECK;
/* Reads a count of bytes: 512, 64K, 256M, 2G. Returns -1 if it is not one. */
int gf_parse_bytes(const char *text, int64_t *value) GF_MUST_CHECK;

/* Writes a size as "16.0 MB"; `text` has room for 40 characters. */
void gf_bytes_text(int64_t bytes, char *text);
/*
 * Fails for an input, `name`, that needs `needs` bytes (0: unknown), more than the `limit` of an option. `what`
 * is empty, or what needs them, with a space after it.
 */
int gf_fail_limit(struct gf_error *err, const char *name, const char *what, int64_t needs, int64_t limit,
                  const char *option);

/*
 * Returns true if `only` selects a name: by a part of it, by a shell pattern for a part, or by = and
 * the whole name. NULL selects all.
 */
bool gf_is_selected(const char *only, const char *name);

#endif
