/*
 * The window of stages that work on frames in time: a reader that reads ahead of the image that it delivers, and keeps
 * the images before it. Each image is read once, and is freed when nobody needs it any more.
 */
#ifndef GF_RUN_WINDOW_H
#define GF_RUN_WINDOW_H

#include "chain/stage.h"
#include "io/io.h"
#include "run/run_context.h"
#include "run/side_image.h"

/* References to the images of a window, in their order. */
struct gf_window_images {
    int count;
    struct gf_side_image *image[GF_MOST_FRAMES];
};

/*
 * Returns a reader that keeps the images around its current one for `stage`, and owns `r`, whose current image is its
 * first. It uses some of the memory that *limits allow. On failure the caller keeps `r`.
 */
struct gf_reader *gf_window_open(struct gf_reader *r, const char *stage, struct gf_frames need,
                                 const struct gf_run_context *context, struct gf_limits *limits,
                                 struct gf_error *err) GF_MUST_CHECK;
/* Takes the window of the current image of `r`, in place of an earlier one. It is empty if `r` keeps none. */
void gf_window_take(const struct gf_reader *r, struct gf_window_images *images, struct gf_run_window *window);
void gf_window_release(struct gf_window_images *images);

#endif
