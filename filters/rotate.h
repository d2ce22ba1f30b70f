/* Rotation by any angle: rotate, and deskew, which finds the angle. */
#ifndef GF_FILTERS_ROTATE_H
#define GF_FILTERS_ROTATE_H

#include "filters/sampling.h"

enum gf_rotate_fit { GF_ROTATE_EXPAND, GF_ROTATE_KEEP, GF_ROTATE_INNER };

struct gf_rotate {
    double degrees;                      /* clockwise */
    int fit;                             /* enum gf_rotate_fit */
    struct gf_sampling sampling;
};

extern const char *const gf_rotate_fits[];

/* The row of the option `fit`. */
#define GF_ROTATE_FIT_OPTION                                                                                        \
    { .name = "fit", .type = GF_OPTION_CHOICE, .offset = offsetof(struct gf_rotate, fit),                           \
      .by_default = GF_ROTATE_EXPAND, .choices = gf_rotate_fits, .key_only = true,                                  \
      .text = "expand: enlarge the image so that all of it is visible; keep: keep the size; inner: the largest "    \
              "rectangle without background" }

/* Binds the rotation for a stage of this name. */
int gf_rotate_bind(const char *stage, const struct gf_rotate *r, const struct gf_format *in, struct gf_build *build,
                   struct gf_error *err) GF_MUST_CHECK;

#endif
