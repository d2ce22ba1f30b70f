/* The part between main() and exit() that gpufilter and gpufilter-bench share. */
#ifndef GF_CLI_PROGRAM_H
#define GF_CLI_PROGRAM_H

#include "cli/cli_options.h"

/* Returns the row of gpufilter. Its options are also read by gpufilter-bench, if gpufilter started that. */
struct gf_cli_program gf_program_gpufilter(int (*answer)(const struct gf_request *r, struct gf_error *err));
/* Reads the arguments, answers what they ask for, prints the error if there is one. Returns the exit status. */
int gf_program_run(const struct gf_cli_program *program, int argc, char **argv);

#endif
