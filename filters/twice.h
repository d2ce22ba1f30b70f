/* Colors that a chain has twice: the first ones change, the second ones stay as they were. */
#ifndef GF_FILTERS_TWICE_H
#define GF_FILTERS_TWICE_H

#include "chain/stage.h"

/* The channels are the colors, the colors again, and alpha. */
int gf_twice_open(const struct gf_format *in, struct gf_format *twice, struct gf_build *build,
                  struct gf_error *err) GF_MUST_CHECK;
/* The colors become sign·(first - second), and alpha stays. The format is that before gf_twice_open(). */
int gf_twice_subtract(const struct gf_format *in, float sign, struct gf_build *build, struct gf_error *err)
    GF_MUST_CHECK;

#endif
