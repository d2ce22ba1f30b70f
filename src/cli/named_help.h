/* Prints descriptions of the user's named chains. */
#ifndef GF_CLI_NAMED_HELP_H
#define GF_CLI_NAMED_HELP_H

#include "base/error.h"

/* Lists all of them, by folder. */
void gf_named_help_list(void);
/*
 * Prints the help of the chain that `word` names. Returns 1, 0 if it names none, or -1 with the
 * error.
 */
int gf_named_help_print(const char *word, struct gf_error *err) GF_MUST_CHECK;
/* Prints name, keys and summary of each with tabs between, for completions. */
void gf_named_help_complete(void);

#endif
