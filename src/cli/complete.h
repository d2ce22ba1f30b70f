/* Completion scripts for shells, on standard output. */
#ifndef GF_CLI_COMPLETE_H
#define GF_CLI_COMPLETE_H

void gf_complete_bash(void);
void gf_complete_zsh(void);
void gf_complete_fish(void);

#endif
