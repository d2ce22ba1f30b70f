/*
 * Standard error: messages, then at most one progress
 * line, which is erased before the next message.
 */
#ifndef GF_BASE_TERMINAL_H
#define GF_BASE_TERMINAL_H

#include "base/error.h"

/*
 * Erases the progress line and locks standard error for other threads until gf_terminal_end(). The
 * caller must not call other functions of this file in between.
 */
FILE *gf_terminal_begin(void);
void gf_terminal_end(void);
/* Prints a message; no other message can interrupt it. */
void gf_terminal_print(const char *format, ...) GF_PRINTF(1, 2);
/* Shows `text` as the progress line, unless a message was printed in the last `pause` seconds. */
void gf_terminal_show(const char *text, double pause);
void gf_terminal_erase(void);

#endif
