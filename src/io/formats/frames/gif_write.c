/*
 * Writes GIF, still and animated. An image waits until the next one has come, because that may need an area of it
 * to be cleared; so two images and their canvas are in memory, however many there are.
 *
 * The encoder is our own, because the library cgif takes images of indices: it neither chooses colors nor dithers. It
 * would replace the codes of gif_encode.c and the chunks here, and the bytes of a file would depend on its version.
 */
#include "io/fit.h"
#include "io/formats/frames/animation.h"
#include "io/formats/frames/gif_encode.h"
#include "io/formats/frames/gif_palette.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SIDE 65535
#define MOST_TICKS 65535
#define HALF_ALPHA 128                   /* smaller values become transparent, others opaque */
#define SLOWEST_TICKS 2                  /* shorter durations are those that browsers replace by 100 ms */

struct image {
    unsigned char *samples;
    int ticks;                           /* its duration */
};

struct gif_out {
    struct gf_animation all;
    size_t pixel_bytes, row_bytes;
    struct image now, before;            /* the current image; the one that waits, if there are two */
    unsigned char *canvas;               /* what a viewer shows before the one that waits; NULL: nothing */
    int64_t row;                         /* next row of the current image */
    int plays;
    bool begun;                          /* the header is written */
    bool partial;                        /* some alpha was neither 0 nor 1 */
    struct gf_gif_chooser *chooser;
    struct gf_gif_palette global;        /* that of the first image */
    int global_bits;
    uint32_t *pixels;                    /* of the part that is drawn */
    uint8_t *index, *other;              /* two ways to store it */
    struct gf_gif_data data, other_data;
};

/* An image as it is stored. */
struct part {
    struct gf_canvas_place place;
    struct gf_gif_palette palette;
    int bits;                            /* of an index */
    bool keeps;                          /* some pixels are not drawn: they have the index `kept` */
    int kept;
    bool own;                            /* it has a palette of its own */
    const struct gf_gif_data *data;
};

static int gif_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    if (gf_fit_check_colours(w, f, err) != 0)
        return -1;
    f->channels = f->alpha ? 4 : 3;
    return gf_fit_bytes(w, f, err);
}

static int open_state(struct gf_writer *w, struct gf_error *err)
{
    const struct gf_format *f = &w->format;
    struct gif_out *g;

    if (f->units < 0)
        return gf_fail(err, GF_FAILED, "%s: GIF needs the height in advance", w->name);
    if (f->width > MOST_SIDE || f->units > MOST_SIDE)
        return gf_fail(err, GF_FAILED, "%s: %lldx%lld is too large for GIF (at most 65535x65535); try .png", w->name,
                       (long long)f->width, (long long)f->units);
    g = w->state = calloc(1, sizeof *g);
    if (g == NULL)
        return gf_fail_memory(err, w->name);
    g->pixel_bytes = (size_t)f->channels;
    g->row_bytes = gf_unit_bytes(f);
    g->plays = w->shown.plays;
    g->chooser = gf_gif_chooser_new();
    return g->chooser != NULL ? 0 : gf_fail_memory(err, w->name);
}

static int gif_begin(struct gf_writer *w, struct gf_error *err)
{
    struct gif_out *g = w->state;
    struct image spare;

    if (g == NULL && open_state(w, err) != 0)
        return -1;
    g = w->state;
    if (gf_animation_begin_image(&g->all, w, err) != 0)
        return -1;
    if (g->all.images > 1) {
        spare = g->before;
        g->before = g->now;
        g->now = spare;
    }
    if (g->now.samples == NULL)
        g->now.samples = malloc(g->row_bytes * (size_t)w->format.units + 1);
    if (g->now.samples == NULL)
        return gf_fail_memory_hint(err, w->name, "try .png");
    g->now.ticks = gf_animation_ticks(&g->all, w, GF_GIF_PER_SECOND, MOST_TICKS);
    if (g->all.images > 1 && g->now.ticks < SLOWEST_TICKS && w->options.rate[0] > 0)
        gf_warn(w->options.notices, "fast-frames", w->name, "browsers show frames of less than 0.02 s for 0.1 s; use "
                "--rate 50 or less");
    g->row = 0;
    return 0;
}

/* Makes a row of pixels transparent or opaque, so that those that look equal are equal. */
static void settle_alpha(struct gif_out *g, unsigned char *row, int64_t width)
{
    for (int64_t x = 0; x < width; x++, row += 4) {
        g->partial = g->partial || (row[3] != 0 && row[3] != 255);
        if (row[3] < HALF_ALPHA)
            memset(row, 0, 4);
        else
            row[3] = 255;
    }
}

