/* Reads PNG row by row, interlaced images as a whole, and animations frame by frame.
 * Built if HAVE_INFLATE. */
#define _GNU_SOURCE
#include "io/formats/png/png_control.h"
#include "io/limits.h"

#include <stdlib.h>
#include <string.h>

/* rows that are decompressed at a time, so that they stay in the cache */
#define WINDOW_BYTES ((size_t)256 << 10)

/* ---- rows ---- */

/* Decompresses up to `size` bytes, fewer only at the end of the stream. */
static int inflate_to(struct gf_reader *r, unsigned char *to, size_t size, size_t *done, struct gf_error *err)
{
    struct gf_png_reader *p = r->state;

    *done = 0;
    while (*done < size && !p->stream_ended) {
        const unsigned char *bytes = NULL;
        const int64_t got = p->left > 0 ? gf_source_peek(r->source, 1, &bytes, err) : 0;
        size_t in = got < (int64_t)p->left ? (size_t)(got > 0 ? got : 0) : p->left, out = size - *done;
        int result;

        if (got < 0 || (got == 0 && p->left > 0))
            return got < 0 ? -1 : gf_png_fail_cut(r, err);
        result = gf_inflate_some(p->inflate, bytes, &in, to + *done, &out);
        if (result < 0)
            return gf_png_fail_damaged(r, "its compressed data is damaged", err);
        p->stream_ended = result == 1;
        *done += out;
        if (in > 0) {
            p->crc = gf_crc32(p->crc, bytes, in);
            p->left -= (uint32_t)in;
            if (gf_png_pass_over(r, (int64_t)in, err) != 0)
                return -1;
        } else if (out == 0 && result == 0) {
            if (p->left > 0)
                return gf_png_fail_damaged(r, "its compressed data is damaged", err);
            if (gf_png_next_data(r, err) != 0)
                return -1;
        }
    }
    return 0;
}

/* Decompresses exactly `size` bytes. */
static int inflate_all(struct gf_reader *r, unsigned char *to, size_t size, struct gf_error *err)
{
    size_t done;

    if (inflate_to(r, to, size, &done, err) != 0)
        return -1;
    return done < size ? gf_png_fail_damaged(r, "it has fewer rows than its header says", err) : 0;
}

/*
 * Checks that the stream ends after the last row with a correct checksum. Later chunks are not
 * examined.
 */
static int finish_stream(struct gf_reader *r, struct gf_error *err)
{
    unsigned char more;
    size_t done;

    if (inflate_to(r, &more, 1, &done, err) != 0)
        return -1;
    return gf_png_take_rest(r, true, err);
}

/* Returns the next row, unfiltered, in the window, or NULL after an error. */
static const unsigned char *next_row(struct gf_reader *r, struct gf_error *err)
{
    struct gf_png_reader *p = r->state;
    const size_t pitch = p->row_bytes + 1;
    unsigned char *row;

    if (p->at == p->there) {
        const int64_t left = p->head.height - p->row;

        memcpy(p->window, p->window + (size_t)p->there * pitch, pitch);
        p->at = 0;
        p->there = left < p->window_rows ? left : p->window_rows;
        if (inflate_all(r, p->window + pitch, (size_t)p->there * pitch, err) != 0)
            return NULL;
    }
    row = p->window + (size_t)++p->at * pitch;
    if (gf_png_unfilter(&p->head, row[0], row + 1, row + 1 - pitch, p->row_bytes) != 0) {
        gf_png_fail_damaged(r, "a row has an unknown filter", err);
        return NULL;
    }
    return row + 1;
}

static int64_t read_rows(struct gf_reader *r, unsigned char *units, int64_t count, struct gf_error *err)
{
    struct gf_png_reader *p = r->state;
    const size_t bytes = gf_unit_bytes(&r->format);

    for (int64_t i = 0; i < count; i++, p->row++) {
        const unsigned char *row = next_row(r, err);

        if (row == NULL)
            return -1;
        gf_png_expand(&p->head, row, p->head.width, units + (size_t)i * bytes);
    }
    return p->row == r->format.units && finish_stream(r, err) != 0 ? -1 : count;
}

