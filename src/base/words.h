/* Words that people type and read: the nearest of several, lists, numbers with suffixes, sizes. */
#ifndef GF_BASE_WORDS_H
#define GF_BASE_WORDS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The nearest of `names` (ended by NULL) if it is near enough to be meant, else NULL. */
const char *gf_nearest_word(const char *word, const char *const *names);

/* Writes into `to` (of `size`) the nearest of `names`, or all of them, "png, pnm", if none is near. */
void gf_nearest_words(const char *word, const char *const *names, char *to, size_t size);

/* "a, b or c" of names that end in NULL. */
void gf_join_words(const char *const *names, char *text, size_t bytes);

/* A bare number with the suffixes people use: 3k, 50%, -3dB, 1.5; -1 where it is none. */
int gf_parse_number(const char *text, double *value) GF_MUST_CHECK;
/* A count of bytes: 512, 64K, 256M, 2G. */
int gf_parse_bytes(const char *text, int64_t *value) GF_MUST_CHECK;

/* "16.0 MB"; `text` has room for 40 characters. */
void gf_bytes_text(int64_t bytes, char *text);

/* Returns true if `only` selects a name: by a part of it, by a shell pattern for a part, or by = and the whole name. NULL selects all. */
bool gf_is_selected(const char *only, const char *name);

#endif
