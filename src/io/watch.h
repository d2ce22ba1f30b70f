/*
 * Finds properties of samples as they are read: values
 * that integers clip, pixels that are not opaque.
 */
#ifndef GF_IO_WATCH_H
#define GF_IO_WATCH_H

#include "base/signal.h"

#include <pthread.h>

/* Properties to look for. */
enum gf_watched { GF_WATCH_RANGE = 1, GF_WATCH_NUMBERS = 2, GF_WATCH_ALPHA = 4 };

/* The findings of all lanes and frames. Any thread may add to them. */
struct gf_watch {
    pthread_mutex_t lock;
    bool lossy;                          /* small overshoots do not count; set by the owner */
    bool audio;                          /* full scale is -1 to 1, else 0 to 1 */
    int64_t samples;                     /* floats checked; of these: */
    int64_t outside;                     /* beyond full scale by half a step of 8 bits (images) or 16 bits (audio) */
    int64_t not_numbers;                 /* NaN or infinite */
    float least, most;                   /* range of finite values; infinity and -infinity if there are none */
    bool clear;                          /* a pixel is not opaque */
};

void gf_watch_open(struct gf_watch *w);
void gf_watch_close(struct gf_watch *w);
/* Clears the findings. */
void gf_watch_reset(struct gf_watch *w);
/* Checks `count` packed units for the properties in `watched`. */
void gf_watch_look(struct gf_watch *w, unsigned watched, const struct gf_format *f, const void *units, int64_t count);

#endif
