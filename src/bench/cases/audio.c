/* Random calls on audio: units of one sample for each channel, side by side. */
#include "bench/cases/audio.h"

#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"

void gf_audio_start(struct gf_trial *t, const struct gf_form *f, bool programs)
{
    gf_start_trial(t, f, programs);
    t->width = 1;
    t->units = 1 + gf_any(gf_any(4) ? 300 : 3000);
    t->io.src_units = t->units;
}

void gf_audio_finish(struct gf_trial *t, bool on_gpu, const struct gf_operation *op, const void *params, struct gf_span in,
                     struct gf_span out, int channels, const struct gf_form *to, double slack)
{
    size_t src_size, dst_size;

    t->io.src = gf_block_of(t->form, t->form->channels, gf_src_bytes, 1, in);
    t->io.dst = gf_block_of(to, channels, gf_cpu_bytes, 1, out);
    t->io.src.pitch_samples = t->form->planar ? 1 : t->form->channels;
    t->io.dst.pitch_samples = to->planar ? 1 : channels;
    src_size = gf_block_bytes(&t->io.src);
    dst_size = gf_block_bytes(&t->io.dst);
    gf_fill_block(&t->io.src, src_size, t->fill);
    gf_try_call(on_gpu, op, &t->io, params, src_size, dst_size, t->smooth ? slack : -1);
}

/* The frame's channels, nothing beyond the signal; returns how many. */
int gf_audio_frame(const struct gf_io *io, int64_t x, int64_t y, double *out)
{
    gf_loaded(io, x, y < io->src_units ? y : -1, out);
    return io->load ? io->load->out : io->src.channels;
}
