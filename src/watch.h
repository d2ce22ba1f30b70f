/* What the samples of an input are like, seen as they are read: values that integers clip, and pixels that are not opaque. */
#ifndef GF_WATCH_H
#define GF_WATCH_H

#include <pthread.h>

#include "chain.h"
#include "notice.h"

/* What to look for. */
enum gf_watched { GF_WATCH_RANGE = 1, GF_WATCH_NUMBERS = 2, GF_WATCH_ALPHA = 4 };

/* What lanes and frames found, from any thread. */
struct gf_watch {
    pthread_mutex_t lock;
    int64_t samples;                     /* of floats that were looked at, and among them: */
    int64_t outside;                     /* below 0 or above 1, by more than half a step of 8 bits */
    int64_t not_numbers;                 /* NaN or infinite */
    float least, most;                   /* finite ones */
    bool clear;                          /* a pixel is not opaque */
};

void gf_watch_open(struct gf_watch *w);
void gf_watch_close(struct gf_watch *w);
/*
 * Which properties of the input matter to what the bound chain does and what `stored` (NULL: a table) and the tees store:
 * bits of enum gf_watched.
 */
unsigned gf_watch_choose(const struct gf_chain *chain, const struct gf_format *stored);
/* Looks at `count` packed units of such a signal. */
void gf_watch_look(struct gf_watch *w, unsigned watched, const struct gf_format *f, const void *units, int64_t count);
/* Warns about what the input `name` loses. `format` is that of the output, NULL for a table. */
void gf_watch_warn(struct gf_watch *w, struct gf_notices *n, const struct gf_chain *chain, const char *name, const char *format);

/* Warns that `stage` makes pixels transparent and that `format` has no alpha. */
void gf_watch_warn_clears(struct gf_notices *n, const char *name, const char *stage, const char *format);

#endif