static int gif_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    struct gif_out *g = w->state;
    unsigned char *to = g->now.samples + (size_t)g->row * g->row_bytes;

    if (count > w->format.units - g->row)
        return gf_fail(err, GF_FAILED, "%s: more rows than the image has", w->name);
    memcpy(to, units, (size_t)count * g->row_bytes);
    g->row += count;
    for (int64_t y = 0; g->pixel_bytes == 4 && y < count; y++)
        settle_alpha(g, to + (size_t)y * g->row_bytes, w->format.width);
    return 0;
}

/* ---- the part of an image that is drawn ---- */

static bool is_clear(const struct gif_out *g, const unsigned char *pixel)
{
    return g->pixel_bytes == 4 && pixel[3] == 0;
}

static struct gf_canvas_place unite(struct gf_canvas_place a, struct gf_canvas_place b)
{
    const int64_t right = a.x + a.width > b.x + b.width ? a.x + a.width : b.x + b.width;
    const int64_t bottom = a.y + a.height > b.y + b.height ? a.y + a.height : b.y + b.height;

    if (a.width == 0 || b.width == 0)
        return a.width == 0 ? b : a;
    a.x = a.x < b.x ? a.x : b.x;
    a.y = a.y < b.y ? a.y : b.y;
    a.width = right - a.x;
    a.height = bottom - a.y;
    return a;
}

/* Returns the area in which the current image is transparent, but not the one before it. */
static struct gf_canvas_place cleared_area(const struct gif_out *g, const struct gf_format *f)
{
    const unsigned char *before = g->before.samples, *now = g->now.samples;
    struct gf_canvas_place area = { 0 };

    for (int64_t y = 0; g->pixel_bytes == 4 && y < f->units; y++)
        for (int64_t x = 0; x < f->width; x++, before += 4, now += 4)
            if (now[3] == 0 && before[3] != 0)
                area = unite(area, (struct gf_canvas_place) { x, y, 1, 1 });
    return area;
}

/* Copies the pixels of a part of an image, except those that a viewer shows already. Returns true if there are such. */
static bool take_pixels(const struct gif_out *g, const unsigned char *samples, const struct gf_canvas_place *p)
{
    uint32_t *to = g->pixels;
    bool kept = false;

    for (int64_t y = p->y; y < p->y + p->height; y++) {
        const size_t at = (size_t)y * g->row_bytes + (size_t)p->x * g->pixel_bytes;
        const unsigned char *from = samples + at, *shown = g->canvas != NULL ? g->canvas + at : NULL;

        for (int64_t x = 0; x < p->width; x++, from += g->pixel_bytes) {
            const bool same = shown != NULL && memcmp(from, shown + (size_t)x * g->pixel_bytes, g->pixel_bytes) == 0;

            *to = same || is_clear(g, from) ? GF_GIF_KEEP : (uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2];
            kept = kept || *to == GF_GIF_KEEP;
            to++;
        }
    }
    return kept;
}

/* Stores the colors of all pixels again, also of those that are kept. Returns false if any is transparent. */
static bool take_all_pixels(const struct gif_out *g, const unsigned char *samples, const struct gf_canvas_place *p)
{
    uint32_t *to = g->pixels;

    for (int64_t y = p->y; y < p->y + p->height; y++) {
        const unsigned char *from = samples + (size_t)y * g->row_bytes + (size_t)p->x * g->pixel_bytes;

        for (int64_t x = 0; x < p->width; x++, from += g->pixel_bytes) {
            if (is_clear(g, from))
                return false;
            *to++ = (uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2];
        }
    }
    return true;
}

/* ---- palettes ---- */

static int bits_for(int colours)
{
    int bits = 1;

    while (1 << bits < colours)
        bits++;
    return bits;
}

