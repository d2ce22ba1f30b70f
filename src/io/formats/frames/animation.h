/* Functions for writers of animations: they check sizes, round durations, and find the part of a frame that changed. */
#ifndef GF_FORMATS_ANIMATION_H
#define GF_FORMATS_ANIMATION_H

#include "io/format.h"
#include "io/formats/frames/canvas.h"

struct gf_animation {
    int64_t images;                      /* begun so far */
    struct gf_format format;             /* of the first image, and so of all */
    bool timed;                          /* the duration of the first image is known */
    double seconds;                      /* durations of the images so far */
    int64_t ticks;                       /* the same in units of the format */
    int64_t stated;                      /* images whose duration the input states, */
    double before;                       /* and the sum of those, in seconds */
};

/*
 * Notes that an image begins. Fails for a second one unless the durations of both are known, and for
 * one that differs from the first in size or samples.
 */
int gf_animation_begin_image(struct gf_animation *a, const struct gf_writer *w, struct gf_error *err) GF_MUST_CHECK;
/* Warns if --rate changes how fast frames follow one another; before, `old` were shown per second, 0: unknown. */
void gf_animation_warn_speed(const struct gf_writer *w, double old);
/* Returns true if the duration of the current image is known, by --rate or the input. */
bool gf_animation_is_timed(const struct gf_writer *w);
/* Returns the duration of the current image: that of --rate, or of the input. */
struct gf_shown gf_animation_shown(const struct gf_writer *w);
/*
 * Returns the duration of the current image in units of a format, at most `most`. They are rounded so that the
 * sum stays right: at 30 images per second, hundredths are 3, 4, 3, 3, 4. Call it once for each image.
 */
int gf_animation_ticks(struct gf_animation *a, const struct gf_writer *w, int per_second, int most);
/* Warns at the end of a file if --rate had no effect, because there is only one image, or changed the speed. */
void gf_animation_end(const struct gf_animation *a, const struct gf_writer *w);
/* Returns the smallest rectangle outside of which two frames are equal; its size is 0 if they are. */
struct gf_canvas_place gf_animation_changed(const unsigned char *before, const unsigned char *now, int64_t width,
                                            int64_t rows, size_t pixel_bytes);

#endif
