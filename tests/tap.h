/* What test programs print: a line for each test, what went wrong in it, and in the end how many there were. */
#ifndef GF_TAP_H
#define GF_TAP_H

#include "base/error.h"

#include <stdint.h>

/* What the last call said, told with a test that fails; status 0 and no text where it said nothing. */
extern struct gf_error gf_said;

/* ONLY is empty, a part of the name, a pattern for a part of it, or a "=" with the whole name. Other cases print nothing; what
 * takes long can be left out for them. */
bool gf_is_chosen(const char *name);
void gf_ok(bool good, const char *what, ...) GF_PRINTF(2, 3);
/* Whether two numbers are the same; told where they are not. */
void gf_is(int64_t got, int64_t wanted, const char *what, ...) GF_PRINTF(3, 4);
/* A test that there is no GPU for: passed over, or failed where one is required. */
void gf_no_gpu(const char *what, const char *why);
/* Their number; what main() returns. */
int gf_tap_end(void);

#endif
