/* Properties of the samples of an input, found as they are read: values that integers clip, pixels that are not opaque. */
#ifndef GF_WATCH_H
#define GF_WATCH_H

#include <pthread.h>

#include "chain/chain.h"
#include "base/notice.h"

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
/*
 * Returns the properties of the input that matter to the bound chain, to `stored` (NULL: a table) and to the tees:
 * bits of enum gf_watched.
 */
unsigned gf_watch_choose(const struct gf_chain *chain, const struct gf_format *stored);
/* Returns the properties of the second image `side` that matter to `stored` (NULL: a table) and to the tees. */
unsigned gf_watch_choose_side(const struct gf_chain *chain, const struct gf_side_picture *side, const struct gf_format *stored);
/* Looks at `count` packed units of such a signal. */
void gf_watch_look(struct gf_watch *w, unsigned watched, const struct gf_format *f, const void *units, int64_t count);
/* Warns about losses of the input `name`. `format` is that of the output, NULL for a table. */
void gf_watch_warn(struct gf_watch *w, struct gf_notices *n, const struct gf_chain *chain, const char *name,
                   const char *format);
/* Warns about losses of the second image `side` beside the input `name`, among the properties `lost`. */
void gf_watch_warn_side(struct gf_watch *w, struct gf_notices *n, unsigned lost, const struct gf_side_picture *side,
                        const char *name);

/* Warns that `stage` makes pixels transparent and that `format` has no alpha. */
void gf_watch_warn_clears(struct gf_notices *n, const char *name, const char *stage, const char *format);

#endif
