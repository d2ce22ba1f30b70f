/* A detector with a curve, and a smoothed gain, for compress, gate, deess and level. */
#ifndef GF_FILTERS_DYNAMICS_H
#define GF_FILTERS_DYNAMICS_H

#include "chain/stage.h"
#include "kernels/sound/follow.h"

#define GF_DYNAMICS_OCTAVE 6.020599913279624     /* dB */

/* Times of a detector and of the gain; those that are not given have defaults in seconds. */
struct gf_dynamics_times {
    struct gf_time attack, release, rms, ahead;
};

/* Returns decibels of amplitude in GF_OCTAVE. */
int32_t gf_dynamics_octaves(double decibels);
/* Sets how fast the level falls: 10 dB in `release`. */
void gf_dynamics_set_fall(struct gf_follow *f, const struct gf_time *release, double by_default,
                          const struct gf_format *in);
/*
 * Adds the detector; the signal has one more channel then. With a second input, f->beside is set, and `side` is its
 * number; otherwise it is -1.
 */
int gf_dynamics_detect(const char *stage, struct gf_follow *f, const struct gf_time *rms, int side,
                       struct gf_build *build, struct gf_error *err) GF_MUST_CHECK;
/* Applies the gain of the last channel, as a mean over `attack`; `band`: to the upper half of the channels. */
int gf_dynamics_apply(const char *stage, bool band, const struct gf_time *attack, double by_default, int64_t ahead,
                      struct gf_build *build, struct gf_error *err) GF_MUST_CHECK;

#endif
