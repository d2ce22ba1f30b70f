/* Animations of PNG: what the reader of chunks and the reader of frames share. Built if HAVE_INFLATE. */
#ifndef GF_FORMATS_PNG_CONTROL_H
#define GF_FORMATS_PNG_CONTROL_H

#include "io/formats/frames/canvas.h"
#include "io/formats/frames/frame_times.h"
#include "io/formats/png/png.h"

#define GF_PNG_CONTROL_BYTES 26          /* of an fcTL chunk */

enum gf_png_dispose { GF_PNG_DISPOSE_NONE, GF_PNG_DISPOSE_CLEAR, GF_PNG_DISPOSE_RESTORE };

/* A frame as its fcTL chunk describes it. */
struct gf_png_control {
    struct gf_canvas_place place;
    int count, per_second;       /* its duration is count / per_second seconds */
    int dispose;
    bool over;                   /* blended with the canvas; if false, it replaces the pixels there */
};

struct gf_png_animation {
    struct gf_png screen;        /* the header; the reader's `head` has the size of the frame */
    uint32_t announced;          /* number of frames in acTL */
    int plays;                   /* times that it plays, as in acTL; 0: without end */
    uint32_t sequence;           /* sequence number of the next fcTL or fdAT */
    bool default_shown;          /* the default image is the first frame */
    struct gf_png_control now, scanned;
    struct gf_frame_times times;
    struct gf_yuv timing;
    int64_t frames;
    struct gf_canvas canvas;     /* always with alpha */
    bool clear;                  /* some composed pixels are transparent, although no stored pixel is */
};

static inline struct gf_png_animation *gf_png_animation_of(const struct gf_reader *r)
{
    return ((struct gf_png_reader *)r->state)->animation;
}

/* Processes acTL, and fcTL before the first image data. */
int gf_png_take_animation(struct gf_reader *r, const char *type, const unsigned char *data, size_t size,
                          struct gf_error *err) GF_MUST_CHECK;
/* Checks the sequence number of a chunk. */
int gf_png_check_sequence(const struct gf_reader *r, const unsigned char *number, struct gf_error *err) GF_MUST_CHECK;
/* Processes an fcTL chunk in advance, to sum the durations of all frames. */
void gf_png_scan_control(struct gf_reader *r, const unsigned char *data, size_t size);
/* Adds a frame to the durations. */
void gf_png_scan_frame(struct gf_png_animation *a, struct gf_png_control c);
/* Reads an fcTL chunk for the next frame; `screen` has the size of the animation. NULL data: it is malformed. */
int gf_png_read_control(struct gf_reader *r, const struct gf_png *screen, const unsigned char *data, size_t size,
                        struct gf_error *err) GF_MUST_CHECK;

#endif
