/* Builds a command line for a shell, with quotes where a shell needs them. */
#ifndef GF_BASE_SHELL_LINE_H
#define GF_BASE_SHELL_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the quote that a shell needs before and after a word, or "". Between quotes, "'" becomes '\''. */
const char *gf_shell_quote(const char *word);

/* The command under construction; it is zeroed at first. */
struct gf_shell_line {
    char text[600];
    size_t used;
    bool full;                           /* something did not fit */
};

/* Appends text as it is. */
void gf_shell_line_put(struct gf_shell_line *line, const char *text);
/* Appends `option` and a name, in quotes if a shell needs them. */
void gf_shell_line_put_name(struct gf_shell_line *line, const char *option, const char *name);

#endif
