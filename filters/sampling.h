/* Options and operations of stages that take values at positions between pixels: rotate, warp, lens and remap. */
#ifndef GF_FILTERS_SAMPLING_H
#define GF_FILTERS_SAMPLING_H

#include "chain/stage.h"
#include "filters/light_option.h"
#include "kernels/geometry/warp.h"

struct gf_sampling {
    struct gf_colour background;
    int edge;
    int filter;
    int light;
};

extern const char *const gf_sampling_edges[], *const gf_sampling_filters[], *const gf_sampling_lights[];
#define GF_EDGE_BACKGROUND 5             /* index of "bg" */

/* The rows of options for a struct with a member `struct gf_sampling sampling`, with the default color of text. */
#define GF_SAMPLING_OPTIONS(config, opaque)                                                                         \
    { .name = "bg", .type = GF_OPTION_COLOUR, .offset = offsetof(config, sampling.background), .key_only = true,    \
      .text = "color of the background; by default transparent if there is alpha, otherwise " opaque },             \
    { .name = "edge", .type = GF_OPTION_CHOICE, .offset = offsetof(config, sampling.edge),                          \
      .by_default = GF_EDGE_BACKGROUND, .choices = gf_sampling_edges, .key_only = true,                             \
      .text = "pixels beyond the image; bg: the background" },                                                      \
    { .name = "filter", .type = GF_OPTION_CHOICE, .offset = offsetof(config, sampling.filter),                      \
      .by_default = GF_LINEAR, .choices = gf_sampling_filters, .key_only = true, .text = "how to interpolate" },    \
    { .name = "light", .type = GF_OPTION_CHOICE, .offset = offsetof(config, sampling.light),                        \
      .by_default = GF_LIGHT_ENCODED, .choices = gf_sampling_lights, .key_only = true, .text = GF_LIGHT_TEXT }

/* Describes the pixels beyond the image to an operation. */
struct gf_sampled_border {
    bool use_background;
    enum gf_border border;
    float background[4];
};

/* Fails if options of the stage exclude each other, or if a side of the image or the result is too long. */
int gf_sampling_check(const char *stage, const struct gf_sampling *s, const struct gf_format *in,
                      const struct gf_format *out, struct gf_error *err) GF_MUST_CHECK;
/* Returns the pixels beyond an image: in linear light if light=linear, and premultiplied. */
struct gf_sampled_border gf_sampling_border(const struct gf_sampling *s, const struct gf_format *in);
/*
 * Adds an operation that needs the whole image, in the light that the options name and with premultiplied colors. Warns
 * if pixels are not square. `clears` says that pixels of the result may be background. `side` is the number of its
 * second source, or -1.
 */
int gf_sampling_add(const char *stage, const struct gf_sampling *s, bool clears, const struct gf_operation *op,
                    const void *params, int side, struct gf_format *out, struct gf_build *build,
                    struct gf_error *err) GF_MUST_CHECK;
/* Adds the operation of warp in this way, and fills in what the options say of pixels beyond the image. */
int gf_sampling_add_warp(const char *stage, const struct gf_sampling *s, struct gf_warp *op, int side,
                         struct gf_format *out, struct gf_build *build, struct gf_error *err) GF_MUST_CHECK;

#endif
