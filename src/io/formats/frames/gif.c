/* Reads GIF. Each frame is composed on a canvas, as viewers show it. */
#include "io/formats/frames/gif.h"

#include "io/formats/frames/canvas.h"
#include "io/formats/whole.h"

#include <stdlib.h>
#include <string.h>

#define PIXEL_BYTES 4

struct gif {
    struct gf_whole whole;         /* the canvas, once a frame is on it */
    struct gf_gif_screen screen;
    /* palette of the screen; palette of the current frame */
    unsigned char colours[256][PIXEL_BYTES], own[256][PIXEL_BYTES];
    struct gf_gif_control control;
    struct gf_gif_image image;
    struct gf_gif_lzw lzw;
    struct gf_canvas canvas;     /* the composed frame, RGBA */
    uint8_t *line;               /* decoded pixels that are not yet drawn */
    bool drawn;                  /* at least one visible pixel was drawn */
    struct gf_yuv timing;
    int64_t pictures;
    int plays;                   /* times that the animation plays; 0: without end */
};

/* ---- the canvas ---- */

static struct gf_canvas_place place_of(const struct gif *p)
{
    return (struct gf_canvas_place) { .x = p->image.x, .y = p->image.y,
                                       .width = p->image.width, .height = p->image.height };
}

/*
 * Prepares the canvas for the next frame: clears or restores the area of this one, as it demands.
 */
static void dispose(const struct gif *p)
{
    if (p->control.disposal == GF_GIF_CLEAR)
        gf_canvas_clear(&p->canvas, place_of(p));
    else if (p->control.disposal == GF_GIF_RESTORE)
        gf_canvas_restore(&p->canvas, place_of(p));
}

/* ---- drawing ---- */

/*
 * Returns the row at which the n-th stored row belongs. Interlaced images store their rows in four
 * passes.
 */
static int row_of(const struct gf_gif_image *image, int n)
{
    static const struct { int from, step; } passes[] = { { 0, 8 }, { 4, 8 }, { 2, 4 }, { 1, 2 } };

    for (int i = 0; image->interlaced && i < 4; i++) {
        const int rows = image->height > passes[i].from ? (image->height - passes[i].from - 1) / passes[i].step + 1 : 0;

        if (n < rows)
            return passes[i].from + n * passes[i].step;
        n -= rows;
    }
    return n;
}

static void draw_row(struct gif *p, int n, const uint8_t *line)
{
    const unsigned char (*const colours)[PIXEL_BYTES] = p->image.colours > 0 ? p->own : p->colours;
    const int y = row_of(&p->image, n), transparent = p->control.transparent;
    const struct gf_canvas_place seen = gf_canvas_seen(&p->canvas, place_of(p));
    unsigned char *to;

    if (y >= seen.height)
        return;
    to = gf_canvas_at(&p->canvas, seen.x, seen.y + y);
    for (int64_t x = 0; x < seen.width; x++)
        if (line[x] != transparent) {
            memcpy(to + (size_t)x * PIXEL_BYTES, colours[line[x]], PIXEL_BYTES);
            p->drawn = true;
        }
}

static int draw_image(struct gf_reader *r, struct gf_error *err)
{
    struct gif *p = r->state;
    const size_t width = (size_t)p->image.width;
    size_t there = 0;
    int drawn = 0;

    if (gf_gif_lzw_begin(&p->lzw, r->source, p->pictures, err) != 0)
        return -1;
    while (drawn < p->image.height) {
        const int got = gf_gif_lzw_next(&p->lzw, r->source, p->pictures, p->line + there, err);
        size_t at = 0;

        if (got <= 0)
            return got < 0 ? -1 : gf_fail_damaged(err, "%s: frame %lld is damaged: it ends after row %d of %d", r->name,
                                                  (long long)p->pictures + 1, drawn, p->image.height);
        for (there += (size_t)got; there - at >= width && drawn < p->image.height; at += width)
            draw_row(p, drawn++, p->line + at);
        if (at > 0)
            memmove(p->line, p->line + at, there - at);
        there -= at;
    }
    return gf_gif_lzw_end(&p->lzw, r->source, p->pictures, err);     /* skips excess pixels */
}

/* ---- the reader ---- */

/* Reads a palette. Entries that it does not have are black. */
static int read_colours(struct gf_reader *r, unsigned char (*to)[PIXEL_BYTES], int colours, struct gf_error *err)
{
    unsigned char rgb[3 * 256] = { 0 };

    if (gf_gif_colours(r->source, rgb, colours, err) != 0)
        return -1;
    for (int i = 0; i < 256; i++) {
        memcpy(to[i], rgb + 3 * i, 3);
        to[i][3] = 255;
    }
    return 0;
}

/*
 * Sets the palette of a file without one: black and white, as the standard recommends, then grays.
 */
static void set_default_colours(struct gif *p)
{
    for (int i = 0; i < 256; i++) {
        memset(p->colours[i], i == 1 ? 255 : i, 3);
        p->colours[i][3] = 255;
    }
}

static int read_screen(struct gf_reader *r, struct gf_error *err)
{
    struct gif *p = r->state;

    if (gf_gif_header(r->source, &p->screen, err) != 0 || read_colours(r, p->colours, p->screen.colours, err) != 0)
        return -1;
    if (p->screen.colours == 0)
        set_default_colours(p);
    p->canvas = (struct gf_canvas) { .width = p->screen.width, .height = p->screen.height, .pixel_bytes = PIXEL_BYTES };
    return gf_canvas_open(&p->canvas, r->name, r->options, err);
}

