/* Completion scripts for shells, on standard output. */
#ifndef GF_CLI_COMPLETE_H
#define GF_CLI_COMPLETE_H

/*
 * Prints the script for "bash", "zsh" or "fish". `topics` are the operations for --bench, ended by
 * NULL; or NULL.
 */
void gf_complete(const char *shell, const char *const *topics);

#endif
