/* Letters of UTF-8, and what is none: names of files can be any bytes. */
#ifndef GF_BASE_UTF8_H
#define GF_BASE_UTF8_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * The number of bytes of the letter at `text`, 1 at its end; 0 if they are not UTF-8, below 0 if they look like it and
 * stand for no letter, as surrogates do.
 */
int gf_utf8_letter(const char *text, uint32_t *letter);
/* The next letter to show; '?' for what is none, and for what no document may hold. 0 at the end. */
uint32_t gf_utf8_next(const char **text);
/* Prints a text of such letters; as XML, with its own marks escaped. */
void gf_utf8_put(FILE *to, const char *text, bool xml);

#endif
