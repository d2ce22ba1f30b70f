/* echo: add up to four echoes. */
#include "chain/stage.h"
#include "kernels/sound/echo.h"

struct echo {
    struct gf_time delay[GF_ECHOES];
    double decay[GF_ECHOES];
};

#define DELAY(word, k, needed)                                                                     \
    { .name = word, .type = GF_OPTION_TIME, .offset = offsetof(struct echo, delay[k]), .most = 600, \
      .required = needed, .text = "delay of the echo" }
#define DECAY(word, k, needed)                                                                     \
    { .name = word, .type = GF_OPTION_NUMBER, .offset = offsetof(struct echo, decay[k]),           \
      .least = -1, .most = 1, .required = needed,                                                  \
      .text = "gain of the echo; negative values invert the polarity" }

static const struct gf_option options[] = {
    DELAY("delay", 0, true), DECAY("decay", 0, true), DELAY("delay2", 1, false), DECAY("decay2", 1, false),
    DELAY("delay3", 2, false), DECAY("decay3", 2, false), DELAY("delay4", 3, false), DECAY("decay4", 3, false),
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct echo *e = config;
    struct gf_echo echo = { .count = 0 };
    struct gf_format out = *in;
    int64_t longest = 0;

    for (int k = 0; k < GF_ECHOES; k++) {
        const int64_t delay = gf_time_frames(&e->delay[k], in->rate);

        if (e->decay[k] == 0)
            continue;
        echo.delay[echo.count] = delay;
        echo.decay[echo.count++] = (float)e->decay[k];
        longest = delay > longest ? delay : longest;
    }
    if (in->units != GF_UNKNOWN)
        out.units += longest;
    return echo.count == 0 ? 0 : gf_build_op(build, &gf_op_echo, &echo,
                                             (struct gf_need) { .before = longest, .longer = longest }, &out, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav echo:300ms,0.4 -o canyon.wav",
    "gpufilter -i sound.wav echo:0.3,0.5,0.6,0.25 gain:-4 -o twice.wav",
    NULL
};

const struct gf_stage gf_stage_echo = {
    .name = "echo",
    .kind = GF_AUDIO,
    .group = GF_GROUP_TIME,
    .summary = "add up to four echoes",
    .text = "    y[n] = x[n] + decay·x[n - delay] + decay2·x[n - delay2] + ...\n\n"
            "Each echo is an echo of the input, not of other echoes. The audio becomes longer by the "
            "longest delay. Samples can exceed full scale. Add a negative gain to avoid clipping in "
            "outputs of integers.",
    .examples = examples,
    .picture = "voice.wav echo:0.9,0.5 | waveform:600",
    .options = options,
    .config_bytes = sizeof(struct echo),
    .bind = bind,
};
