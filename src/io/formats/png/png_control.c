/*
 * Chunks that control an animation: acTL and fcTL, their order, and the durations of all frames.
 * Built if HAVE_INFLATE.
 */
#include "io/formats/png/png_control.h"

#include <stdlib.h>
#include <string.h>

#define ACTL_BYTES 8
#define USUAL_PER_SECOND 100             /* if the file says 0 */

/* ---- chunks ---- */

int gf_png_check_sequence(const struct gf_reader *r, const unsigned char *number, struct gf_error *err)
{
    return gf_get32(number, true) == gf_png_animation_of(r)->sequence++ ? 0
         : gf_png_fail_damaged(r, "chunks of its animation are missing or out of order", err);
}

/* Parses an fcTL chunk. Returns false if it is malformed. */
static bool parse_control(const struct gf_png *screen, const unsigned char *b, size_t size, struct gf_png_control *c)
{
    if (size != GF_PNG_CONTROL_BYTES || b[24] > GF_PNG_DISPOSE_RESTORE || b[25] > 1)
        return false;
    *c = (struct gf_png_control) { .place = { .width = gf_get32(b + 4, true), .height = gf_get32(b + 8, true),
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

int gf_png_read_control(struct gf_reader *r, const struct gf_png *screen, const unsigned char *data, size_t size,
                        struct gf_error *err)
{
    struct gf_png_animation *a = gf_png_animation_of(r);

    if (!parse_control(screen, data, size, &a->now))
        return fail_control(r, err);
    if (a->frames == 0 && a->now.dispose == GF_PNG_DISPOSE_RESTORE)
        a->now.dispose = GF_PNG_DISPOSE_CLEAR;              /* the first frame has nothing to restore */
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
    p->animation->plays = (int)(gf_get32(data + 4, true) & INT32_MAX);
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
    return gf_png_read_control(r, &p->head, data, size, err);
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
static void note_clear(struct gf_png_animation *a, const struct gf_png_control *before,
                       const struct gf_png_control *now)
{
    const struct gf_canvas_place all = { .width = a->screen.width, .height = a->screen.height };

    if (before != NULL && before->dispose != GF_PNG_DISPOSE_CLEAR)
        return;
    if (!covers(now->place, before != NULL ? before->place : all) || now->dispose == GF_PNG_DISPOSE_RESTORE)
        a->clear = true;
}

void gf_png_scan_frame(struct gf_png_animation *a, struct gf_png_control c)
{
    const bool first = a->times.frames == 0;

    if (first && c.dispose == GF_PNG_DISPOSE_RESTORE)
        c.dispose = GF_PNG_DISPOSE_CLEAR;
    note_clear(a, first ? NULL : &a->scanned, &c);
    gf_frame_times_add(&a->times, c.count, c.per_second);
    a->scanned = c;
}

void gf_png_scan_control(struct gf_reader *r, const unsigned char *data, size_t size)
{
    struct gf_png_animation *a = gf_png_animation_of(r);
    struct gf_png_control c;

    if (a != NULL && parse_control(&a->screen, data, size, &c))       /* damage is reported when the frame is read */
        gf_png_scan_frame(a, c);
}
