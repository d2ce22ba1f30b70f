/* The times of the frames of an animation, and the rate that follows for video. */
#ifndef GF_FORMATS_FRAME_TIMES_H
#define GF_FORMATS_FRAME_TIMES_H

#include "base/signal.h"

/* The frames so far, and their seconds as the quotient sum / each. All zero: none. */
struct gf_frame_times {
    int64_t frames, sum, each;
    double first_seconds;                /* of the first frame */
    bool uneven;                         /* another frame has another time, by more than rounding */
};

/* Adds a frame of count / per_second seconds. Ten milliseconds or less count as a hundred, as in browsers. */
void gf_frame_times_add(struct gf_frame_times *t, int64_t count, int64_t per_second);
/* Sets the rate so that all frames together take their time, and whether that changes single ones. There is at least one frame. */
void gf_frame_times_rate(const struct gf_frame_times *t, struct gf_yuv *timing);

#endif
