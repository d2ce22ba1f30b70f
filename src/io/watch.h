/* Properties of the samples of an input, found as they are read: values that integers clip, pixels that are not opaque. */
#ifndef GF_IO_WATCH_H
#define GF_IO_WATCH_H

#include "base/signal.h"

#include <pthread.h>

/* Properties to look for. */
enum gf_watched { GF_WATCH_RANGE = 1, GF_WATCH_NUMBERS = 2, GF_WATCH_ALPHA = 4 };

/* The findings of all lanes and frames, from any thread. */
struct gf_watch {
    pthread_mutex_t lock;
    bool lossy;                          /* small overshoots are no matter; the owner sets it */
    bool audio;                          /* floats are from -1 to 1 */
    int64_t samples;                     /* of floats that were looked at, and among them: */
    int64_t outside;                     /* by more than half a step of 8 bits (images) or 16 bits (audio) */
    int64_t not_numbers;                 /* NaN or infinite */
    float least, most;                   /* finite ones; infinity and -infinity if there are none */
    bool clear;                          /* a pixel is not opaque */
};

void gf_watch_open(struct gf_watch *w);
void gf_watch_close(struct gf_watch *w);
/* Forgets the findings. */
void gf_watch_reset(struct gf_watch *w);
/* Looks at `count` packed units of such a signal. */
void gf_watch_look(struct gf_watch *w, unsigned watched, const struct gf_format *f, const void *units, int64_t count);

#endif
