/*
 * Chains with stages that work on frames in time, look at images before they are bound, or change what a reader of
 * audio delivers: each is divided before such a stage.
 */
#ifndef GF_RUN_DIVIDED_H
#define GF_RUN_DIVIDED_H

#include "chain/chain.h"
#include "run/worker.h"

/* The parts of a chain, of which all except the first begin with such a stage. All zero: it has none. */
struct gf_divided {
    const struct gf_chain *typed;
    int parts;
    struct gf_chain *part;
};

/* Shows the plan of stages before such a stage; `w` and `to` are NULL if there are none. NULL shows nothing. */
struct gf_divided_show {
    int (*plan)(void *context, const struct gf_worker *w, const struct gf_writer *to,
                const struct gf_chain_word *following, struct gf_error *err);
    void *context;
    bool explains;                   /* no image is read or processed */
};

/* Returns the first such stage of a chain that needs a whole image or recording, or NULL. */
const struct gf_stage *gf_divided_stage(const struct gf_chain *chain);
/* Divides *chain, which is the last part then, if it has such stages. */
int gf_divided_make(struct gf_divided *t, const struct gf_chain **chain, struct gf_error *err) GF_MUST_CHECK;
void gf_divided_release(struct gf_divided *t);
/* Returns the stage that makes several recordings of one, or NULL. */
const struct gf_stage *gf_divided_splitting_stage(const struct gf_divided *t);
/*
 * Lets *reader deliver images with the windows that the last part needs, after the other parts: it becomes another
 * reader. The images that are kept use some of the memory of the worker. `watch` collects properties of the input.
 */
int gf_divided_open(const struct gf_divided *t, struct gf_worker *w, struct gf_reader **reader,
                     struct gf_watch *watch, const struct gf_divided_show *show, struct gf_error *err) GF_MUST_CHECK;

#endif
