/* From a request about the program itself to its answer. */
#ifndef GF_CLI_ANSWER_REQUEST_H
#define GF_CLI_ANSWER_REQUEST_H

#include "cli/request.h"

/*
 * Answers what the request asks, on standard output. 0, or -1 with the error; err->status 0: the
 * reader has gone, end quietly.
 */
int gf_answer_request(const struct gf_request *r, struct gf_error *err) GF_MUST_CHECK;

#endif
