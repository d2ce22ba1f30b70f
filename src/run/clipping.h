/* Samples of sound at full scale, where louder ones are cut off. */
#ifndef GF_FULL_H
#define GF_FULL_H

#include <pthread.h>

#include "base/signal.h"
#include "base/notice.h"

/* How one end of a piece of sound looks: of each channel, at either end of the scale, how many samples stand there, up to 2. */
struct gf_full_edge {
    unsigned char run[2][GF_MAX_CHANNELS];
};

/* Frames [span.start, span.end) that have been counted. */
struct gf_full_piece {
    struct gf_span span;
    struct gf_full_edge first, last;
};

/* A count of pieces that come from any thread, in any order. */
struct gf_full {
    pthread_mutex_t lock;
    int64_t samples;
    struct gf_full_piece *piece;         /* those that do not touch yet */
    int pieces, room;
};

void gf_full_open(struct gf_full *full);
/*
 * Counts the samples at either end of what an integer holds that stand there as the two before them do in their
 * channel, wherever the sound is cut; floats are never cut off. `frames`: those of the span.
 */
void gf_full_count(struct gf_full *full, const struct gf_format *f, const void *frames, struct gf_span span);
/* How many there were. */
int64_t gf_full_close(struct gf_full *full);
/*
 * Warns about `full` clipped samples in the file `name`, unless they are few. `above` is the stage that raised peaks by
 * `above_db` dB over full scale, if one reported that (else NULL).
 */
void gf_full_warn(struct gf_notices *n, const char *name, long long full, const char *above, double above_db);

#endif
