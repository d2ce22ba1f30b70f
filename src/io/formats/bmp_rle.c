/* Decodes run-length coding of BMP: 4-bit and 8-bit indexes, and the 24-bit runs of OS/2. */
#include "io/formats/bmp.h"

#include <string.h>

struct runs {
    struct gf_reader *r;
    struct gf_bmp *b;
    struct gf_raster_cursor from;
    unsigned char *to;
    size_t pixel_bytes;
    int64_t x, y;                /* y counts from the bottom */
    bool outside;                /* a pixel outside the image was drawn */
};

/* Returns the next byte. The end of the file is an error; returns -1 after an error. */
static int need_byte(struct runs *u, struct gf_error *err)
{
    const int c = gf_raster_byte(u->r, &u->from, err);

    return c == -1 ? gf_fail_cut(err, "%s: is cut short", u->r->name) : c < 0 ? -1 : c;
}

static void put_pixel(struct runs *u, const unsigned char *pixel)
{
    if (u->x < u->b->width && u->y < u->b->height)
        memcpy(u->to + (size_t)((u->b->height - 1 - u->y) * u->b->width + u->x) * u->pixel_bytes, pixel,
               u->pixel_bytes);
    else
        u->outside = true;
    u->x++;
}

static int need_pixel(struct runs *u, unsigned char *pixel, struct gf_error *err)
{
    return gf_raster_take(u->r, &u->from, pixel, u->pixel_bytes, err);
}

/* Draws a run. A byte of 4-bit indexes has two pixels, which alternate. */
static int draw_run(struct runs *u, int count, struct gf_error *err)
{
    unsigned char pixel[3], half[2];

    if (need_pixel(u, pixel, err) != 0)
        return -1;
    half[0] = pixel[0] >> 4;
    half[1] = pixel[0] & 15;
    for (int i = 0; i < count; i++)
        put_pixel(u, u->b->bits == 4 ? &half[i & 1] : pixel);
    return 0;
}

/* Draws single pixels. They are padded to an even number of bytes. */
static int draw_pixels(struct runs *u, int count, struct gf_error *err)
{
    const int64_t start = u->from.at;
    unsigned char pixel[3], half;

    for (int i = 0; i < count; i++) {
        if ((u->b->bits != 4 || i % 2 == 0) && need_pixel(u, pixel, err) != 0)
            return -1;
        half = i % 2 == 0 ? pixel[0] >> 4 : pixel[0] & 15;
        put_pixel(u, u->b->bits == 4 ? &half : pixel);
    }
    return (u->from.at - start) % 2 != 0 && need_byte(u, err) < 0 ? -1 : 0;
}

/* Moves right and up. Skipped pixels keep index 0. */
static int jump(struct runs *u, struct gf_error *err)
{
    const int right = need_byte(u, err), up = right < 0 ? -1 : need_byte(u, err);

    if (up < 0)
        return -1;
    u->x += right;
    u->y += up;
    return 0;
}

/* Reads and draws one code. Returns 1, 0 at the end of the image, or -1. */
static int draw_code(struct runs *u, struct gf_error *err)
{
    const int count = gf_raster_byte(u->r, &u->from, err);
    int escape;

    if (count == -1 && u->y == u->b->height - 1 && u->x >= u->b->width)
        return 0;                                /* only the end code is missing */
    if (count < 0)
        return count == -1 ? gf_fail_cut(err, "%s: is cut short", u->r->name) : -1;
    if (count > 0)
        return draw_run(u, count, err) == 0 ? 1 : -1;
    escape = need_byte(u, err);
    if (escape < 0)
        return -1;
    if (escape == 0) {
        u->x = 0;
        u->y++;
        return 1;
    }
    if (escape == 1)
        return 0;
    return (escape == 2 ? jump(u, err) : draw_pixels(u, escape, err)) == 0 ? 1 : -1;
}

/* Skips the code that ends the image, if the end of the last row was the last code that was needed. */
static int skip_end_code(struct runs *u, struct gf_error *err)
{
    const int64_t at = u->from.at;
    unsigned char code[2] = { 0 };

    if (u->b->raster.size - at >= 2 && gf_raster_get(u->r, at, code, 2, err) != 0)
        return -1;
    gf_bmp_end_pixels(u->b, at + (code[0] == 0 && code[1] == 1 ? 2 : 0));
    return 0;
}

/*
 * Decodes all runs. Pixels that jumps and short rows leave out keep index 0, as in other programs.
 */
int gf_bmp_unpack(struct gf_reader *r, struct gf_error *err)
{
    struct gf_bmp *b = r->state;
    struct runs u = { .r = r, .b = b, .from.at = b->pixels, .pixel_bytes = b->bits == 24 ? 3 : 1 };
    int more = 1;

    if (gf_raster_unpack(r, b->width, b->height, (int64_t)u.pixel_bytes, err) != 0)
        return -1;
    u.to = b->raster.unpacked;
    while (more == 1 && u.y < b->height)
        more = draw_code(&u, err);
    if (more < 0)
        return -1;
    if (u.outside)
        gf_warn(r->notices, "bmp-outside", r->name, "is damaged: pixels outside the image are ignored");
    return skip_end_code(&u, err);
}
