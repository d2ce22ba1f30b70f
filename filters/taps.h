/* Long lists of weights along time, for stages of sound: which operation convolves with them, and what is asked of them. */
#ifndef GF_FILTERS_TAPS_H
#define GF_FILTERS_TAPS_H

#include "chain/stage.h"

/*
 * out(t) = Σ h[k]·in(t + late - k), with silence before the start and behind the end. h: `masks` lists of n, one
 * for all channels or one each. `longer`: units that come behind the end of the input. Samples that are not
 * finite count as silence.
 */
int gf_taps_build(struct gf_build *build, const double *h, int masks, int64_t n, int64_t late, int64_t longer,
                  struct gf_error *err) GF_MUST_CHECK;

/* A response, as fir and reverb take it. */
struct gf_taps {
    struct gf_mask taps;
    int align;                   /* enum gf_taps_align … */
    int tail;
    int norm;
    double wet, dry;             /* dry NAN: what wet leaves of 1 */
};

enum gf_taps_align { GF_TAPS_START, GF_TAPS_CENTER };
enum gf_taps_tail { GF_TAPS_CUT, GF_TAPS_KEEP };
enum gf_taps_norm { GF_TAPS_AS_THEY_ARE, GF_TAPS_SUM, GF_TAPS_PEAK, GF_TAPS_ENERGY };

extern const char *const gf_taps_aligns[], *const gf_taps_tails[], *const gf_taps_norms[];

int gf_taps_build_response(struct gf_build *build, const char *what, const struct gf_taps *r,
                           const struct gf_format *in, struct gf_error *err) GF_MUST_CHECK;

#endif
