/* Decodes UTF-8. File names may contain invalid bytes. */
#ifndef GF_BASE_UTF8_H
#define GF_BASE_UTF8_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Returns the number of bytes of the character at `text`: 1 at the end of the text, 0 for bytes
 * that are not UTF-8. The number is negative if the bytes have the form of UTF-8 but encode no
 * character, such as surrogates.
 */
int gf_utf8_letter(const char *text, uint32_t *letter);
/*
 * Returns the next character; '?' for invalid bytes
 * and for characters that XML forbids; 0 at the end.
 */
uint32_t gf_utf8_next(const char **text);
/* Prints `text` with '?' for invalid bytes. With `xml`, escapes <, > and &. */
void gf_utf8_put(FILE *to, const char *text, bool xml);

#endif
