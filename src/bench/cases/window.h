/* Windows of frames for random calls of operations that work on frames in time. */
#ifndef GF_BENCH_CASES_WINDOW_H
#define GF_BENCH_CASES_WINDOW_H

#include "bench/check/check_draw.h"

/*
 * Makes `frames` images of a trial's size its window, in its form, as far as samples of files have it; `blocks` must
 * exist until gf_window_forget().
 */
void gf_window_draw(struct gf_check *check, struct gf_trial *t, int frames, struct gf_span rows,
                    struct gf_block blocks[GF_MOST_FRAMES]);
void gf_window_forget(struct gf_check *check, struct gf_trial *t);

#endif
