/* Reads the arguments of the program into a request. */
#ifndef GF_CLI_CLI_H
#define GF_CLI_CLI_H

#include "cli/request.h"

struct gf_cli_program;

/* Reads the arguments. The request keeps pointers to them. Release it in any case. */
int gf_cli_parse(const struct gf_cli_program *program, int argc, char **argv, struct gf_request *r,
                 struct gf_error *err) GF_MUST_CHECK;
void gf_cli_release(struct gf_request *r);

#endif
