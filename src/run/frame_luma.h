/* The brightness of a frame. */
#ifndef GF_RUN_FRAME_LUMA_H
#define GF_RUN_FRAME_LUMA_H

#include "base/signal.h"

/*
 * Returns the mean of the luma of video, where 0 is black and 1 white; of gray samples; or of 0.299 red, 0.587 green
 * and 0.114 blue. Other channels than color do not count. Sums of integers are exact.
 */
double gf_frame_luma(const struct gf_format *f, const void *samples);

#endif
