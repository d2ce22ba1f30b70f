/* fade: fade in and out. */
#include "chain/stage.h"
#include "kernels/sound/fade.h"

struct fade {
    struct gf_time in, out;
    int shape;
};

static const char *const shapes[] = { "linear", "quarter", "half", "log", "parabola", NULL };

static const struct gf_option options[] = {
    { .name = "in", .type = GF_OPTION_TIME, .offset = offsetof(struct fade, in), .most = 1e6, .required = true,
      .text = "length of the fade-in; 0: none" },
    { .name = "out", .type = GF_OPTION_TIME, .offset = offsetof(struct fade, out), .most = 1e6,
      .text = "length of the fade-out; 0 by default" },
    { .name = "shape", .type = GF_OPTION_CHOICE, .offset = offsetof(struct fade, shape),
      .by_default = GF_FADE_LINEAR, .choices = shapes, .key_only = true,
      .text = "curve of the gain from 0 to 1; SoX calls them t, q, h, l and p" },
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
        gf_build_warn(build, "the fade of %.4g s is longer than the audio, %.4g s; no part keeps its full level",
                        (double)(fade.in > fade.out ? fade.in : fade.out) / in->rate, (double)in->units / in->rate);
    return gf_build_op(build, &gf_op_fade, &fade,
                       (struct gf_need) { .after = in->units == GF_UNKNOWN ? fade.out : 0 }, in, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav fade:0.1,0.5 -o gentle.wav",
    "gpufilter -i sound.wav fade:0,1,shape=half -o out.wav",
    NULL
};

const struct gf_stage gf_stage_fade = {
    .name = "fade",
    .kind = GF_AUDIO,
    .group = GF_GROUP_TIME,
    .keeps_times = true,
    .summary = "fade in at the start and out at the end",
    .text = "The gain rises from 0 at the first frame to 1 after the time IN. Over the time OUT at the "
            "end it falls, and would reach 0 one frame after the last. If both fades overlap, their gains "
            "are multiplied. With t from 0 to 1, the shapes are:\n\n"
            "    linear    t\n"
            "    quarter   sin(t·π/2)\n"
            "    half      (1 - cos(t·π))/2\n"
            "    log       from -100 dB to 0 dB, linear in dB (SoX's default)\n"
            "    parabola  1 - (1 - t)²\n\n"
            "From a pipe of unknown length, the output is delayed by the time OUT.",
    .examples = examples,
    .picture = "sound.wav fade:0.5,1 | waveform:600",
    .options = options,
    .config_bytes = sizeof(struct fade),
    .bind = bind,
};
