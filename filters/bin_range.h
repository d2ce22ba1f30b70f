/* Stages that count values in bins: range=LO,HI, what the bins span instead of 0 to 1, and how exact a value is that a bin gives. */
#ifndef GF_FILTERS_BIN_RANGE_H
#define GF_FILTERS_BIN_RANGE_H

#include "chain/option.h"
#include "chain/stage.h"

#include <math.h>

#define GF_BIN_RANGE_OPTION(config, member)                                                                                      \
    { .name = "range", .type = GF_OPTION_EXTENT, .offset = offsetof(config, member), .least = -1e30, .most = 1e30, .key_only = true, \
      .text = "what the bins span, for floats outside 0 to 1; 0,1 by default" }

/* The step that takes LO to 0 and HI to 1. */
static inline struct gf_point_step gf_bin_range_to_unit(const struct gf_extent *e, int channels)
{
    const double scale = 1 / (e->high - e->low);

    return (struct gf_point_step) { .kind = GF_POINT_AFFINE, .channels = channels, .a = (float)scale, .b = (float)(-e->low * scale) };
}

/* The step that takes 0 to LO and 1 to HI. */
static inline struct gf_point_step gf_bin_range_from_unit(const struct gf_extent *e, int channels)
{
    return (struct gf_point_step) { .kind = GF_POINT_AFFINE, .channels = channels, .a = (float)(e->high - e->low), .b = (float)e->low };
}

/* A value from 0 to 1 of the bins, as the signal has it. */
static inline double gf_bin_range_value(const struct gf_extent *e, double v)
{
    return e->given ? e->low + v * (e->high - e->low) : v;
}

/* A value between low and high that is known to the width of a bin, with the decimals that this leaves it. */
static inline double gf_bin_range_round(double v, double width, double low, double high)
{
    const double digits = -nearbyint(log10(width));

    if (!(width > 0) || !isfinite(digits) || fabs(digits) > 300)
        return v;
    v = digits >= 0 ? nearbyint(v * pow(10, digits)) / pow(10, digits) : nearbyint(v / pow(10, -digits)) * pow(10, -digits);
    return fmin(fmax(v, low), high);
}

#endif
