/* limit: no sample beyond a level, without cutting any off. */
#include "chain/stage.h"
#include "filters/peaks.h"
#include "kernels/sound/limit.h"

#include <math.h>

#define MOST_FRAMES 20000                /* so that sums stay within 64 bits, with four times as many, too */

struct limit {
    double decibels;
    struct gf_time ahead;
    bool true_peaks;
};

static const struct gf_option options[] = {
    { .name = "db", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct limit, decibels), .least = -100, .most = 20, .by_default = -1,
      .unit = "dBFS", .text = "the level; 0 is full scale" },
    { .name = "ahead", .type = GF_OPTION_TIME, .offset = offsetof(struct limit, ahead), .most = 0.1, .key_only = true,
      .text = "how far ahead peaks are seen, and how long they last; 5ms by default, 20000 frames at most" },
    { .name = "true", .type = GF_OPTION_FLAG, .offset = offsetof(struct limit, true_peaks), .key_only = true,
      .text = "hold true peaks, those between samples" },
    { .name = NULL }
};

/* The limiter for a signal with so many times the frames that it came with. */
static int add_limiter(const struct limit *l, const struct gf_format *in, int times, struct gf_build *build, struct gf_error *err)
{
    const struct gf_time by_default = { .count = .005 };
    const int64_t reach = gf_time_frames(l->ahead.given ? &l->ahead : &by_default, in->rate), most = reach < MOST_FRAMES ? reach : MOST_FRAMES;
    struct gf_limit limit = { .threshold = (float)pow(10, l->decibels / 20), .reach = (int)most * times };
    int64_t halo;

    limit.first = limit.reach / 2;
    limit.second = limit.reach - limit.first;
    halo = gf_limit_halo(&limit);
    return gf_build_op(build, &gf_op_limit, &limit, (struct gf_need) { .before = halo, .after = halo }, gf_build_format(build), err);
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
    .keeps_times = true,
    .range = GF_RANGE_SET,
    .summary = "no peak beyond a level",
    .text = "A limiter that looks ahead: where a peak comes, the gain of all channels goes down smoothly before it, and up again behind it, so "
            "that no sample passes the level and none is cut off. What lies further than twice the time ahead from any such peak is not "
            "changed at all. The gain is the mean, taken twice over half of that time on both sides, of the least gain that any frame within "
            "the time on both sides needs. Samples that are not finite count as silence.\n\n"
            "The curve between samples may pass the level nevertheless, by 3 dB and more where high sounds are limited hard; converters and codecs "
            "meet it. With true what lies between samples is held under the level, too, by the true peak that stats:true tells, within 0.1 dB as "
            "long as the time ahead is 1 ms or more: limit:-1,true is what streaming services ask for. What lies far from such peaks is "
            "unchanged here, too; it takes about ten times as long.",
    .examples = examples,
    .picture = "voice.wav gain:24 limit:-3 | waveform:600",
    .options = options,
    .config_bytes = sizeof(struct limit),
    .bind = bind,
};
