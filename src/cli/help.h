/* Help on the terminal, on standard output. */
#ifndef GF_CLI_HELP_H
#define GF_CLI_HELP_H

#include "base/error.h"

struct gf_cli_option;

/* How gpufilter is called, and its options. */
void gf_help_usage(void);
/* Options of a program, one below the other. */
void gf_help_options(const struct gf_cli_option *row);
/* The stages or the named chain that `topic` names. */
int gf_help_stage(const char *topic, struct gf_error *err) GF_MUST_CHECK;
/* All stages, named chains and formats. */
void gf_help_list(void);

#endif
