/* Random calls on audio: units of one sample for each channel. */
#ifndef GF_BENCH_CASES_AUDIO_H
#define GF_BENCH_CASES_AUDIO_H

#include "bench/check/check_draw.h"

/* Draws the frames and the programs of a call. */
void gf_audio_draw(struct gf_check *check, struct gf_trial *t, const struct gf_form *f, bool programs);
/*
 * Lays out the blocks without gaps, src with `in` and dst with `out` of the signal; fills src, and
 * makes the call.
 */
void gf_audio_check(struct gf_check *check, struct gf_trial *t, const struct gf_operation *op, const void *params,
                    struct gf_span in, struct gf_span out, int channels, const struct gf_form *to, double slack);
/* Loads the channels of a frame, zeros outside the signal. Returns how many they are. */
int gf_audio_frame(const struct gf_check *check, const struct gf_io *io, int64_t x, int64_t y, double *out);

#endif
