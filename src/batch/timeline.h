/* Chains with stages that work on frames in time: each is divided before such a stage, which needs images, not rows. */
#ifndef GF_BATCH_TIMELINE_H
#define GF_BATCH_TIMELINE_H

#include "chain/chain.h"
#include "run/worker.h"

/* The parts of a chain, of which all except the first begin with such a stage. All zero: it has none. */
struct gf_timeline {
    const struct gf_chain *typed;
    int parts;
    struct gf_chain *part;
};

/* Shows the plan of stages before such a stage. NULL functions show nothing. */
struct gf_timeline_show {
    int (*plan)(void *context, const struct gf_worker *w, const struct gf_writer *to, const char *stage,
                struct gf_error *err);
    void *context;
    bool explains;                   /* no image is read or processed */
};

/* Divides *chain, which is the last part then, if it has such stages. */
int gf_timeline_split(struct gf_timeline *t, const struct gf_chain **chain, struct gf_error *err) GF_MUST_CHECK;
void gf_timeline_release(struct gf_timeline *t);
/*
 * Lets *reader deliver images with the windows that the last part needs, after the other parts: it becomes another
 * reader. The images that are kept use some of the memory of the worker. `watch` collects properties of the input.
 */
int gf_timeline_open(const struct gf_timeline *t, struct gf_worker *w, struct gf_reader **reader,
                     struct gf_watch *watch, const struct gf_timeline_show *show, struct gf_error *err) GF_MUST_CHECK;

#endif