/* ---- interlaced images and frames ---- */

/* Receives a row of a pass as samples. */
typedef void put_row(struct gf_reader *r, const struct gf_png_pass *pass, uint32_t y, const unsigned char *samples);

/* Reads one of the seven passes of an interlaced image. */
static int read_pass(struct gf_reader *r, const struct gf_png_pass *pass, unsigned char *samples, put_row *put,
                     struct gf_error *err)
{
    const struct gf_png_reader *p = r->state;
    const size_t size = gf_png_row_bytes(&p->head, pass->width), pitch = p->row_bytes + 1;
    unsigned char *row = p->window + pitch, *above = p->window;

    memset(above, 0, pitch);
    for (uint32_t y = 0; y < pass->height; y++) {
        unsigned char *spare = row;

        if (inflate_all(r, row, size + 1, err) != 0)
            return -1;
        if (gf_png_unfilter(&p->head, row[0], row + 1, above + 1, size) != 0)
            return gf_png_fail_damaged(r, "a row has an unknown filter", err);
        gf_png_expand(&p->head, row + 1, pass->width, samples);
        put(r, pass, y, samples);
        row = above;
        above = spare;
    }
    return 0;
}

static int read_passes(struct gf_reader *r, put_row *put, struct gf_error *err)
{
    const struct gf_png_reader *p = r->state;
    const int passes = p->head.interlaced ? 7 : 1;
    struct gf_format f = { 0 };
    unsigned char *samples, more;
    size_t done;
    int result = 0;

    gf_png_format(&p->head, &f);
    samples = malloc(gf_unit_bytes(&f));
    if (samples == NULL)
        return gf_fail_memory(err, r->name);
    for (int number = 0; result == 0 && number < passes; number++) {
        const struct gf_png_pass all = { .dx = 1, .dy = 1, .width = p->head.width, .height = p->head.height };
        const struct gf_png_pass pass = p->head.interlaced ? gf_png_pass(&p->head, number) : all;

        if (pass.width > 0 && pass.height > 0)
            result = read_pass(r, &pass, samples, put, err);
    }
    free(samples);
    return result == 0 ? inflate_to(r, &more, 1, &done, err) : -1;
}

static void put_whole(struct gf_reader *r, const struct gf_png_pass *pass, uint32_t y, const unsigned char *samples)
{
    const struct gf_png_reader *p = r->state;
    const size_t pixel = (size_t)r->format.channels * gf_type_bytes(r->format.type);
    unsigned char *to = p->whole + ((size_t)(pass->y0 + y * pass->dy) * p->head.width + pass->x0) * pixel;

    for (uint32_t x = 0; x < pass->width; x++)
        memcpy(to + (size_t)x * pass->dx * pixel, samples + x * pixel, pixel);
}

static int read_interlaced(struct gf_reader *r, struct gf_error *err)
{
    struct gf_png_reader *p = r->state;

    p->whole = malloc(gf_unit_bytes(&r->format) * (size_t)r->format.units);
    if (p->whole == NULL)
        return gf_fail_memory(err, r->name);
    return read_passes(r, put_whole, err) == 0 ? gf_png_take_rest(r, true, err) : -1;
}

static int64_t read_whole(struct gf_reader *r, unsigned char *units, int64_t count, struct gf_error *err)
{
    struct gf_png_reader *p = r->state;
    const size_t bytes = gf_unit_bytes(&r->format);

    if (p->whole == NULL && read_interlaced(r, err) != 0)
        return -1;
    memcpy(units, p->whole + (size_t)p->row * bytes, (size_t)count * bytes);
    p->row += count;
    return count;
}

