/*
 * One image made of all images of an input, by a joining stage: stages before it run on each image with a worker of
 * their own; then the reader of the input delivers the result, for the stages after it.
 */
#ifndef GF_RUN_GATHERED_H
#define GF_RUN_GATHERED_H

#include "run/gathered_stack.h"
#include "run/gathered_tiles.h"
#include "run/worker.h"

struct gf_gathering {
    const struct gf_chain *typed, *front;    /* all stages; those up to the joining stage */
    const char *stage;
    struct gf_joining how;
};

struct gf_gathered {
    struct gf_run_context context;       /* with the stages before */
    struct gf_worker *worker;
    struct gf_notices *notices;
    struct gf_sink sink;                 /* `writer` collects the images */
    struct gf_writer writer;
    struct gf_meta meta;                 /* of the first image */
    const char *first;                   /* its name */
    bool warned;                         /* an image has other colors */
    int aspect[2];                       /* of the pixels of the first image */
    struct gf_gathered_images images;
    struct gf_tiles tiles;
    struct gf_stack stack;
    struct gf_format result;             /* what it is if all images are like the first, until they are collected */
    int64_t expected;                    /* how many images there will be */
    int64_t results;                     /* so far */
    int bits;                            /* the most that integer images have; -1: there are floats */
    int64_t rows;                        /* of the current image that were added, or of the result that were read */
    char name[64];
};

/* Plans the first image of `reader`. Returns NULL on failure. */
struct gf_gathered *gf_gathered_open(struct gf_worker *w, struct gf_reader *reader, const struct gf_gathering *how,
                                     struct gf_error *err) GF_MUST_CHECK;
/*
 * Collects all images; *reader then delivers the result, and owns *g, which is NULL then. *depth is that of the images
 * if stages made floats of integers; 0: the result has it.
 */
int gf_gathered_run(struct gf_gathered **g, struct gf_reader **reader, int *depth, struct gf_error *err) GF_MUST_CHECK;
/* Lets the reader deliver an image of the expected format, for --explain: its samples cannot be read. */
void gf_gathered_pretend(struct gf_gathered **g, struct gf_reader *reader, int *depth);
void gf_gathered_free(struct gf_gathered *g);

#endif
