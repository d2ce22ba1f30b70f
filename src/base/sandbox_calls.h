/* The system calls that a confined run can make. */
#ifndef GF_BASE_SANDBOX_CALLS_H
#define GF_BASE_SANDBOX_CALLS_H

#include "base/sandbox.h"

/* Filters the system calls of all threads, for good. Returns 0, or the reason as an errno. */
int gf_sandbox_restrict_calls(const struct gf_sandbox_needs *needs);

#endif
