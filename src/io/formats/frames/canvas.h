/*
 * The canvas on which the frames of an animation are drawn, with functions to clear and restore
 * parts of it.
 */
#ifndef GF_FORMATS_CANVAS_H
#define GF_FORMATS_CANVAS_H

#include "io/io.h"

struct gf_canvas {
    unsigned char *pixels;       /* zero is transparent; NULL before gf_canvas_open() */
    int64_t width, height;
    size_t pixel_bytes;
    unsigned char *under;        /* pixels saved by gf_canvas_keep() */
    size_t under_bytes;
};

/* A rectangle on the canvas. Parts of it may lie outside. */
struct gf_canvas_place {
    int64_t x, y, width, height;
};

/*
 * Allocates a transparent canvas. Checks first that two such canvases, one of them for
 * gf_canvas_keep(), are within the limits.
 */
int gf_canvas_open(struct gf_canvas *c, const char *name, const struct gf_read_options *o,
                   struct gf_error *err) GF_MUST_CHECK;
void gf_canvas_close(struct gf_canvas *c);

/* Returns the part of a rectangle that lies on the canvas; its size is 0 if there is none. */
struct gf_canvas_place gf_canvas_seen(const struct gf_canvas *c, struct gf_canvas_place place);
unsigned char *gf_canvas_at(const struct gf_canvas *c, int64_t x, int64_t y);

void gf_canvas_clear(const struct gf_canvas *c, struct gf_canvas_place place);
/* Saves the pixels of a rectangle. gf_canvas_restore() with the same rectangle brings them back. */
int gf_canvas_keep(struct gf_canvas *c, struct gf_canvas_place place, const char *name,
                   struct gf_error *err) GF_MUST_CHECK;
void gf_canvas_restore(const struct gf_canvas *c, struct gf_canvas_place place);

#endif