static int begin_rows(struct gf_reader *r, struct gf_error *err)
{
    struct gf_png_reader *p = r->state;
    const struct gf_png *head = &p->head;
    const bool still = p->animation == NULL, whole = head->interlaced && still;
    const size_t pitch = gf_png_row_bytes(head, head->width) + 1;
    int64_t needs;

    if (gf_limits_check_size(r->name, head->width, head->height, 0, r->options, err) != 0)
        return -1;
    p->row_bytes = pitch - 1;
    p->window_rows = pitch < WINDOW_BYTES && !head->interlaced && still ? (int64_t)(WINDOW_BYTES / pitch) : 1;
    needs = (int64_t)((size_t)(p->window_rows + 1) * pitch)
          + (whole ? (int64_t)gf_unit_bytes(&r->format) * (r->format.units + 1) : 0);
    if (r->options->max_bytes > 0 && needs > r->options->max_bytes)
        return gf_limits_fail_image(r->name, head->width, head->height, needs, r->options, err);
    free(p->window);
    p->window = calloc((size_t)p->window_rows + 1, pitch);
    if (p->inflate == NULL)
        p->inflate = gf_inflate_new();
    if (p->window == NULL || p->inflate == NULL)
        return gf_fail_memory(err, r->name);
    gf_inflate_reset(p->inflate);
    p->stream_ended = false;
    p->at = p->there = p->row = 0;
    return 0;
}

/* ---- frames of an animation ---- */

static void free_animation(struct gf_png_reader *p)
{
    struct gf_png_animation *a = p->animation;

    if (a == NULL)
        return;
    gf_canvas_close(&a->canvas);
    free(a);
    p->animation = NULL;
}

static void put_frame_row(struct gf_reader *r, const struct gf_png_pass *pass, uint32_t y, const unsigned char *samples)
{
    const struct gf_png_reader *p = r->state;
    const struct gf_png_animation *a = p->animation;
    const struct gf_canvas_place *place = &a->now.place;
    unsigned char *to = gf_canvas_at(&a->canvas, place->x + pass->x0, place->y + pass->y0 + (int64_t)y * pass->dy);
    struct gf_format f = { 0 };

    gf_png_format(&p->head, &f);
    gf_png_blend(to, pass->dx, samples, pass->width, &f, a->now.over);
}

static int begin_animation(struct gf_reader *r, struct gf_error *err)
{
    struct gf_png_reader *p = r->state;
    struct gf_png_animation *a = p->animation;
    struct gf_format f = { 0 };

    a->screen = p->head;
    gf_png_format(&a->screen, &f);
    a->canvas = (struct gf_canvas) { .width = a->screen.width, .height = a->screen.height,
                                     .pixel_bytes = (size_t)(gf_colours(&f) + 1) * gf_type_bytes(f.type) };
    if (gf_canvas_open(&a->canvas, r->name, r->options, err) != 0)
        return -1;
    if (a->default_shown && (a->now.place.width != a->screen.width || a->now.place.height != a->screen.height))
        return gf_png_fail_damaged(r, "its first frame is smaller than the image", err);
    if (a->default_shown)
        gf_png_scan_frame(a, a->now);
    if (r->source->random && gf_png_check_trailing(r, err) != 0) {
        if (!r->salvage || err->cause != GF_CAUSE_CUT)
            return -1;
        gf_forget_error(err);                        /* reported when the reader arrives there */
    }
    return a->default_shown ? 0 : gf_png_end_chunk(r, true, err);
}

/* Reads an fcTL chunk that has begun. It is refused wherever gf_png_scan_control ignores it. */
static int take_control(struct gf_reader *r, struct gf_error *err)
{
    const struct gf_png_reader *p = r->state;
    unsigned char data[GF_PNG_CONTROL_BYTES];

    if (p->left != GF_PNG_CONTROL_BYTES)
        return gf_png_read_control(r, &p->animation->screen, NULL, 0, err);
    return gf_png_take_some(r, data, sizeof data, err) != 0 || gf_png_end_chunk(r, true, err) != 0 ? -1
         : gf_png_read_control(r, &p->animation->screen, data, sizeof data, err);
}

