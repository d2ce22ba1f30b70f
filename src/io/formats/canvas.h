/* The canvas of an animation: frames are drawn on it, cleared, or taken back. */
#ifndef GF_FORMATS_CANVAS_H
#define GF_FORMATS_CANVAS_H

#include "io/io.h"

struct gf_canvas {
    unsigned char *pixels;       /* zero is clear; NULL before gf_canvas_open() */
    int64_t width, height;
    size_t pixel_bytes;
    unsigned char *under;        /* pixels that gf_canvas_keep() keeps */
    size_t under_bytes;
};

/* A rectangle of it; parts may lie outside. */
struct gf_canvas_place {
    int64_t x, y, width, height;
};

/* Makes a clear one, after a check that it and as much again for gf_canvas_keep() are within the limits. */
int gf_canvas_open(struct gf_canvas *c, const char *name, const struct gf_read_options *o,
                   struct gf_error *err) GF_MUST_CHECK;
void gf_canvas_close(struct gf_canvas *c);

/* The part of a place that lies on the canvas; without pixels if there is none. */
struct gf_canvas_place gf_canvas_seen(const struct gf_canvas *c, struct gf_canvas_place place);
unsigned char *gf_canvas_at(const struct gf_canvas *c, int64_t x, int64_t y);

void gf_canvas_clear(const struct gf_canvas *c, struct gf_canvas_place place);
/* Keeps what a place shows; gf_canvas_restore() with the same place brings it back. */
int gf_canvas_keep(struct gf_canvas *c, struct gf_canvas_place place, const char *name,
                   struct gf_error *err) GF_MUST_CHECK;
void gf_canvas_restore(const struct gf_canvas *c, struct gf_canvas_place place);

#endif
