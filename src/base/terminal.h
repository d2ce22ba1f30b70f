/* Standard error: lines that stay, and at most one line of progress after them, which is erased before anything else is printed. */
#ifndef GF_BASE_TERMINAL_H
#define GF_BASE_TERMINAL_H

#include "base/error.h"

/* Erases the line of progress. Other threads wait until gf_terminal_end() before they print. */
FILE *gf_terminal_begin(void);
void gf_terminal_end(void);
/* Prints all of a message at once. */
void gf_terminal_print(const char *format, ...) GF_PRINTF(1, 2);
/* Shows `text` as the line of progress, unless something else was printed in the last `pause` seconds. */
void gf_terminal_show(const char *text, double pause);
void gf_terminal_erase(void);

#endif
