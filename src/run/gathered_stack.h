/* Stacks: one value of the samples of all images at each place. */
#ifndef GF_RUN_GATHERED_STACK_H
#define GF_RUN_GATHERED_STACK_H

#include "run/gathered_images.h"

/* All zero before the first image. */
struct gf_stack {
    struct gf_format in, out;            /* of each image, and of the result */
    const char *first;                   /* name of the first image */
    int64_t samples;                     /* of an image */
    struct gf_spool sums, squares;       /* of all images so far, by sample */
};

/* Returns the format of the result of images in format `in`. */
struct gf_format gf_stack_result(enum gf_stack_of of, const struct gf_format *in);
/* Begins another image, which must have the format of the first; the caller adds it to the images. */
int gf_stack_begin(struct gf_stack *s, const struct gf_gathered_images *g, const struct gf_format *in,
                   const char *name, struct gf_error *err) GF_MUST_CHECK;
/* Adds samples of image `number`, from 0. */
void gf_stack_add(struct gf_stack *s, const struct gf_joining *how, int64_t number, int64_t start, const void *samples,
                  int64_t count);
/* Reads rows of the result. Several threads may call it at the same time. */
int gf_stack_read(const struct gf_stack *s, const struct gf_gathered_images *g, int64_t start, void *units,
                  int64_t count, struct gf_error *err) GF_MUST_CHECK;
void gf_stack_release(struct gf_stack *s);

#endif
