/* From a request to a result: opens, binds, plans, executes, one signal of the input after another. */
#ifndef GF_RUN_H
#define GF_RUN_H

#include "cli/cli.h"

/* 0, or -1 with the error; err->status 0 means that whoever read the output has gone: end quietly. */
int gf_run_request(const struct gf_request *request, struct gf_error *err) GF_MUST_CHECK;

#endif
