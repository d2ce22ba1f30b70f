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
/*
 * After a call with check->carried_bytes of state: three calls, each with the state of the one before, give the same
 * bytes.
 */
void gf_audio_check_cut(struct gf_check *check, const struct gf_trial *t, const struct gf_operation *op,
                        const void *params);
/*
 * Draws a call of an operation that reads and writes planes without gaps and runs no programs; its result has so many
 * channels more than t->form.
 */
void gf_audio_draw_planes(struct gf_check *check, struct gf_trial *t, int more);
/* Loads the channels of a frame, zeros outside the signal. Returns how many they are. */
int gf_audio_frame(const struct gf_check *check, const struct gf_io *io, int64_t x, int64_t y, double *out);

#endif
