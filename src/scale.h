/* Values of options that other programs count on another scale: levels of 255, percentages of change. */
#ifndef GF_SCALE_H
#define GF_SCALE_H

#include "chain.h"
#include "notice.h"

/* Warns about values of the bound chain that can hardly be meant, and names what to write instead. */
void gf_scale_warn(const struct gf_chain *chain, struct gf_notices *n);

#endif
