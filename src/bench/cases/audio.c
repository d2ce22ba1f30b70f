/* Random calls on audio: units of one sample for each channel. */
#include "bench/cases/audio.h"

#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"

void gf_audio_draw(struct gf_check *check, struct gf_trial *t, const struct gf_form *f, bool programs)
{
    gf_draw_trial(check, t, f, programs);
    t->width = 1;
    t->units = 1 + gf_draw(check, gf_draw(check, 4) ? 300 : 3000);
    t->io.src_units = t->units;
}

void gf_audio_check(struct gf_check *check, struct gf_trial *t, const struct gf_operation *op, const void *params,
                    struct gf_span in, struct gf_span out, int channels, const struct gf_form *to, double slack)
{
    size_t src_size, dst_size;

    t->io.src = gf_draw_block(check, t->form, t->form->channels, check->src, 1, in);
    t->io.dst = gf_draw_block(check, to, channels, check->cpu, 1, out);
    t->io.src.pitch_samples = t->form->planar ? 1 : t->form->channels;
    t->io.dst.pitch_samples = to->planar ? 1 : channels;
    src_size = gf_check_block_bytes(&t->io.src);
    dst_size = gf_check_block_bytes(&t->io.dst);
    gf_draw_samples(check, &t->io.src, src_size, t->fill);
    gf_check_call(check, op, &t->io, params, src_size, dst_size, t->smooth ? slack : -1);
}

int gf_audio_frame(const struct gf_check *check, const struct gf_io *io, int64_t x, int64_t y, double *out)
{
    gf_slow_load(check, io, x, y < io->src_units ? y : -1, out);
    return gf_slow_channels(io);
}
