/* Long audio filters, and the options of fir and reverb. */
#ifndef GF_FILTERS_TAPS_H
#define GF_FILTERS_TAPS_H

#include "chain/stage.h"

/*
 * Adds out(t) = Σ h[k]·in(t + late - k), with silence before the start and after the end. h:
 * `masks` lists of n taps, one for all channels or one for each. `longer`: units that are added
 * after the end of the input. Samples that are not finite count as silence.
 */
int gf_taps_build(struct gf_build *build, const double *h, int masks, int64_t n, int64_t late, int64_t longer,
                  struct gf_error *err) GF_MUST_CHECK;

/* Adds `sign` times a lowpass whose taps sum to 1. `edge` is a fraction of the rate. */
void gf_taps_add_lowpass(double *h, int64_t n, double edge, double sign);

/* The options of fir and reverb. */
struct gf_taps {
    struct gf_mask taps;
    int align;                   /* enum gf_taps_align … */
    int tail;
    int norm;
    double wet, dry;             /* dry NAN: 1 - wet */
};

enum gf_taps_align { GF_TAPS_START, GF_TAPS_CENTER };
enum gf_taps_tail { GF_TAPS_CUT, GF_TAPS_KEEP };
enum gf_taps_norm { GF_TAPS_AS_THEY_ARE, GF_TAPS_SUM, GF_TAPS_PEAK, GF_TAPS_ENERGY };

extern const char *const gf_taps_aligns[], *const gf_taps_tails[], *const gf_taps_norms[];

int gf_taps_build_response(struct gf_build *build, const char *what, const struct gf_taps *r,
                           const struct gf_format *in, struct gf_error *err) GF_MUST_CHECK;

#endif
