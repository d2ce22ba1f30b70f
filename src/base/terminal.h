/* Standard error: messages, then at most one line of progress, which is erased before the next message. */
#ifndef GF_BASE_TERMINAL_H
#define GF_BASE_TERMINAL_H

#include "base/error.h"

/*
 * Erases the line of progress. Other threads wait until gf_terminal_end() before they print; nothing else here may be called
 * before that.
 */
FILE *gf_terminal_begin(void);
void gf_terminal_end(void);
/* Prints a message in one piece. */
void gf_terminal_print(const char *format, ...) GF_PRINTF(1, 2);
/* Shows `text` as the line of progress, unless something else was printed in the last `pause` seconds. */
void gf_terminal_show(const char *text, double pause);
void gf_terminal_erase(void);

#endif