/* Moves to the next fcTL chunk. Returns 1, 0 after the last chunk, or -1. */
static int next_control(struct gf_reader *r, struct gf_error *err)
{
    struct gf_png_reader *p = r->state;
    const struct gf_png_animation *a = p->animation;

    while (gf_png_begin_chunk(r, err) == 0) {
        if (strcmp(p->type, "fcTL") == 0)
            return take_control(r, err) == 0 ? 1 : -1;
        if (gf_png_end_chunk(r, true, err) != 0)
            return -1;
        if (strcmp(p->type, "IEND") != 0)
            continue;
        p->ended = true;
        if (a->frames == 0)
            return gf_png_fail_damaged(r, "its animation has no frames", err);
        if (a->frames != a->announced)
            gf_warn(r->notices, "frame-count", r->name,
                    "its header says %lu frames, but it has %lld; all of these are read", (unsigned long)a->announced,
                    (long long)a->frames);
        return 0;
    }
    return -1;
}

/* Moves to the data of a frame, which follows its fcTL chunk. */
static int find_data(struct gf_reader *r, struct gf_error *err)
{
    const struct gf_png_reader *p = r->state;

    while (gf_png_begin_chunk(r, err) == 0) {
        if (strcmp(p->type, "fdAT") == 0)
            return 0;
        if (strcmp(p->type, "fcTL") == 0 || (p->type[0] & 32) == 0)
            return gf_png_fail_damaged(r, "a frame has no data", err);
        if (gf_png_end_chunk(r, true, err) != 0)
            return -1;
    }
    return -1;
}

static int draw_frame(struct gf_reader *r, struct gf_error *err)
{
    struct gf_png_reader *p = r->state;
    struct gf_png_animation *a = p->animation;

    if (a->now.dispose == GF_PNG_DISPOSE_RESTORE && gf_canvas_keep(&a->canvas, a->now.place, r->name, err) != 0)
        return -1;
    p->head.width = (uint32_t)a->now.place.width;
    p->head.height = (uint32_t)a->now.place.height;
    if (begin_rows(r, err) != 0 || read_passes(r, put_frame_row, err) != 0)
        return -1;
    a->frames++;
    return gf_png_end_chunk(r, true, err);
}

static void set_format(struct gf_reader *r)
{
    struct gf_png_animation *a = gf_png_animation_of(r);
    struct gf_png shown = a->screen;

    if (a->frames == 1)                              /* a video has the rate of its first frame */
        gf_frame_times_rate(&a->times, &a->timing);
    r->images = a->announced;
    shown.keyed = shown.keyed || (a->clear && shown.colour < 4);
    r->format = (struct gf_format) { .yuv = a->timing };
    r->shown = (struct gf_shown) { a->now.count, a->now.per_second, a->plays };
    gf_png_format(&shown, &r->format);
}

static int next_frame(struct gf_reader *r, struct gf_error *err)
{
    const struct gf_png_reader *p = r->state;
    struct gf_png_animation *a = p->animation;
    const struct gf_png_control before = a->now;
    const bool first = a->frames == 0;
    int more = 1;

    r->random = false;
    if (a->canvas.pixels == NULL && begin_animation(r, err) != 0)
        return -1;
    if (!first || !a->default_shown)
        more = next_control(r, err);
    if (more < 0 && r->salvage && err->cause == GF_CAUSE_CUT && a->frames > 0 && a->frames == a->announced) {
        gf_forget_error(err);
        gf_warn_loss(r->notices, "salvaged", r->name, "its end is missing, but all %lld frames are complete",
                     (long long)a->frames);
        return 0;
    }
    if (more != 1)
        return more;
    if ((!first || !a->default_shown) && find_data(r, err) != 0)
        return -1;
    if (!r->source->random && (!first || !a->default_shown))
        gf_png_scan_frame(a, a->now);
    if (!first && before.dispose == GF_PNG_DISPOSE_CLEAR)
        gf_canvas_clear(&a->canvas, before.place);
    else if (!first && before.dispose == GF_PNG_DISPOSE_RESTORE)
        gf_canvas_restore(&a->canvas, before.place);
    if (r->options->headers)
        a->frames++;
    else if (draw_frame(r, err) != 0)
        return -1;
    set_format(r);
    r->random = r->same_meta = true;
    return 1;
}

