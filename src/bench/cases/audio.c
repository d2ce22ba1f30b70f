/* Random calls on audio: units of one sample for each channel. */
#include "bench/cases/audio.h"

#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gf_audio_draw(struct gf_check *check, struct gf_trial *t, const struct gf_form *f, bool programs)
{
    gf_draw_trial(check, t, f, programs);
    t->width = 1;
    t->units = 1 + gf_draw(check, gf_draw(check, 4) ? 300 : 3000);
    t->io.src_units = t->units;
}

void gf_audio_draw_planes(struct gf_check *check, struct gf_trial *t, int more)
{
    const struct gf_form *f = &gf_forms[12 + gf_draw(check, 3)];

    gf_draw_trial(check, t, f, false);
    t->width = 1;
    t->units = t->io.src_units = 1 + gf_draw(check, gf_draw(check, 4) ? 900 : 9000);
    t->src_adjacent = t->dst_adjacent = true;
    t->store.out = f->channels + more;
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

void gf_audio_check_cut(struct gf_check *check, const struct gf_trial *t, const struct gf_operation *op,
                        const void *params)
{
    const struct gf_block whole = t->io.dst;
    const size_t bytes = gf_check_block_bytes(&whole), src_size = gf_check_block_bytes(&t->io.src);
    unsigned char *made = check->on_gpu ? check->gpu : check->cpu, *once = malloc(bytes);
    int64_t at[4] = { whole.span.start, 0, 0, whole.span.end };
    struct gf_io io = t->io;

    if (once == NULL) {
        snprintf(check->problem, sizeof check->problem, "no memory to compare");
        return;
    }
    at[1] = at[0] + gf_draw(check, (uint32_t)(at[3] - at[0]) + 1);
    at[2] = at[1] + gf_draw(check, (uint32_t)(at[3] - at[1]) + 1);
    memcpy(once, made, bytes);
    memset(made, GF_CHECK_POISON, bytes);
    memset(check->carried[GF_CHECK_BEFORE], 0, check->carried_bytes);
    for (int i = 0; i < 3; i++) {
        io.dst = gf_block_part(&whole, (struct gf_span) { at[i], at[i + 1] });
        if ((check->on_gpu ? gf_check_run_gpu(check, op, &io, params, src_size, bytes)
                           : gf_check_run_cpu(check, op, &io, params)) != 0)
            gf_check_report(check, "fails", op, &io, 0, 0, 0, 0, 0);
        memcpy(check->carried[GF_CHECK_BEFORE], check->carried[check->on_gpu ? GF_CHECK_ON_GPU : GF_CHECK_ON_CPU],
               check->carried_bytes);
    }
    if (memcmp(once, made, bytes) != 0)
        gf_check_report(check, check->on_gpu ? "on a GPU depends on the cut" : "depends on the cut", op, &t->io, 0, 0,
                        at[1], (double)at[2], 0);
    memset(check->carried[GF_CHECK_BEFORE], 0, check->carried_bytes);
    free(once);
}
