/* Reads frames of an animated PNG (APNG). Each frame is composed on a canvas.
 * Built if HAVE_INFLATE. */
#define _GNU_SOURCE
#include "io/formats/frames/canvas.h"
#include "io/formats/frames/frame_times.h"
#include "io/formats/png/png.h"

#include <stdlib.h>
#include <string.h>

#define ACTL_BYTES 8
#define FCTL_BYTES 26
#define USUAL_PER_SECOND 100             /* if the file says 0 */

enum dispose { DISPOSE_NONE, DISPOSE_CLEAR, DISPOSE_RESTORE };

/* A frame as its fcTL chunk describes it. */
struct control {
    struct gf_canvas_place place;
    int count, per_second;       /* its duration is count / per_second seconds */
    int dispose;
    bool over;                   /* blended with the canvas; if false, it replaces the pixels there */
};

struct gf_png_animation {
    struct gf_png screen;        /* the header; the reader's `head` has the size of the frame */
    uint32_t announced;          /* number of frames in acTL */
    uint32_t sequence;           /* sequence number of the next fcTL or fdAT */
    bool default_shown;          /* the default image is the first frame */
    struct control now, scanned;
    struct gf_frame_times times;
    struct gf_yuv timing;
    int64_t frames;
    struct gf_canvas canvas;     /* always with alpha */
    bool clear;                  /* some composed pixels are transparent, although no stored pixel is */
};

void gf_png_free_animation(struct gf_png_reader *p)
{
    struct gf_png_animation *a = p->animation;

    if (a == NULL)
        return;
    gf_canvas_close(&a->canvas);
    free(a);
    p->animation = NULL;
}

static struct gf_png_animation *animation_of(const struct gf_reader *r)
{
    return ((struct gf_png_reader *)r->state)->animation;
}

/* ---- chunks ---- */

int gf_png_check_sequence(const struct gf_reader *r, const unsigned char *number, struct gf_error *err)
{
    return gf_get32(number, true) == animation_of(r)->sequence++ ? 0
         : gf_png_fail_damaged(r, "chunks of its animation are missing or out of order", err);
}

/* Parses an fcTL chunk. Returns false if it is malformed. */
static bool parse_control(const struct gf_png *screen, const unsigned char *b, size_t size, struct control *c)
{
    if (size != FCTL_BYTES || b[24] > DISPOSE_RESTORE || b[25] > 1)
        return false;
    *c = (struct control) { .place = { .width = gf_get32(b + 4, true), .height = gf_get32(b + 8, true),
                                       .x = gf_get32(b + 12, true), .y = gf_get32(b + 16, true) },
                            .count = (int)gf_get16(b + 20, true), .per_second = (int)gf_get16(b + 22, true),
                            .dispose = b[24], .over = b[25] == 1 };
    if (c->per_second == 0)
        c->per_second = USUAL_PER_SECOND;
    return c->place.width > 0 && c->place.height > 0 && c->place.x + c->place.width <= screen->width
        && c->place.y + c->place.height <= screen->height;
}

static int fail_control(const struct gf_reader *r, struct gf_error *err)
{
    return gf_png_fail_damaged(r, "a frame is not within the image, or its fcTL chunk is malformed", err);
}

static int read_control(struct gf_reader *r, const struct gf_png *screen, const unsigned char *data, size_t size,
                        struct gf_error *err)
{
    struct gf_png_animation *a = animation_of(r);

    if (!parse_control(screen, data, size, &a->now))
        return fail_control(r, err);
    if (a->frames == 0 && a->now.dispose == DISPOSE_RESTORE)
        a->now.dispose = DISPOSE_CLEAR;              /* the first frame has nothing to restore */
    return gf_png_check_sequence(r, data, err);
}

static int read_actl(struct gf_reader *r, const unsigned char *data, size_t size, struct gf_error *err)
{
    struct gf_png_reader *p = r->state;

    if (size != ACTL_BYTES || p->animation != NULL)
        return gf_png_fail_damaged(r, "its acTL chunk is malformed", err);
    if (gf_get32(data, true) == 0) {
        gf_warn(r->notices, "animation", r->name, "its animation has no frames; the default image is read");
        return 0;
    }
    p->animation = calloc(1, sizeof *p->animation);
    if (p->animation == NULL)
        return gf_fail_memory(err, r->name);
    p->animation->announced = gf_get32(data, true);
    return 0;
}

int gf_png_take_animation(struct gf_reader *r, const char *type, const unsigned char *data, size_t size,
                          struct gf_error *err)
{
    const struct gf_png_reader *p = r->state;

