/* A reader of consecutive images of one format, whose rows come from a function. */
#ifndef GF_LIBRARY_IMAGES_H
#define GF_LIBRARY_IMAGES_H

#include "io/watch.h"
#include "library/arrays.h"

/* Returns a reader that is before its first image. Without `calls` it has no image, but their format. */
struct gf_reader *gf_images_open(const struct gf_format *f, struct gf_array_calls *calls, struct gf_notices *notices,
                                 struct gf_watch *watch, struct gf_error *err) GF_MUST_CHECK;

#endif
