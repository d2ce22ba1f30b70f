/*
 * Standard error: messages, then at most one progress
 * line, which is erased before the next message.
 */
#ifndef GF_BASE_TERMINAL_H
#define GF_BASE_TERMINAL_H

#include "base/error.h"

/*
 * Prints a message, which `format` ends with a newline; no other message can interrupt it. Control
 * characters, which names and contents of files may have, are escaped, also in a file: it may be
 * shown on a terminal later.
 */
void gf_terminal_print(const char *format, ...) GF_PRINTF(1, 2);
/* Writes a text of several lines to `to`, or to standard error if it is NULL. It is escaped like a message. */
void gf_terminal_write(FILE *to, const char *text);
/* Shows `text` as the progress line, unless a message was printed in the last `pause` seconds. */
void gf_terminal_show(const char *text, double pause);
void gf_terminal_erase(void);
/* Messages go to this stream from now on, although `stderr` becomes another. Call it in the only thread. */
void gf_terminal_keep(FILE *to);

#endif
