/* The files whose pictures stand beside an input's: each is opened where a stage first names it, and read on with the input. */
#ifndef GF_RUN_SIDE_PICTURES_H
#define GF_RUN_SIDE_PICTURES_H

#include "chain/chain.h"
#include "chain/side_picture.h"
#include "io/io.h"
#include "run/run_context.h"

/* A second image as stages use it. It is freed when its last user releases it. */
struct gf_side_pictures_image;

/* Whoever asks for a picture holds it. */
struct gf_side_pictures {
    const struct gf_run_context *context;    /* what reading and unpacking may use */
    const struct gf_limits *limits;
    struct gf_read_options read;             /* as for inputs, except --from */
    const char *input;                       /* the one at hand, for names that are filled in, */
    int number;                              /* and which it is of several, or 0 */
    struct gf_yuv input_yuv;                 /* how it is stored: fields go with fields */
    int64_t signal;                          /* which of its pictures is at hand, from 0; chains learn it from here */
    int count;
    struct gf_side_file *file[GF_CHAIN_SIDES];
};

/* Another input begins: files of several pictures begin again, and one that is named after it is another. */
void gf_side_pictures_begin(struct gf_side_pictures *s, const struct gf_read_options *read, const char *input,
                            int number);
/* The picture of `name` that stands beside the input's at hand; -1 where the file ends before, or can't be read. */
int gf_side_pictures_find(struct gf_side_pictures *s, const char *name, struct gf_side_pictures_image **picture,
                          struct gf_error *err) GF_MUST_CHECK;
/* Describes the second image in `side`, except for the name of its file. */
void gf_side_pictures_image_describe(const struct gf_side_pictures_image *p, struct gf_side_picture *side);
/* What the file is called that stands for `name` with the input at hand, once it has been found. */
const char *gf_side_pictures_name(const struct gf_side_pictures *s, const char *name);
/* Unpacks the samples of the second image, unless that was done. Call it before anything reads them. */
int gf_side_pictures_image_prepare(struct gf_side_pictures_image *p, const struct gf_run_context *context,
                                   const struct gf_limits *limits, struct gf_error *err) GF_MUST_CHECK;
/* The name of one that is colours by another profile than those that `meta` tells of; or NULL. */
const char *gf_side_pictures_other_profile(const struct gf_side_pictures *s, const struct gf_meta *meta);
/* Warns about samples of the images beside `input` that `stored` (NULL: a table) and the tees of the chain lose. */
void gf_side_pictures_warn(const struct gf_side_pictures *s, const struct gf_chain *chain,
                           const struct gf_format *stored, const char *input, struct gf_notices *n);
/* NULL is fine. */
void gf_side_pictures_image_release(struct gf_side_pictures_image *p);
void gf_side_pictures_close(struct gf_side_pictures *s);

#endif
