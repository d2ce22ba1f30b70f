/* The plan in words, for --explain and -v. */
#ifndef GF_PLAN_EXPLAIN_H
#define GF_PLAN_EXPLAIN_H

#include "plan/plan.h"

#include <stdio.h>

/* `profile`: what the input's line ends in; `gathered`: gf_writer_gathers() of the output. */
void gf_explain(const struct gf_plan *plan, const struct gf_chain *chain, const char *profile, double gathered, FILE *to);
/* "640x480 rgb u8", "48000 Hz 2 channels s16, 96000 frames"; room for 100. */
void gf_explain_format(const struct gf_format *f, char *text);

#endif
