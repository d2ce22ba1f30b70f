/* From a request to its outputs. */
#ifndef GF_CLI_RUN_REQUEST_H
#define GF_CLI_RUN_REQUEST_H

#include "cli/request.h"

/* 0, or -1 with the error; err->status 0 means that whoever read the output has gone: end quietly. */
int gf_run_request(const struct gf_request *request, struct gf_error *err) GF_MUST_CHECK;

#endif
