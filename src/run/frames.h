/* Frames: several consecutive signals of one input, several of them in progress at once. */
#ifndef GF_RUN_FRAMES_H
#define GF_RUN_FRAMES_H

#include "run/frame_clock.h"
#include "run/worker.h"

/* The receiver of the tables of frames, if the chain ends in one. */
struct gf_frame_tables {
    struct gf_frame_clock *clock;            /* it has gone to the frames before */
    /* Takes the table of a frame. Any worker calls it, in the order of the frames. */
    int (*put)(void *context, struct gf_worker *w, const struct gf_table *table, struct gf_error *err);
    void *context;
};

/*
 * Processes the current signal of *reader and all after it, and writes them to the writers of `sinks` and their tables
 * to `tables` in order; `count` is the number written. If the input ends inside a frame, the whole frames before it are
 * written. `first` has run the previous signal and is idle.
 * Returns 1 if the reader is at a frame that needs more memory than a share and must be processed
 * alone; 0 at the end. Workers read the files of a joined input on their own threads if they can; then another reader
 * goes on in place of *reader.
 */
int gf_frames_run(struct gf_worker *first, struct gf_reader **reader, const struct gf_sink *sinks,
                  const struct gf_frame_tables *tables, int64_t *count, struct gf_error *err) GF_MUST_CHECK;
/*
 * Returns how many frames like the one that `w` is planned for could be in progress at once; 1 if
 * no more fit.
 */
int gf_frames_at_once(const struct gf_worker *w);

#endif
