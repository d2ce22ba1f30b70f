/* Decodes UTF-8, and escapes control characters. File names may contain invalid bytes. */
#ifndef GF_BASE_UTF8_H
#define GF_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
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
/* Prints `text` with '?' for what gf_utf8_next() replaces, and escapes <, > and &. */
void gf_utf8_put_xml(FILE *to, const char *text);

#define GF_UTF8_SHOWN 12         /* room for a character as gf_utf8_show() shows it */

/*
 * Returns true for characters that a terminal obeys or that hide text: C0 and C1 controls, line and
 * paragraph separators, marks and overrides of direction, the byte order mark.
 */
bool gf_utf8_is_control(uint32_t letter);
/*
 * Writes the next character so that a terminal shows it and obeys nothing in it: controls and
 * invalid bytes become \n, \x1b or \u202e. With `lines`, newlines and tabs are kept. Returns its bytes.
 */
size_t gf_utf8_show(const char **text, bool lines, char *shown);
/* Prints `size` bytes of text as gf_utf8_show() does; they contain no zero. */
void gf_utf8_print(FILE *to, const char *text, size_t size, bool lines);

#endif
