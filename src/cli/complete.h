/* Completion scripts for shells, on standard output. */
#ifndef GF_CLI_COMPLETE_H
#define GF_CLI_COMPLETE_H

/*
 * The script for "bash", "zsh" or "fish"; `topics`: what --bench can be asked for, ended by NULL.
 * NULL: nothing is known of that.
 */
void gf_complete(const char *shell, const char *const *topics);

#endif
