/* Frames: several signals in a row on one input, several of them in work at once. */
#ifndef GF_RUN_FRAMES_H
#define GF_RUN_FRAMES_H

#include "run/worker.h"

/*
 * The signal at hand in `reader` and all behind it, written to `writer` in order; `count`
 * is how many were written. Frames that are whole are written even where the input ends in
 * the midst of one. `first` has run the signal before these, and rests. 1 where the reader
 * stands at a frame that is for one worker alone, as it takes more memory than a share; 0 at the end.
 */
int gf_frames_run(struct gf_worker *first, struct gf_reader *reader, struct gf_writer *writer, int64_t *count,
                  struct gf_error *err) GF_MUST_CHECK;
/* How many frames like the one that `w` is planned for could be in work at once: 1 where there is no room for more. */
int gf_frames_at_once(const struct gf_worker *w);

#endif
