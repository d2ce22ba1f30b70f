/* Finds values that an output cannot store, and warns about them. */
#ifndef GF_RUN_VALUE_LOSSES_H
#define GF_RUN_VALUE_LOSSES_H

#include "base/notice.h"
#include "chain/binding.h"
#include "io/watch.h"

#include <pthread.h>

/*
 * Returns the properties of the input to watch for the outputs of a binding. The bits are those of enum gf_watched.
 */
unsigned gf_value_losses_choose(const struct gf_binding *binding, const struct gf_outputs *outputs);
/* Returns the properties of the second image `side` to watch. */
unsigned gf_value_losses_choose_side(const struct gf_binding *binding, const struct gf_outputs *outputs,
                                     const struct gf_side *side);
/* Warns about losses of the input `name`. `format` is that of the output, NULL for a table. */
void gf_value_losses_warn(struct gf_watch *w, struct gf_notices *n, const struct gf_binding *binding, const char *name,
                          const char *format);
/* Warns about losses of the second image `side` beside the input `name`, among the properties `lost`. */
void gf_value_losses_warn_side(struct gf_watch *w, struct gf_notices *n, const struct gf_binding *binding,
                               unsigned lost, const struct gf_side *side, const char *name);

/* Warns that `stage` makes pixels transparent and that `format` has no alpha. */
void gf_value_losses_warn_clears(struct gf_notices *n, const char *name, const char *stage, const char *format);

/* ---- audio at full scale, where louder samples were clipped ---- */

/*
 * One end of a piece of audio: for each channel and each end of the scale, how many samples stand
 * there, up to 2.
 */
struct gf_clipping_edge {
    unsigned char run[2][GF_MAX_CHANNELS];
};

/* Frames [span.start, span.end) that have been counted. */
struct gf_clipping_piece {
    struct gf_span span;
    struct gf_clipping_edge first, last;
};

/* A count over pieces that any thread adds, in any order. */
struct gf_clipping {
    pthread_mutex_t lock;
    int64_t samples, each;               /* clipped at least; all at full scale */
    int64_t all;
    struct gf_clipping_piece *piece;     /* pieces that do not touch yet */
    int pieces, room;
};

void gf_clipping_open(struct gf_clipping *c);
/*
 * Counts samples at either end of the range of an integer if the two samples before them in their
 * channel are there, too. The result does not depend on how the audio is cut. Floats never clip.
 * `frames` are those of the span.
 */
void gf_clipping_count(struct gf_clipping *c, const struct gf_format *f, const void *frames, struct gf_span span);
/* Returns the count, or that of all samples at full scale if these are more than 1%, as in a high tone. */
int64_t gf_clipping_close(struct gf_clipping *c);
/*
 * Warns about `count` clipped samples in the file `name`, unless they are few. `above` is the stage
 * that raised peaks to `above_db` dB over full scale, or NULL.
 */
void gf_clipping_warn(struct gf_notices *n, const char *name, long long clipped, const char *above, double above_db);

#endif
