/* A run: a plan with the state that changes while its signal passes through. */
#ifndef GF_RUN_RUN_H
#define GF_RUN_RUN_H

#include "chain/binding.h"
#include "plan/plan.h"

struct gf_device_ends;
struct gf_spool;

/* The samples of a second input. */
struct gf_side_samples {
    const void *data;
    const struct gf_spool *spool;            /* the file that `data` is mapped from; NULL: none */
    /* unique in the process, so that owners of a copy can tell if it is still current */
    uint64_t number;
};

/* The images around the current one that stages need, in their order. */
struct gf_run_window {
    int frames, now;                                 /* their number, 0: no window; the index of the current one */
    double between;                                  /* as in struct gf_io */
    uint64_t number;                                 /* unique in the process, the same for all images of a stage */
    struct gf_side_samples pixels[GF_MOST_FRAMES];   /* as stages read them, unless they work on planes, */
    const void *stored[GF_MOST_FRAMES];              /* which are parts of the samples as they were read */
    double luma[GF_MOST_FRAMES];                     /* the brightness of each, if a stage declares that it needs it */
};

/* A plan with everything that it needs to run, and that changes meanwhile. */
struct gf_run {
    struct gf_plan *plan;
    const struct gf_binding *binding, *plane[2];     /* of the signal, and of its luma and chroma; NULL: none */
    int64_t signal;                                  /* number of the image in its input, from 0 */
    struct gf_side side[GF_CHAIN_SIDES];             /* second inputs in the order of the binding, */
    struct gf_side_samples samples[GF_CHAIN_SIDES];  /* and their samples */
    struct gf_run_window window;
    /* stages that measure write to these tables, one for each binding; NULL: there are none, the binding's are used */
    float *tables[3];
    struct gf_findings findings;
    const bool *stop;                                /* see struct gf_job */
    const struct gf_device_ends *ends;               /* see struct gf_job */
};

#endif
