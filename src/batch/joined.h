/* Inputs that are one input: the images of all files go to one output, or a stage makes one image of them. */
#ifndef GF_BATCH_JOINED_H
#define GF_BATCH_JOINED_H

#include "batch/output_names.h"
#include "chain/chain.h"
#include "run/gathered.h"
#include "run/run_context.h"

struct gf_joined {
    enum gf_join join;
    char *const *inputs;             /* all of them */
    int count;
    struct gf_chain added;           /* the stages that are added */
    struct gf_chain sized;           /* --join=fit|pad: all stages, for images of another size than the first */
    struct gf_chain front, rest;     /* the stages up to a joining stage, and those after it */
    struct gf_gathering gathering;   /* .stage is NULL if there is none */
    struct gf_chain_origin origin[2]; /* of the stages that are added */
    char place[32];
};

/* Returns the joining stage of a chain, or NULL. */
const struct gf_stage *gf_joined_stage(const struct gf_chain *chain);
/* Divides the chain of a run at its joining stage, if there is one; context->chain is the rest then. */
int gf_joined_split(struct gf_joined *j, struct gf_run_context *context, struct gf_error *err) GF_MUST_CHECK;

/*
 * Refuses names of outputs and files of stages that would be different for each input, and several `images` if the
 * format of the output stores only one.
 */
int gf_joined_check(const struct gf_output_names *names, int inputs, bool images, const struct gf_chain *chain,
                    struct gf_error *err) GF_MUST_CHECK;
/* With --join=fit|pad, results of other images get the size of `first`, the result of the first image. */
int gf_joined_set_size(struct gf_joined *j, struct gf_run_context *context, const struct gf_format *first,
                       struct gf_error *err) GF_MUST_CHECK;
/* Releases the stages, when nothing is bound to them any more. */
void gf_joined_release(struct gf_joined *j);

#endif
