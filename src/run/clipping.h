/* Samples of sound at full scale, where louder ones are cut off. */
#ifndef GF_RUN_CLIPPING_H
#define GF_RUN_CLIPPING_H

#include "base/notice.h"
#include "base/signal.h"

#include <pthread.h>

/* How one end of a piece of sound looks: of each channel, at either end of the scale, how many samples stand there, up to 2. */
struct gf_clipping_edge {
    unsigned char run[2][GF_MAX_CHANNELS];
};

/* Frames [span.start, span.end) that have been counted. */
struct gf_clipping_piece {
    struct gf_span span;
    struct gf_clipping_edge first, last;
};

/* A count of pieces that come from any thread, in any order. */
struct gf_clipping {
    pthread_mutex_t lock;
    int64_t samples;
    struct gf_clipping_piece *piece;     /* those that do not touch yet */
    int pieces, room;
};

void gf_clipping_open(struct gf_clipping *c);
/*
 * Counts the samples at either end of what an integer holds that stand there as the two before them do in their
 * channel, wherever the sound is cut; floats are never cut off. `frames`: those of the span.
 */
void gf_clipping_count(struct gf_clipping *c, const struct gf_format *f, const void *frames, struct gf_span span);
/* How many there were. */
int64_t gf_clipping_close(struct gf_clipping *c);
/*
 * Warns about so many clipped samples in the file `name`, unless they are few. `above` is the stage that raised peaks by
 * `above_db` dB over full scale, if one reported that (else NULL).
 */
void gf_clipping_warn(struct gf_notices *n, const char *name, long long clipped, const char *above, double above_db);

#endif
