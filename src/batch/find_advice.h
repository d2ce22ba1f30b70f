/* Advice with find(1) for files of folders in folders, which gpufilter does not search. */
#ifndef GF_BATCH_FIND_ADVICE_H
#define GF_BATCH_FIND_ADVICE_H

#include "base/shell_line.h"

#include <stdbool.h>

/* Returns true if a component of the pattern is **, which stands for any number of folders in a shell. */
bool gf_find_advice_needed(const char *pattern);
/* Writes the command that reads all files that the pattern matches. */
void gf_find_advice_pattern(const char *pattern, struct gf_shell_line *line);
/* Writes the command that reads all files of a folder and of those in it. */
void gf_find_advice_folder(const char *folder, struct gf_shell_line *line);

#endif
