/* When the images of an input are shown: the sums of the durations before them. */
#ifndef GF_RUN_FRAME_CLOCK_H
#define GF_RUN_FRAME_CLOCK_H

#include "io/io.h"

/* All zero: before the first image. */
struct gf_frame_clock {
    struct gf_shown each;                /* the duration of the last `images` */
    int64_t images;
    double before;                       /* seconds before these */
    bool began, unknown;                 /* the duration of an earlier image is unknown */
};

/* Goes to the current image of a reader. Sets `timed` and `time` of its table: seconds, in whole microseconds. */
void gf_frame_clock_next(struct gf_frame_clock *c, const struct gf_reader *r, struct gf_table *table);

#endif