/* Chooses a palette: the first image's if it has all colors, one with all colors, or one of the best. */
static void choose_palette(struct gif_out *g, struct part *p, int64_t n)
{
    const bool first = !g->begun;

    if (!first) {
        p->palette = g->global;
        p->bits = g->global_bits;
        p->kept = g->global.colours;
        if (gf_gif_add_colours(g->chooser, g->pixels, n, g->global.colours, &p->palette)
            && p->kept + p->keeps <= 1 << p->bits) {
            gf_gif_map(g->chooser, &p->palette, g->pixels, n, p->kept, g->index);
            return;
        }
    }
    p->own = !first;
    p->palette.colours = 0;
    if (gf_gif_add_colours(g->chooser, g->pixels, n, 256 - p->keeps, &p->palette)) {
        p->kept = p->palette.colours;
        gf_gif_map(g->chooser, &p->palette, g->pixels, n, p->kept, g->index);
    } else {
        gf_gif_choose_colours(g->chooser, g->pixels, n, 256 - p->keeps, &p->palette);
        p->kept = p->palette.colours;
        gf_gif_dither(g->chooser, g->pixels, &p->place, p->kept, g->index);
    }
    /* the first palette has an entry to spare, so that later images can use it and keep pixels */
    p->bits = bits_for(p->palette.colours + (p->keeps || (first && p->palette.colours < 256)));
}

/*
 * Draws all pixels of a part if that makes it smaller and needs no colors that the palette lacks: pixels that are
 * kept may interrupt patterns.
 */
static int try_without_kept(struct gif_out *g, struct part *p, const unsigned char *samples, int64_t n)
{
    struct gf_gif_palette palette = p->palette;

    if (!p->keeps || !take_all_pixels(g, samples, &p->place)
        || !gf_gif_add_colours(g->chooser, g->pixels, n, palette.colours, &palette))
        return 0;
    gf_gif_map(g->chooser, &palette, g->pixels, n, 0, g->other);
    if (gf_gif_encode(&g->other_data, g->other, n, p->bits) != 0)
        return -1;
    if (g->other_data.size < g->data.size) {
        p->keeps = false;
        p->data = &g->other_data;
    }
    return 0;
}

static int make_rooms(struct gif_out *g, const struct gf_format *f)
{
    const size_t n = (size_t)f->width * (size_t)f->units;

    if (g->pixels == NULL)
        g->pixels = malloc(n * sizeof *g->pixels);
    if (g->index == NULL)
        g->index = malloc(n);
    if (g->other == NULL && g->canvas != NULL)
        g->other = malloc(n);
    return g->pixels == NULL || g->index == NULL || (g->other == NULL && g->canvas != NULL) ? -1 : 0;
}

/* Encodes an image that is drawn over the canvas. Its part includes an area, which may be empty. */
static int make_part(struct gf_writer *w, struct part *p, const unsigned char *samples, struct gf_canvas_place area,
                     struct gf_error *err)
{
    struct gif_out *g = w->state;
    const struct gf_format *f = &g->all.format;
    int64_t n;

    if (make_rooms(g, f) != 0)
        return gf_fail_memory_hint(err, w->name, "try .png");
    *p = (struct part) { .place = { 0, 0, f->width, f->units }, .data = &g->data };
    if (g->canvas != NULL)
        p->place = unite(gf_animation_changed(g->canvas, samples, f->width, f->units, g->pixel_bytes), area);
    if (p->place.width == 0)             /* nothing changed, but a frame has at least one pixel */
        p->place = (struct gf_canvas_place) { 0, 0, 1, 1 };
    n = p->place.width * p->place.height;
    p->keeps = take_pixels(g, samples, &p->place);
    choose_palette(g, p, n);
    if (gf_gif_encode(&g->data, g->index, n, p->bits) != 0
        || (g->canvas != NULL && try_without_kept(g, p, samples, n) != 0))
        return gf_fail_memory(err, w->name);
    return 0;
}

/* ---- the file ---- */

static unsigned char *put16(unsigned char *to, int64_t value)
{
    *to++ = (unsigned char)value;
    *to++ = (unsigned char)(value >> 8);
    return to;
}

static int put_palette(struct gf_writer *w, const struct gf_gif_palette *p, int bits, struct gf_error *err)
{
    unsigned char bytes[3 * 256] = { 0 };

    for (int i = 0; i < p->colours; i++)
        for (int k = 0; k < 3; k++)
            bytes[3 * i + k] = (unsigned char)(p->rgb[i] >> (16 - 8 * k));
    return gf_output_write(w->out, bytes, (size_t)3 << bits, err);
}

