/*
 * TAP output of test programs: a line for each case, the reason for each failure, and the number of
 * cases at the end.
 */
#ifndef GF_TAP_H
#define GF_TAP_H

#include "base/error.h"

#include <stdint.h>

/* The error of the last call, printed if a case fails; status 0 and no text if there was none. */
extern struct gf_error gf_said;

/*
 * ONLY is empty, a part of the name, a pattern for a part of it, or "=" and the whole name. Other
 * cases print nothing, so a test may skip slow ones.
 */
bool gf_is_chosen(const char *name);
void gf_ok(bool good, const char *what, ...) GF_PRINTF(2, 3);
/* Tests that two numbers are the same, and prints them if they differ. */
void gf_is(int64_t got, int64_t wanted, const char *what, ...) GF_PRINTF(3, 4);
/* A case that needs a missing GPU: skipped, or failed if a GPU is required. */
void gf_no_gpu(const char *what, const char *why);
/* Prints the number of cases; returns the exit status for main(). */
int gf_tap_end(void);

#endif
