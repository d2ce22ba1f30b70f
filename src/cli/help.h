/* Help on the terminal, on standard output. */
#ifndef GF_CLI_HELP_H
#define GF_CLI_HELP_H

#include "base/error.h"

struct gf_cli_option;

/* Prints the usage and the options of gpufilter. */
void gf_help_usage(void);
/* Prints a table of options. */
void gf_help_options(const struct gf_cli_option *row);
/*
 * Explains the stages or the named chain that `topic` names, or lists the colors. A stage for audio comes first if
 * `kinds`, the bits of the kinds that an input may be, is audio alone.
 */
int gf_help_stage(const char *topic, unsigned kinds, struct gf_error *err) GF_MUST_CHECK;
/* Prints name, keys and summary of each named chain with tabs between, for completions. */
void gf_help_chains(void);
/* Lists all stages, named chains and formats. */
void gf_help_list(void);

#endif
