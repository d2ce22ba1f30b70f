/* Second images: their files are opened before a chain is bound, and read in step with the input. */
#ifndef GF_RUN_SIDES_H
#define GF_RUN_SIDES_H

#include "io/io.h"
#include "run/execute.h"
#include "run/run_context.h"
#include "run/side_image.h"

struct gf_sides {
    const struct gf_run_context *context;    /* devices and limits for reading and unpacking */
    const struct gf_limits *limits;
    struct gf_read_options read;             /* as for inputs, except --from */
    const char *input;                       /* the current input, for names with fields, */
    int base;                                /* of that name, as for gf_name_pattern_fill(), */
    int number;                              /* and its number among several, or 0 */
    struct gf_yuv input_yuv;                 /* how the input is stored: fields need fields */
    int64_t signal;                          /* index of the current image, from 0 */
    const struct gf_given *given;            /* images that the caller has, or NULL */
    /* gf_evened_open(), which gives audio another rate and other channels; NULL: it stays as it is */
    struct gf_reader *(*even)(const struct gf_run_context *context, const struct gf_limits *limits, struct gf_reader *r,
                              int32_t rate, int channels, const char *like, struct gf_error *err);
    int count;
    struct gf_side_file *file[GF_CHAIN_SIDES];
};

/* Begins another input: files with several images start again, and names with fields change. */
void gf_sides_begin(struct gf_sides *s, const struct gf_read_options *read, const char *input, int base, int number);
/*
 * Finds the image of side->file that belongs to the current image of the input, and sets the members
 * of *side that describe it. Returns -1 if the file ends earlier or cannot be read.
 */
int gf_sides_find(struct gf_sides *s, struct gf_side *side, struct gf_side_image **image,
                  struct gf_error *err) GF_MUST_CHECK;
/* Returns the name of a second image with another color profile than `meta`, or NULL. */
const char *gf_sides_other_profile(const struct gf_sides *s, const struct gf_meta *meta);
/*
 * Warns about samples of the images beside `input` that the outputs lose; `side` has the names of the current files.
 */
void gf_sides_warn(const struct gf_sides *s, const struct gf_binding *binding, const struct gf_outputs *outputs,
                   const struct gf_side *side, const char *input, struct gf_notices *n);
void gf_sides_close(struct gf_sides *s);

#endif
