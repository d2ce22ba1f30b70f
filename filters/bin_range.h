/* The option range=LO,HI of stages that count values in bins, and the precision of a bin. */
#ifndef GF_FILTERS_BIN_RANGE_H
#define GF_FILTERS_BIN_RANGE_H

#include "base/elementary.h"
#include "chain/option.h"
#include "chain/stage.h"

#include <math.h>

/* The row of options for a struct with this member, a struct gf_extent. */
#define GF_BIN_RANGE_OPTION(config, member)                                                      \
    { .name = "range", .type = GF_OPTION_EXTENT, .offset = offsetof(config, member),             \
      .least = -1e30, .most = 1e30, .key_only = true,                                            \
      .text = "range that the bins cover, for floats outside 0 to 1; the default is 0,1" }

/* Returns the step that maps LO to 0 and HI to 1. */
static inline struct gf_point_step gf_bin_range_to_unit(const struct gf_extent *e, int channels)
{
    const double scale = 1 / (e->high - e->low);

    return (struct gf_point_step) {
        .kind = GF_POINT_AFFINE, .channels = channels, .a = (float)scale, .b = (float)(-e->low * scale)
    };
}

/* Returns the step that maps 0 to LO and 1 to HI. */
static inline struct gf_point_step gf_bin_range_from_unit(const struct gf_extent *e, int channels)
{
    return (struct gf_point_step) {
        .kind = GF_POINT_AFFINE, .channels = channels, .a = (float)(e->high - e->low), .b = (float)e->low
    };
}

/* Converts a position from 0 to 1 in the bins to a value of the signal. */
static inline double gf_bin_range_value(const struct gf_extent *e, double v)
{
    return e->given ? e->low + v * (e->high - e->low) : v;
}

/* Rounds a value to the decimals that the width of a bin justifies, within low and high. */
static inline double gf_bin_range_round(double v, double width, double low, double high)
{
    const double digits = -nearbyint(gf_log10(width));

    if (!(width > 0) || !isfinite(digits) || fabs(digits) > 300)
        return v;
    v = digits >= 0 ? nearbyint(v * gf_pow(10, digits)) / gf_pow(10, digits)
                    : nearbyint(v / gf_pow(10, -digits)) * gf_pow(10, -digits);
    return fmin(fmax(v, low), high);
}

#endif