    if (strcmp(type, "acTL") == 0)
        return read_actl(r, data, size, err);
    if (p->animation == NULL)
        return 0;
    if (p->animation->default_shown)
        return gf_png_fail_damaged(r, "a frame has no data", err);
    p->animation->default_shown = true;
    return read_control(r, &p->head, data, size, err);
}

/* ---- reading ahead ---- */

static bool covers(struct gf_canvas_place a, struct gf_canvas_place b)
{
    return a.x <= b.x && a.y <= b.y && a.x + a.width >= b.x + b.width && a.y + a.height >= b.y + b.height;
}

/*
 * Sets a->clear if `now`, drawn after `before` (NULL: none), leaves pixels transparent that are not
 * stored as transparent.
 */
static void note_clear(struct gf_png_animation *a, const struct control *before, const struct control *now)
{
    const struct gf_canvas_place all = { .width = a->screen.width, .height = a->screen.height };

    if (before != NULL && before->dispose != DISPOSE_CLEAR)
        return;
    if (!covers(now->place, before != NULL ? before->place : all) || now->dispose == DISPOSE_RESTORE)
        a->clear = true;
}

static void scan_frame(struct gf_png_animation *a, struct control c)
{
    const bool first = a->times.frames == 0;

    if (first && c.dispose == DISPOSE_RESTORE)
        c.dispose = DISPOSE_CLEAR;
    note_clear(a, first ? NULL : &a->scanned, &c);
    gf_frame_times_add(&a->times, c.count, c.per_second);
    a->scanned = c;
}

void gf_png_scan_control(struct gf_reader *r, const unsigned char *data, size_t size)
{
    struct gf_png_animation *a = animation_of(r);
    struct control c;

    if (a != NULL && parse_control(&a->screen, data, size, &c))       /* damage is reported when the frame is read */
        scan_frame(a, c);
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

/* ---- frames ---- */

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
        scan_frame(a, a->now);
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
    unsigned char data[FCTL_BYTES];

    if (p->left != FCTL_BYTES)
        return fail_control(r, err);
    return gf_png_take_some(r, data, sizeof data, err) != 0 || gf_png_end_chunk(r, true, err) != 0 ? -1
         : read_control(r, &p->animation->screen, data, sizeof data, err);
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

    if (a->now.dispose == DISPOSE_RESTORE && gf_canvas_keep(&a->canvas, a->now.place, r->name, err) != 0)
        return -1;
    p->head.width = (uint32_t)a->now.place.width;
    p->head.height = (uint32_t)a->now.place.height;
    if (gf_png_begin_rows(r, err) != 0 || gf_png_read_passes(r, put_frame_row, err) != 0)
        return -1;
    a->frames++;
    return gf_png_end_chunk(r, true, err);
}

static void set_format(struct gf_reader *r)
{
    struct gf_png_animation *a = animation_of(r);
    struct gf_png shown = a->screen;

    if (a->frames == 1)                              /* a video has the rate of its first frame */
        gf_frame_times_rate(&a->times, &a->timing);
    shown.keyed = shown.keyed || (a->clear && shown.colour < 4);
    r->format = (struct gf_format) { .yuv = a->timing };
    gf_png_format(&shown, &r->format);
}

int gf_png_next_frame(struct gf_reader *r, struct gf_error *err)
{
    const struct gf_png_reader *p = r->state;
    struct gf_png_animation *a = p->animation;
    const struct control before = a->now;
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
        scan_frame(a, a->now);
    if (!first && before.dispose == DISPOSE_CLEAR)
        gf_canvas_clear(&a->canvas, before.place);
    else if (!first && before.dispose == DISPOSE_RESTORE)
        gf_canvas_restore(&a->canvas, before.place);
    if (draw_frame(r, err) != 0)
        return -1;
    set_format(r);
    r->random = r->same_meta = true;
    return 1;
}

/* ---- reading ---- */

int gf_png_frame_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    const struct gf_canvas *canvas = &animation_of(r)->canvas;
    const unsigned char *from = gf_canvas_at(canvas, 0, start);
    const int64_t pixels = count * canvas->width;

    (void)err;
    if (r->format.alpha)
        memcpy(units, from, (size_t)pixels * canvas->pixel_bytes);
    else
        gf_png_drop_alpha(units, from, pixels, &r->format);
    return 0;
}

int64_t gf_png_frame_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct gf_png_reader *p = r->state;

    if (gf_png_frame_read_at(r, p->row, units, count, err) != 0)
        return -1;
    p->row += count;
    return count;
}
