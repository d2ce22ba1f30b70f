/* Random calls on audio: units of one sample for each channel. */
#ifndef GF_BENCH_CASES_AUDIO_H
#define GF_BENCH_CASES_AUDIO_H

#include "bench/check/check_draw.h"

void gf_audio_start(struct gf_trial *t, const struct gf_form *f, bool programs);
void gf_audio_finish(struct gf_trial *t, bool on_gpu, const struct gf_operation *op, const void *params, struct gf_span in,
                     struct gf_span out, int channels, const struct gf_form *to, double slack);

int gf_audio_frame(const struct gf_io *io, int64_t x, int64_t y, double *out);

#endif
