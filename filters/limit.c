/* limit: a limiter with look-ahead. */
#include "base/elementary.h"
#include "chain/stage.h"
#include "filters/peaks.h"
#include "kernels/sound/limit.h"

#include <math.h>

#define MOST_FRAMES 20000 /* largest look-ahead: sums stay within 64 bits, even with four times as many frames */

struct limit {
    double decibels;
    struct gf_time ahead;
    bool true_peaks;
};

static const struct gf_option options[] = {
    { .name = "db", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct limit, decibels), .least = -100,
      .most = 20, .by_default = -1, .unit = "dBFS",
      .text = "maximum level; 0 is full scale" },
    { .name = "ahead", .type = GF_OPTION_TIME, .offset = offsetof(struct limit, ahead), .most = 0.1,
      .key_only = true,
      .text = "look-ahead; 5ms by default, at most 20000 frames; the delay in a live pipe is twice this, so use "
              "1ms there" },
    { .name = "true", .type = GF_OPTION_FLAG, .offset = offsetof(struct limit, true_peaks), .key_only = true,
      .text = "limit true peaks, those between samples" },
    { .name = NULL }
};

/* Adds the limiter for a signal that was oversampled by `times`. */
static int add_limiter(const struct limit *l, const struct gf_format *in, int times, struct gf_build *build,
                       struct gf_error *err)
{
    const struct gf_time by_default = { .count = .005 };
    const int64_t reach = gf_time_frames(l->ahead.given ? &l->ahead : &by_default, in->rate),
                  most = reach < MOST_FRAMES ? reach : MOST_FRAMES;
    struct gf_limit limit = { .threshold = (float)gf_pow(10, l->decibels / 20), .reach = (int)most * times };
    int64_t halo;

    limit.first = limit.reach / 2;
    limit.second = limit.reach - limit.first;
    halo = gf_limit_halo(&limit);
    return gf_build_op(build, &gf_op_limit, &limit, (struct gf_need) { .before = halo, .after = halo },
                       gf_build_format(build), err);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct limit *l = config;

    if (!l->true_peaks)
        return gf_build_make_finite(build, err) == 0 ? add_limiter(l, in, 1, build, err) : -1;
    if (gf_peaks_oversample(build, err) != 0 || add_limiter(l, in, GF_PEAKS_TIMES, build, err) != 0)
        return -1;
    return gf_peaks_downsample(build, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav gain:6 limit:-1 -o loud.wav",
    "gpufilter -i sound.wav gain:12 limit:-3,ahead=10ms -o louder.wav",
    "gpufilter -i sound.wav normalize:lufs=-14 limit:-1,true -o stream.wav",
    NULL
};

const struct gf_stage gf_stage_limit = {
    .name = "limit",
    .kind = GF_AUDIO,
    .group = GF_GROUP_LEVEL,
    .keeps_times = true,
    .range = GF_RANGE_SET,
    .summary = "keep peaks below a level, without clipping",
    .text = "Before a peak, the gain of all channels falls smoothly, and it rises again afterwards, so "
            "that no sample exceeds the level and none is clipped. Audio further than twice the "
            "look-ahead from every peak does not change.\n\n"
            "Each frame takes the lowest gain that any frame within the look-ahead before or after it "
            "needs. This minimum is then smoothed by two running means, each over half of the look-ahead "
            "on both sides. Samples that are not finite count as silence.\n\n"
            "The signal between samples can still exceed the level, by 3 dB or more if high frequencies "
            "are limited strongly. Converters and codecs can clip there. With true, these true peaks are "
            "kept below the level too, within 0.1 dB if the look-ahead is 1 ms or more. They are the true "
            "peaks that stats:true reports. limit:-1,true meets the rules of streaming services. It takes "
            "about ten times as long.",
    .examples = examples,
    .picture = "voice.wav gain:24 limit:-3 | waveform:600",
    .options = options,
    .config_bytes = sizeof(struct limit),
    .bind = bind,
};
