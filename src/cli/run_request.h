/* Runs a request. */
#ifndef GF_CLI_RUN_REQUEST_H
#define GF_CLI_RUN_REQUEST_H

#include "cli/request.h"

/*
 * Returns 0, or -1 with the error; err->status 0 means that the reader of the output has gone, so
 * that the program ends without a message.
 */
int gf_run_request(const struct gf_request *request, struct gf_error *err) GF_MUST_CHECK;
/* Lists what the inputs are, for --info. */
int gf_run_info(const struct gf_request *request, struct gf_error *err) GF_MUST_CHECK;

#endif
