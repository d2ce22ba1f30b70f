/*
 * One image made of all images of an input, by a joining stage: stages before it run on each image with a worker of
 * their own; then the reader of the input delivers the result, for the stages after it.
 */
#ifndef GF_RUN_GATHERED_H
#define GF_RUN_GATHERED_H

#include "run/gathered_stack.h"
#include "run/gathered_tiles.h"
#include "run/worker.h"

/* The stages before a joining stage, and itself. */
struct gf_gathering {
    const struct gf_chain *front;
    const char *stage;
    struct gf_joining how;
};

struct gf_gathered {
    struct gf_run_context context;       /* with the stages before */
    struct gf_worker *worker;
    struct gf_sink sink;                 /* `writer` collects the images */
    struct gf_writer writer;
    struct gf_meta meta;                 /* of the first image */
    struct gf_gathered_images images;
    struct gf_tiles tiles;
    struct gf_stack stack;
    struct gf_format result;             /* as it is if all images are like the first, until they are collected */
    bool exact;                          /* it cannot be another one */
    int depth;                           /* of the images, if results of stages are floats; 0: that of the result */
    const char *file;                    /* of the last image, and its number in that */
    int64_t number;
    size_t start;                        /* bytes before the rows of the image that is being added */
    int64_t rows;                        /* of it that were added */
    char name[64];
};

/* Plans the first image of `reader`, of `count` files (0: unknown). Returns NULL on failure. */
struct gf_gathered *gf_gathered_open(struct gf_worker *w, struct gf_reader *reader, const struct gf_gathering *how,
                                     struct gf_error *err) GF_MUST_CHECK;
/* Collects all images; *reader then delivers the result, and owns *g, which is NULL then. */
int gf_gathered_run(struct gf_gathered **g, struct gf_reader **reader, struct gf_error *err) GF_MUST_CHECK;
/* Lets the reader deliver an image of the expected format, for --explain: its samples cannot be read. */
void gf_gathered_pretend(struct gf_gathered **g, struct gf_reader *reader);
void gf_gathered_free(struct gf_gathered *g);

#endif