/* ---- reading ---- */

static int read_frame_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    const struct gf_canvas *canvas = &gf_png_animation_of(r)->canvas;
    const unsigned char *from = gf_canvas_at(canvas, 0, start);
    const int64_t pixels = count * canvas->width;

    (void)err;
    if (r->format.alpha)
        memcpy(units, from, (size_t)pixels * canvas->pixel_bytes);
    else
        gf_png_drop_alpha(units, from, pixels, &r->format);
    return 0;
}

static int64_t read_frame(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct gf_png_reader *p = r->state;

    if (read_frame_at(r, p->row, units, count, err) != 0)
        return -1;
    p->row += count;
    return count;
}

/* ---- the reader ---- */

static int begin_still(struct gf_reader *r, struct gf_error *err)
{
    const struct gf_png_reader *p = r->state;

    r->format = (struct gf_format) { 0 };
    gf_png_format(&p->head, &r->format);
    if (begin_rows(r, err) != 0)
        return -1;
    return r->source->random && gf_png_check_trailing(r, err) != 0 ? -1 : 1;
}

static int png_next(struct gf_reader *r, struct gf_error *err)
{
    struct gf_png_reader *p = r->state;
    int begins, more;

    if (p->animation != NULL && !p->ended) {
        more = next_frame(r, err);
        if (more != 0)
            return more;
    }
    if (p->opened && !p->ended && gf_png_take_rest(r, false, err) != 0)
        return -1;
    begins = gf_source_begins(r->source, GF_PNG_SIGNATURE, 8, err);
    if (begins < 0)
        return -1;
    if (begins == 0)                             /* data after an image that is not another image is ignored */
        return p->opened ? 0 : gf_png_fail_damaged(r, "it does not begin like a PNG", err);
    free(p->whole);
    p->whole = NULL;
    if (p->animation != NULL)
        gf_reader_drop_meta(r);
    free_animation(p);
    r->random = false;
    p->head = (struct gf_png) { 0 };
    p->opened = true;
    p->ended = false;
    if (gf_png_pass_over(r, 8, err) != 0 || gf_png_take_front(r, err) != 0)
        return -1;
    return p->animation != NULL ? next_frame(r, err) : begin_still(r, err);
}

static int64_t png_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    const struct gf_png_reader *p = r->state;
    const int64_t left = r->format.units - p->row;

    if (count > left)
        count = left;
    if (count <= 0)
        return 0;
    if (p->animation != NULL)
        return read_frame(r, units, count, err);
    return p->head.interlaced ? read_whole(r, units, count, err) : read_rows(r, units, count, err);
}

static void png_close(struct gf_reader *r)
{
    struct gf_png_reader *p = r->state;

    gf_inflate_free(p->inflate);
    free(p->window);
    free(p->whole);
    free_animation(p);
}

static const struct gf_reader_ops png_ops = {
    .next = png_next, .read = png_read, .read_at = read_frame_at, .close = png_close,
    .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_CODE,
};

static int png_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    return gf_reader_begin(r, s, o, &png_ops, sizeof(struct gf_png_reader), err);
}

const struct gf_file_format gf_file_format_png = {
    .name = "png", .title = "PNG", .endings = { "apng" }, .kinds = 1 << GF_IMAGE, .streams = GF_STREAMS_BOTH,
    .signature = { GF_PNG_SIGNATURE }, .open = png_open, .hardened = true, .joined = true,
    .single = gf_png_is_single, .appendix = true, .image = &gf_write_png, .sequence = true,
    .table = &gf_draw_png,
    .usual = GF_USUAL_FILE | GF_USUAL_DRAWING,
    .notes = { "PNG, APNG", "all types, interlaced; APNG as frames",
               "color chunks in other formats; chunks after the image in a pipe",
               "damaged files; files that are cut short" },
};
