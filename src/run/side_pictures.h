/* Second images: each file is opened when a stage first names it, and read in step with the input. */
#ifndef GF_RUN_SIDE_PICTURES_H
#define GF_RUN_SIDE_PICTURES_H

#include "chain/binding.h"
#include "chain/side_picture.h"
#include "io/io.h"
#include "run/run_context.h"

/* A second image as stages use it. It is freed when its last user releases it. */
struct gf_side_pictures_image;

/* The user of an image holds a reference to it. */
struct gf_side_pictures {
    const struct gf_run_context *context;    /* devices and limits for reading and unpacking */
    const struct gf_limits *limits;
    struct gf_read_options read;             /* as for inputs, except --from */
    const char *input;                       /* the current input, for names with fields, */
    int number;                              /* and its number among several, or 0 */
    struct gf_yuv input_yuv;                 /* how the input is stored: fields need fields */
    int64_t signal;                          /* index of the current image, from 0, which chains also use */
    int count;
    struct gf_side_file *file[GF_CHAIN_SIDES];
};

/* Begins another input: files with several images start again, and names with fields change. */
void gf_side_pictures_begin(struct gf_side_pictures *s, const struct gf_read_options *read, const char *input,
                            int number);
/*
 * Returns the image of `name` that belongs to the current image of the input. Returns -1 if the
 * file ends earlier or cannot be read.
 */
int gf_side_pictures_find(struct gf_side_pictures *s, const char *name, struct gf_side_pictures_image **picture,
                          struct gf_error *err) GF_MUST_CHECK;
/* Describes the second image in `side`, except for the name of its file. */
void gf_side_pictures_image_describe(const struct gf_side_pictures_image *p, struct gf_side_picture *side);
/* Returns the file name for `name` and the current input, once the file has been found. */
const char *gf_side_pictures_name(const struct gf_side_pictures *s, const char *name);
/* Unpacks the samples of the second image, unless that is done. Call it before reading them. */
int gf_side_pictures_image_prepare(struct gf_side_pictures_image *p, const struct gf_run_context *context,
                                   const struct gf_limits *limits, struct gf_error *err) GF_MUST_CHECK;
/* Returns the name of a second image with another color profile than `meta`, or NULL. */
const char *gf_side_pictures_other_profile(const struct gf_side_pictures *s, const struct gf_meta *meta);
/* Warns about samples of the images beside `input` that `stored` (NULL: a table) and the tees of the chain lose. */
void gf_side_pictures_warn(const struct gf_side_pictures *s, const struct gf_binding *binding,
                           const struct gf_format *stored, const char *input, struct gf_notices *n);
/* NULL is allowed. */
void gf_side_pictures_image_release(struct gf_side_pictures_image *p);
void gf_side_pictures_close(struct gf_side_pictures *s);

#endif
