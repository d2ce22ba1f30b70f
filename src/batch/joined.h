/* --join: the images of all inputs go to one output, one after another. */
#ifndef GF_BATCH_JOINED_H
#define GF_BATCH_JOINED_H

#include "batch/output_names.h"
#include "chain/chain.h"
#include "run/run_context.h"

/* The stages for images of another size than the first. */
struct gf_joined {
    enum gf_join join;
    char *const *inputs;             /* all of them */
    int count;
    struct gf_chain added, sized;    /* the stages that are added, and the whole chain with them */
};

/*
 * Refuses names of outputs and files of stages that would be different for each input, and several inputs if the format
 * of the output stores only one image.
 */
int gf_joined_check(const struct gf_output_names *names, int inputs, const struct gf_chain *chain,
                    struct gf_error *err) GF_MUST_CHECK;
/* With --join=fit|pad, results of other images get the size of `first`, the result of the first image. */
int gf_joined_set_size(struct gf_joined *j, struct gf_run_context *context, const struct gf_format *first,
                       struct gf_error *err) GF_MUST_CHECK;
/* Releases the stages, when nothing is bound to them any more. */
void gf_joined_release(struct gf_joined *j);

#endif
