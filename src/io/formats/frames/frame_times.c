/* Sums the durations of an animation's frames. */
#include "io/formats/frames/frame_times.h"

#include <math.h>

#define MOST_EACH 1000000                /* ticks per second; finer durations are rounded */
#define MOST_FRAMES (INT64_MAX / MOST_EACH)
#define SHORTEST_PER_SECOND 100
#define USUAL_PER_SECOND 10
#define ROUNDING_SECONDS 0.015           /* a GIF with 30 frames per second uses durations of 0.03 and 0.04 s */

void gf_frame_times_as_shown(int64_t *count, int64_t *per_second)
{
    if (*count * SHORTEST_PER_SECOND <= *per_second) {
        *count = 1;
        *per_second = USUAL_PER_SECOND;
    }
}

void gf_frame_times_add(struct gf_frame_times *t, int64_t count, int64_t per_second)
{
    int64_t each;
    double seconds;

    gf_frame_times_as_shown(&count, &per_second);
    seconds = (double)count / (double)per_second;
    if (t->each == 0) {
        t->each = per_second;
        t->first_seconds = seconds;
    }
    t->uneven = t->uneven || fabs(seconds - t->first_seconds) > ROUNDING_SECONDS;
    each = t->each / gf_common_divisor(t->each, per_second) * per_second;
    if (each > MOST_EACH)
        each = MOST_EACH;
    if (each != t->each)
        t->sum = (int64_t)((double)t->sum * (double)each / (double)t->each + 0.5);
    count = each % per_second == 0 ? count * (each / per_second)
                                   : (int64_t)((double)count * (double)each / (double)per_second + 0.5);
    if (__builtin_add_overflow(t->sum, count, &t->sum))
        t->sum = INT64_MAX;
    t->each = each;
    t->frames++;
}

void gf_frame_times_rate(const struct gf_frame_times *t, struct gf_yuv *timing)
{
    int64_t frames = t->frames < MOST_FRAMES ? t->frames : MOST_FRAMES, sum = t->sum, common;

    frames *= t->each;
    common = gf_common_divisor(frames, sum);
    for (frames /= common, sum /= common; sum > INT32_MAX || frames > INT32_MAX; sum /= 2)
        frames /= 2;
    timing->rate[0] = (int)frames;
    timing->rate[1] = (int)sum;
    timing->uneven = t->uneven;
}
