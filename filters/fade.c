/* fade: in at the start, out at the end. */
#include "chain/stage.h"
#include "kernels/sound/fade.h"

struct fade {
    struct gf_time in, out;
    int shape;
};

static const char *const shapes[] = { "linear", "quarter", "half", "log", "parabola", NULL };

static const struct gf_option options[] = {
    { .name = "in", .type = GF_OPTION_TIME, .offset = offsetof(struct fade, in), .most = 1e6, .required = true,
      .text = "how long it takes to come in; 0: at once" },
    { .name = "out", .type = GF_OPTION_TIME, .offset = offsetof(struct fade, out), .most = 1e6, .text = "how long it takes to go out; 0 by default" },
    { .name = "shape", .type = GF_OPTION_CHOICE, .offset = offsetof(struct fade, shape), .by_default = GF_FADE_LINEAR, .choices = shapes,
      .key_only = true, .text = "how the gain rises from 0 to 1; SoX calls them t, q, h, l and p" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct fade *f = config;
    const struct gf_fade fade = { .in = gf_time_frames(&f->in, in->rate), .out = gf_time_frames(&f->out, in->rate),
                                  .shape = (enum gf_fade_shape)f->shape };

    if (fade.in == 0 && fade.out == 0)
        return 0;
    if (in->units != GF_UNKNOWN && (fade.in > in->units || fade.out > in->units))
        gf_build_remark(build, "a fade of %.4g s is longer than the sound is here, %.4g s, which so never is as loud as it was",
                        (double)(fade.in > fade.out ? fade.in : fade.out) / in->rate, (double)in->units / in->rate);
    return gf_build_op(build, &gf_op_fade, &fade, (struct gf_need) { .after = in->units == GF_UNKNOWN ? fade.out : 0 }, in, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav fade:0.1,0.5 -o gentle.wav",
    "gpufilter -i sound.wav fade:0,1,shape=half -o out.wav",
    NULL
};

const struct gf_stage gf_stage_fade = {
    .name = "fade",
    .kind = GF_AUDIO,
    .keeps_times = true,
    .summary = "in at the start, out at the end",
    .text = "The first frame gets a gain of 0, or of -100 dB with shape=log, which is 1 once the first time has "
            "passed; the gain falls again over the second time, up to the last frame, behind which it would be 0. With "
            "t from 0 to 1, shape=linear is t, quarter sin(t·π/2), half (1 - cos(t·π))/2, log -100 dB to 0 dB in even "
            "steps, parabola 1 - (1 - t)². SoX takes log by default. Where both fades overlap, both gains count.\n\n"
            "A pipe that does not tell its length is held back by the second time.",
    .examples = examples,
    .picture = "sound.wav fade:0.5,1 | waveform:600",
    .options = options,
    .config_bytes = sizeof(struct fade),
    .bind = bind,
};
