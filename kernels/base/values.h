/*
 * The values that the samples of a signal may have. They decide whether hardware of limited precision can do a step.
 */
#ifndef GF_KERNELS_VALUES_H
#define GF_KERNELS_VALUES_H

#include "base/signal.h"
#include "kernels/base/point.h"

/*
 * If `known`, all samples are numbers from `least` to `most`, except for errors of rounding. Otherwise they may be
 * anything, also NaN.
 */
struct gf_values {
    bool known;
    float least, most;
};

/* Returns true if the values are from 0 to 1, except for errors of rounding. */
static inline bool gf_values_are_unit(struct gf_values v)
{
    const float slack = 0.0001f;

    return v.known && v.least >= -slack && v.most <= 1 + slack;
}

/* Returns the values of a signal as it is read from a file. */
struct gf_values gf_values_of_format(const struct gf_format *f);
/* Returns the values after a point step on pixels of `channels` channels. */
struct gf_values gf_values_after_step(struct gf_values v, const struct gf_point_step *s, int channels);
/* Returns the values after a point program. */
struct gf_values gf_values_after_program(struct gf_values v, const struct gf_point *p);
/* Returns `v` with one more value. */
struct gf_values gf_values_with(struct gf_values v, float value);
/* Returns the values of sums of samples whose positive weights sum to `positive`, and negative ones to `negative`. */
struct gf_values gf_values_weighted(struct gf_values v, double positive, double negative);
/* Returns the same for samples with one set of weights. */
struct gf_values gf_values_of_sum(struct gf_values v, const float *weights, int64_t count);

#endif