/*
 * Allocates a row for the current frame, and saves the canvas under it if the frame is to be
 * undone.
 */
static int make_room(struct gf_reader *r, struct gf_error *err)
{
    struct gif *p = r->state;

    free(p->line);
    p->line = malloc((size_t)p->image.width + GF_GIF_CODES);
    if (p->line == NULL)
        return gf_fail_memory(err, r->name);
    return p->control.disposal == GF_GIF_RESTORE ? gf_canvas_keep(&p->canvas, place_of(p), r->name, err) : 0;
}

/* Reads and draws the current frame. */
static int read_image(struct gf_reader *r, struct gf_error *err)
{
    struct gif *p = r->state;

    if (p->image.colours > 0 && read_colours(r, p->own, p->image.colours, err) != 0)
        return -1;
    if (p->pictures == 0 && gf_gif_rate(r->source, &p->control, &p->timing, &r->images, err) != 0)
        return -1;
    if (r->options->headers)
        return 0;
    p->drawn = false;
    if (draw_image(r, err) != 0)
        return -1;
    if (p->drawn && p->image.colours == 0 && p->screen.colours == 0)
        gf_warn(r->notices, "no-palette", r->name,
                "frame %lld has no palette; 0 is shown black, 1 white, other values gray", (long long)p->pictures + 1);
    return 0;
}

/*
 * Ends a damaged or truncated file after its last complete frame, with a warning. Fails if there is
 * none, or after another error.
 */
static int end_early(struct gf_reader *r, struct gf_error *err)
{
    const struct gif *p = r->state;

    if (p->pictures == 0 || (err->cause != GF_CAUSE_CUT && err->cause != GF_CAUSE_DAMAGED))
        return -1;
    gf_forget_error(err);
    gf_warn(r->notices, "damaged", r->name,
            "is damaged or cut short after frame %lld; %lld frame%s read, and the rest is lost",
            (long long)p->pictures, (long long)p->pictures, p->pictures == 1 ? " is" : "s are");
    return 0;
}

static void release(struct gif *p)
{
    gf_canvas_close(&p->canvas);
    free(p->line);
}

static int gif_next(struct gf_reader *r, struct gf_error *err);

/* Moves to the first frame of another GIF, if one follows. Returns 1, 0 or -1. */
static int next_file(struct gf_reader *r, struct gf_error *err)
{
    struct gif *p = r->state;
    int more = gf_source_begins(r->source, "GIF87a", 6, err);

    if (more == 0)
        more = gf_source_begins(r->source, "GIF89a", 6, err);
    if (more != 1)
        return more;
    release(p);
    memset(p, 0, sizeof *p);
    return gif_next(r, err);
}

static int gif_next(struct gf_reader *r, struct gf_error *err)
{
    struct gif *p = r->state;
    struct gf_gif_control control;
    struct gf_gif_image image;
    int more;

    r->random = false;
    if (p->canvas.pixels == NULL && read_screen(r, err) != 0)
        return -1;
    more = gf_gif_next(r->source, p->pictures, &control, &image, err);
    if (more == GF_GIF_NO_TRAILER && p->pictures > 1)    /* many still images have no trailer */
        gf_warn(r->notices, "no-trailer", r->name, "ends after frame %lld without a trailer; frames may be missing",
                (long long)p->pictures);
    if (more != 1)
        return more == -1 ? end_early(r, err) : next_file(r, err);
    if (p->pictures > 0)
        dispose(p);
    p->control = control;
    p->image = image;
    if (make_room(r, err) != 0)
        return -1;
    if (read_image(r, err) != 0)
        return end_early(r, err);
    p->pictures++;
    if (control.plays >= 0 || p->pictures == 1)
        p->plays = control.plays >= 0 ? control.plays : 1;
    r->shown = (struct gf_shown) { control.delay, GF_GIF_PER_SECOND, p->plays };
    p->whole = (struct gf_whole) { .samples = p->canvas.pixels };
    r->random = true;
    r->format = (struct gf_format) { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 4,
                                     .alpha = true, .width = p->screen.width, .units = p->screen.height,
                                     .yuv = p->timing };
    return 1;
}

static void gif_close(struct gf_reader *r)
{
    release(r->state);
}

static const struct gf_reader_ops gif_ops = {
    .next = gif_next, .read = gf_whole_read, .read_at = gf_whole_read_at, .close = gif_close,
    .opening = GF_LABOUR_CODE, .reading = GF_LABOUR_COPY,
};

static int gif_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    return gf_reader_begin(r, s, o, &gif_ops, sizeof(struct gif), err);
}

const struct gf_file_format gf_file_format_gif = {
    .name = "gif", .title = "GIF", .kinds = 1 << GF_IMAGE, .streams = GF_STREAMS_IN,
    .signature = { "GIF87a", "GIF89a" }, .open = gif_open, .hardened = true, .appendix = true,
    .image = &gf_write_gif, .sequence = true,
    .notes = { "GIF", "frames as a viewer shows them; one frame rate for Y4M",
               "frames after damage; uneven durations in Y4M; no palette; partial transparency",
               "damage in the first frame; images without durations" },
};
