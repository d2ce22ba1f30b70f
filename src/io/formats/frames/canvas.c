/* The canvas on which the frames of an animation are drawn. */
#include "io/formats/frames/canvas.h"

#include "io/format.h"
#include "io/limits.h"

#include <stdlib.h>
#include <string.h>

int gf_canvas_open(struct gf_canvas *c, const char *name, const struct gf_read_options *o, struct gf_error *err)
{
    if (gf_limits_check_size(name, c->width, c->height, 2 * (int64_t)c->pixel_bytes, o, err) != 0)
        return -1;
    c->pixels = calloc((size_t)c->width * (size_t)c->height, c->pixel_bytes);
    return c->pixels != NULL ? 0 : gf_fail_memory(err, name);
}

void gf_canvas_close(struct gf_canvas *c)
{
    free(c->pixels);
    free(c->under);
    *c = (struct gf_canvas) { 0 };
}

struct gf_canvas_place gf_canvas_seen(const struct gf_canvas *c, struct gf_canvas_place place)
{
    const int64_t columns = c->width - place.x, rows = c->height - place.y;

    if (columns <= 0 || rows <= 0)
        return (struct gf_canvas_place) { 0 };
    if (place.width > columns)
        place.width = columns;
    if (place.height > rows)
        place.height = rows;
    return place;
}

unsigned char *gf_canvas_at(const struct gf_canvas *c, int64_t x, int64_t y)
{
    return c->pixels + ((size_t)y * (size_t)c->width + (size_t)x) * c->pixel_bytes;
}

void gf_canvas_clear(const struct gf_canvas *c, struct gf_canvas_place place)
{
    const struct gf_canvas_place seen = gf_canvas_seen(c, place);

    for (int64_t y = 0; y < seen.height; y++)
        memset(gf_canvas_at(c, seen.x, seen.y + y), 0, (size_t)seen.width * c->pixel_bytes);
}

int gf_canvas_keep(struct gf_canvas *c, struct gf_canvas_place place, const char *name, struct gf_error *err)
{
    const struct gf_canvas_place seen = gf_canvas_seen(c, place);
    const size_t bytes = (size_t)seen.width * c->pixel_bytes;

    if (bytes * (size_t)seen.height > c->under_bytes) {
        free(c->under);
        c->under_bytes = bytes * (size_t)seen.height;
        c->under = malloc(c->under_bytes);
        if (c->under == NULL) {
            c->under_bytes = 0;
            return gf_fail_memory(err, name);
        }
    }
    for (int64_t y = 0; y < seen.height; y++)
        memcpy(c->under + (size_t)y * bytes, gf_canvas_at(c, seen.x, seen.y + y), bytes);
    return 0;
}

void gf_canvas_restore(const struct gf_canvas *c, struct gf_canvas_place place)
{
    const struct gf_canvas_place seen = gf_canvas_seen(c, place);
    const size_t bytes = (size_t)seen.width * c->pixel_bytes;

    for (int64_t y = 0; y < seen.height; y++)
        memcpy(gf_canvas_at(c, seen.x, seen.y + y), c->under + (size_t)y * bytes, bytes);
}
