/* The part between main() and exit() that gpufilter and gpufilter-bench share. */
#ifndef GF_CLI_PROGRAM_H
#define GF_CLI_PROGRAM_H

#include "cli/cli_options.h"

/*
 * Reads the arguments, answers the request, and prints the error if there is one. Returns the exit
 * status.
 */
int gf_program_run(const struct gf_cli_program *program, int argc, char **argv);

#endif
