/* declick: removes clicks. */
#include "chain/stage.h"
#include "kernels/sound/mend.h"

#define AROUND .01                       /* seconds that a frame is compared with, on both sides */
#define GROW .0001                       /* seconds that are replaced around a sharp frame */
#define MOST_FRAMES 20000

struct declick {
    double times;
    struct gf_time longest;
};

static const struct gf_option options[] = {
    { .name = "times", .type = GF_OPTION_NUMBER, .offset = offsetof(struct declick, times), .least = 2, .most = 1000,
      .by_default = 20,
      .text = "a click bends this many times more than the audio around it; lower values find more clicks" },
    { .name = "longest", .type = GF_OPTION_TIME, .offset = offsetof(struct declick, longest), .most = 0.02,
      .key_only = true, .text = "longest click, 1ms by default; longer ones stay" },
    { .name = NULL }
};

static int64_t at_most(int64_t frames, int64_t most)
{
    return frames < most ? frames : most;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct declick *d = config;
    const struct gf_time usual = { .count = .001 };
    const int64_t longest = gf_time_frames(d->longest.given ? &d->longest : &usual, in->rate);
    struct gf_mend m = { .around = (int)at_most((int64_t)(AROUND * in->rate), MOST_FRAMES),
                         .grow = 1 + (int)at_most((int64_t)(GROW * in->rate), MOST_FRAMES),
                         .longest = (int)at_most(longest, MOST_FRAMES), .times = (float)d->times };
    int64_t halo;

    if (gf_build_make_finite(build, err) != 0)
        return -1;
    m.longest = m.longest > 2 * m.grow ? m.longest : 2 * m.grow + 1;     /* a single frame grows to that */
    halo = gf_mend_halo(&m);
    return gf_build_op(build, &gf_op_mend, &m, (struct gf_need) { .before = halo, .after = halo }, in, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav declick -o clean.wav",
    "gpufilter -i sound.wav declick:8,longest=2ms -o cleaner.wav",
    NULL
};

const struct gf_stage gf_stage_declick = {
    .name = "declick",
    .kind = GF_AUDIO,
    .group = GF_GROUP_FILTER,
    .keeps_times = true,
    .summary = "remove clicks, as of a scratched record",
    .text = "A click is a sample, or a few, that bends far more than the audio around it:\n\n"
            "    d[n] = |x[n] - (x[n-1] + x[n+1])/2|\n"
            "    d[n] > TIMES · (mean of d over 10 ms before and after)\n\n"
            "These frames and 0.1 ms around them are replaced by a cubic curve from the frame before to the one after, "
            "with the mean slopes over 8 frames beside them. All other samples keep their values. Each channel is "
            "handled by itself.\n\n"
            "Short loud sounds such as castanets, and the start of a drum, can look like clicks: raise TIMES then. "
            "Samples that are not finite count as silence.",
    .examples = examples,
    .picture = "sound.wav declick:3 | waveform:600",
    .options = options,
    .config_bytes = sizeof(struct declick),
    .bind = bind,
};
