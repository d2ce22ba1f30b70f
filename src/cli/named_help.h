/* Named chains of the user, for people, on standard output. */
#ifndef GF_CLI_NAMED_HELP_H
#define GF_CLI_NAMED_HELP_H

#include "base/error.h"

/* All of them, folder by folder. */
void gf_named_help_list(void);
/* The help of the chain that `word` names: 1; 0 if it names none; -1 with the error. */
int gf_named_help_print(const char *word, struct gf_error *err) GF_MUST_CHECK;
/* For completions: name, keys and summary of each, with tabs between. */
void gf_named_help_complete(void);

#endif
