/* Answers requests about the program itself. */
#ifndef GF_CLI_ANSWER_REQUEST_H
#define GF_CLI_ANSWER_REQUEST_H

#include "cli/request.h"

/*
 * Prints the answer to standard output. Returns 0, or -1 with the error; err->status 0 means that
 * the reader of the output has gone, so that the program ends without a message.
 */
int gf_answer_request(const struct gf_request *r, struct gf_error *err) GF_MUST_CHECK;

#endif
