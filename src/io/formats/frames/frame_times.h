/* Durations of an animation's frames, and the constant rate that video needs. */
#ifndef GF_FORMATS_FRAME_TIMES_H
#define GF_FORMATS_FRAME_TIMES_H

#include "base/signal.h"

/* Frames so far, and their total duration, sum / each seconds. All zero if there are none. */
struct gf_frame_times {
    int64_t frames, sum, each;
    double first_seconds;                /* duration of the first frame */
    bool uneven;                         /* durations differ by more than rounding explains */
};

/* Changes a duration of count / per_second seconds to that of browsers: 10 ms or less become 100 ms. */
void gf_frame_times_as_shown(int64_t *count, int64_t *per_second);
/* Adds a frame of count / per_second seconds, as browsers show it. */
void gf_frame_times_add(struct gf_frame_times *t, int64_t count, int64_t per_second);
/*
 * Sets the frame rate that keeps the total duration, and whether it changes single durations. At
 * least one frame must have been added.
 */
void gf_frame_times_rate(const struct gf_frame_times *t, struct gf_yuv *timing);

#endif