/* Writes the header with the palette of the first image, and how often an animation is repeated. */
static int put_header(struct gf_writer *w, const struct part *p, struct gf_error *err)
{
    struct gif_out *g = w->state;
    unsigned char head[13] = "GIF89a", repeats[] = "!\377\013NETSCAPE2.0\003\001\0\0";
    const int plays = g->plays > MOST_TICKS ? MOST_TICKS : g->plays;

    head[10] = (unsigned char)(0xF0 | (p->bits - 1));
    put16(put16(head + 6, g->all.format.width), g->all.format.units);
    g->begun = true;
    g->global = p->palette;
    g->global_bits = p->bits;
    if (gf_output_write(w->out, head, sizeof head, err) != 0 || put_palette(w, &p->palette, p->bits, err) != 0)
        return -1;
    put16(repeats + 16, plays > 0 ? plays - 1 : 0);
    return g->all.images > 1 && plays != 1 ? gf_output_write(w->out, repeats, sizeof repeats, err) : 0;
}

/* Writes an image. If `clears` is true, its area becomes transparent before the next one. */
static int put_image(struct gf_writer *w, const struct image *image, struct gf_canvas_place area, bool clears,
                     struct gf_canvas_place *place, struct gf_error *err)
{
    struct gif_out *g = w->state;
    unsigned char control[] = "!\371\004\0\0\0\0", head[10] = ",";
    struct part p;

    if (make_part(w, &p, image->samples, area, err) != 0 || (!g->begun && put_header(w, &p, err) != 0))
        return -1;
    *place = p.place;
    control[3] = (unsigned char)((clears ? GF_GIF_CLEAR : g->all.images > 1 ? GF_GIF_LEAVE : 0) << 2 | p.keeps);
    put16(control + 4, image->ticks);
    control[6] = (unsigned char)(p.keeps ? p.kept : 0);
    put16(put16(put16(put16(head + 1, p.place.x), p.place.y), p.place.width), p.place.height);
    head[9] = (unsigned char)(p.own ? 0x80 | (p.bits - 1) : 0);
    if ((g->all.images > 1 || p.keeps) && gf_output_write(w->out, control, sizeof control, err) != 0)
        return -1;
    if (gf_output_write(w->out, head, sizeof head, err) != 0
        || (p.own && put_palette(w, &p.palette, p.bits, err) != 0))
        return -1;
    return gf_output_write(w->out, p.data->bytes, p.data->size, err);
}

/* Writes the image that waited, and sets the canvas to what a viewer shows after it. */
static int gif_end(struct gf_writer *w, struct gf_error *err)
{
    struct gif_out *g = w->state;
    const struct gf_format *f = &g->all.format;
    struct gf_canvas_place area, place;
    unsigned char *shown;

    if (g->all.images < 2)
        return 0;
    area = cleared_area(g, f);
    if (put_image(w, &g->before, area, area.width > 0, &place, err) != 0)
        return -1;
    shown = g->before.samples;
    g->before.samples = g->canvas;
    g->canvas = shown;
    for (int64_t y = 0; area.width > 0 && y < place.height; y++)
        memset(shown + (size_t)(place.y + y) * g->row_bytes + (size_t)place.x * g->pixel_bytes, 0,
               (size_t)place.width * g->pixel_bytes);
    return 0;
}

static int gif_finish(struct gf_writer *w, struct gf_error *err)
{
    static const unsigned char trailer = GF_GIF_TRAILER;
    struct gif_out *g = w->state;
    struct gf_canvas_place place;

    if (g == NULL || g->all.images == 0)
        return 0;
    if (put_image(w, &g->now, (struct gf_canvas_place) { 0 }, false, &place, err) != 0)
        return -1;
    gf_animation_end(&g->all, w);
    if (g->partial)
        gf_warn(w->options.notices, "alpha", w->name, "GIF stores no partial transparency: pixels become transparent "
                "below half, and opaque above; to blend them with a color, add alpha:off,bg=white");
    return gf_output_write(w->out, &trailer, 1, err);
}

static void gif_release(struct gf_writer *w)
{
    struct gif_out *g = w->state;

    if (g == NULL)
        return;
    gf_gif_chooser_free(g->chooser);
    gf_gif_data_free(&g->data);
    gf_gif_data_free(&g->other_data);
    free(g->now.samples);
    free(g->before.samples);
    free(g->canvas);
    free(g->pixels);
    free(g->index);
    free(g->other);
    free(g);
}

const struct gf_writer_ops gf_write_gif = {
    .name = "gif", .kind = GF_IMAGE, .animation = true, .fit = gif_fit, .begin = gif_begin, .write = gif_write,
    .end = gif_end, .finish = gif_finish, .release = gif_release, .writing = GF_LABOUR_COPY, .ending = GF_LABOUR_CODE,
};
