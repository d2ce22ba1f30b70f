/* limit: no sample beyond a level, without cutting any off. */
#include "limit.h"

#include <math.h>

#include "stage.h"

#define MOST_FRAMES 20000                /* so that sums stay within 64 bits */

struct limit {
    double decibels;
    struct gf_time ahead;
};

static const struct gf_option options[] = {
    { .name = "db", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct limit, decibels), .least = -100, .most = 20, .by_default = -1,
      .unit = "dBFS", .text = "the level; 0 is full scale" },
    { .name = "ahead", .type = GF_OPTION_TIME, .offset = offsetof(struct limit, ahead), .most = 0.1, .key_only = true,
      .text = "how far ahead peaks are seen, and how long they last; 5ms by default, 20000 frames at most" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct limit *l = config;
    const struct gf_time by_default = { .count = .005 };
    const int64_t reach = gf_time_frames(l->ahead.given ? &l->ahead : &by_default, in->rate);
    struct gf_limit limit = { .threshold = (float)pow(10, l->decibels / 20), .reach = (int)(reach < MOST_FRAMES ? reach : MOST_FRAMES) };
    int64_t halo;

    limit.first = limit.reach / 2;
    limit.second = limit.reach - limit.first;
    halo = gf_limit_halo(&limit);
    if (gf_build_finite(build, err) != 0)
        return -1;
    return gf_build_op(build, GF_OP_LIMIT, &limit, sizeof limit, (struct gf_need) { .before = halo, .after = halo }, in, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav gain:6 limit:-1 -o loud.wav",
    "gpufilter -i sound.wav gain:12 limit:-3,ahead=10ms -o louder.wav",
    NULL
};

const struct gf_stage gf_stage_limit = {
    .name = "limit",
    .kind = GF_AUDIO,
    .summary = "no peak beyond a level",
    .text = "A limiter that looks ahead: where a peak comes, the gain of all channels goes down smoothly before it, and up again behind it, so "
            "that no sample passes the level and none is cut off. What lies further than twice the time ahead from any such peak is not "
            "changed at all. The gain is the mean, taken twice over half of that time on both sides, of the least gain that any frame within "
            "the time on both sides needs. Samples that are not finite count as silence.",
    .examples = examples,
    .picture = "voice.wav gain:24 limit:-3 | waveform:600",
    .options = options,
    .config_bytes = sizeof(struct limit),
    .bind = bind,
};
