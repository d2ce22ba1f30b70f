/* Windows of frames: reads ahead, keeps those that passed, and lends images to tasks. */
#include "run/window.h"

#include "base/memory_share.h"
#include "io/formats/frames/frame_times.h"
#include "io/formats/frames/y4m.h"
#include "run/frame_luma.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

/* A time in seconds. */
struct instant {
    int64_t count, per_second;
};

/* An image, and what its reader said about it. */
struct entry {
    struct gf_side_image *image;
    struct gf_format format;
    struct gf_meta meta;
    int64_t meta_number;
    struct gf_shown shown;
    const char *name;
    struct instant start, end;           /* if images are chosen by time */
};

struct window {
    /* the part that views copy: samples of the current image, which its task keeps */
    struct { const char *samples; size_t unit_bytes; } now;
    struct gf_reader *from;
    const char *stage;
    struct gf_frames need;
    size_t most;                         /* bytes in memory of an image as it was read, and of its pixels */
    bool fresh;                          /* nothing has been read of the current image of `from` */
    bool ended;
    uint64_t number;
    int64_t made;                        /* images that were chosen by time */
    struct instant end;                  /* of the last image that was read */
    double between;
    struct gf_error error;               /* that ended it; it is reported after the images before */
    int64_t current, first;              /* numbers of the current image, and of the first one that is kept */
    int count;
    struct entry entry[GF_MOST_FRAMES];
};

/* ---- reading ahead ---- */

static void drop_entry(struct entry *e)
{
    gf_side_image_release(e->image);
    gf_meta_release(&e->meta);
}

/* Forgets images before the window. */
static void drop_passed(struct window *w)
{
    int passed = 0;

    while (passed < w->count && w->first + passed < w->current - w->need.before)
        drop_entry(&w->entry[passed++]);
    w->first += passed;
    w->count -= passed;
    memmove(w->entry, w->entry + passed, (size_t)w->count * sizeof *w->entry);
}

/* An operation reads all images of a window in one way. */
static int check_alike(const struct window *w, const struct gf_format *f, struct gf_error *err)
{
    const struct gf_format *const last = w->count > 0 ? &w->entry[w->count - 1].format : f;

    if (f->width != last->width || f->units != last->units)
        return gf_fail(err, GF_FAILED, "%s: %s needs frames of one size, but after %lldx%lld follows %lldx%lld;; use "
                       "the stages resize or pad before %s", w->from->name, w->stage, (long long)last->width,
                       (long long)last->units, (long long)f->width, (long long)f->units, w->stage);
    if (f->channels != last->channels || f->alpha != last->alpha)
        return gf_fail(err, GF_FAILED, "%s: %s needs frames with the same channels, but after %d follow %d;; use the "
                       "stages gray or alpha:off before %s", w->from->name, w->stage, last->channels, f->channels,
                       w->stage);
    if (f->type != last->type || f->maxval != last->maxval || f->orientation != last->orientation
        || !gf_same_yuv(&f->yuv, &last->yuv))
        return gf_fail(err, GF_FAILED, "%s: %s needs frames that are stored alike, but their depth or layout changes;; "
                       "use the stage clamp before %s, which makes floats of them", w->from->name, w->stage,
                       w->stage);
    return 0;
}

/* Adds times. Denominators of animations are small; others are rounded to nanoseconds. */
static struct instant add_times(struct instant a, struct instant b)
{
    const int64_t nano = 1000000000, same = gf_common_divisor(a.per_second, b.per_second);
    const int64_t per_second = a.per_second / same * b.per_second;

    if (per_second <= nano)
        return (struct instant) { a.count * (b.per_second / same) + b.count * (a.per_second / same), per_second };
    return (struct instant) { (int64_t)((wide)a.count * nano / a.per_second + (wide)b.count * nano / b.per_second),
                              nano };
}

/* Finds when an image is shown, as browsers show those of animations. */
static int set_times(struct window *w, struct entry *e, struct gf_error *err)
{
    const struct gf_shown shown = gf_reader_shown(w->from);
    int64_t count = shown.count, per_second = shown.per_second;

    if (w->need.rate[0] == 0)
        return 0;
    if (per_second <= 0)
        return gf_fail(err, GF_FAILED, "%s: %s needs to know when images are shown, but the input does not say it;; "
                       "use Y4M or an animation, or --rate to set the frame rate of the output", w->from->name,
                       w->stage);
    if (e->shown.per_second > 0)
        gf_frame_times_as_shown(&count, &per_second);
    e->start = w->end.per_second > 0 ? w->end : (struct instant) { 0, 1 };
    e->end = w->end = add_times(e->start, (struct instant) { count, per_second });
    return 0;
}

static int fill_entry(struct window *w, struct entry *e, struct gf_error *err)
{
    struct gf_reader *const r = w->from;

    *e = (struct entry) { .format = r->format, .meta_number = r->meta_number, .shown = r->shown,
                          .name = r->name };
    if (check_alike(w, &r->format, err) != 0 || set_times(w, e, err) != 0)
        return -1;
    e->image = gf_side_image_new(r, w->most, err);
    if (e->image == NULL)
        return -1;
    e->image->keeps = true;
    if (gf_side_image_read(e->image, r, err) != 0)
        return -1;
    if (w->need.luma)
        e->image->luma = gf_frame_luma(&r->format, gf_side_image_stored(e->image));
    return gf_meta_copy(&e->meta, &r->meta, err);
}

/* Reads one more image. An error waits until the images before it are done. */
static void read_ahead(struct window *w)
{
    struct entry *const e = &w->entry[w->count];
    const int more = w->fresh ? 1 : gf_reader_next(w->from, &w->error);

    w->fresh = false;
    if (more == 1 && fill_entry(w, e, &w->error) == 0) {
        w->count++;
        return;
    }
    if (more == 1)
        drop_entry(e);
    if (w->error.status != 0 && gf_reader_is_joined(w->from))
        gf_reader_name_error(w->from->name, &w->error);
    w->ended = true;
}

/* ---- the reader ---- */

static void *place(const struct gf_reader *r, int64_t start)
{
    const struct window *const w = r->state;

    return (void *)(uintptr_t)(w->now.samples + (size_t)start * w->now.unit_bytes);
}

static int read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    const struct window *const w = r->state;

    (void)err;
    memcpy(units, place(r, start), (size_t)count * w->now.unit_bytes);
    return 0;
}

/* Frames of an animation share their metadata. */
static void deliver_meta(struct gf_reader *r, struct entry *e)
{
    r->same_meta = r->meta_number == e->meta_number && e->meta_number != 0;
    if (!r->same_meta) {
        gf_meta_release(&r->meta);
        r->meta = e->meta;
        e->meta = (struct gf_meta) { 0 };
    }
    r->meta_number = e->meta_number;
}

/* Returns true if there is image `number`, and reads it. */
static bool has_image(struct window *w, int64_t number)
{
    while (!w->ended && w->first + w->count <= number)
        read_ahead(w);
    return number < w->first + w->count;
}

/* Returns how many images are made until a time, rounded to nearest: an image moves to the nearest of their times. */
static int64_t images_until(const struct window *w, struct instant t)
{
    const wide by = (wide)t.per_second * w->need.rate[1];

    return (int64_t)((2 * (wide)t.count * w->need.rate[0] + by) / (2 * by));
}

/* Returns the time of the image that is made, in units of 1 / rate[0] seconds, minus t. */
static double time_after(const struct window *w, struct instant t)
{
    return (double)(((wide)(w->made - 1) * w->need.rate[1] * t.per_second - (wide)t.count * w->need.rate[0]))
        / (double)t.per_second;
}

/*
 * Goes on to the image of the input that is shown when the next one is made. Returns false at the end. There is one
 * image at least.
 */
static bool choose_by_time(struct window *w)
{
    const int64_t made = w->made++;

    w->current = w->current < 0 ? 0 : w->current;
    while (has_image(w, w->current)) {
        const struct entry *const e = &w->entry[w->current - w->first];
        const bool passed = w->need.between ? time_after(w, e->end) >= 0 : made >= images_until(w, e->end);

        if (passed && has_image(w, w->current + 1)) {
            w->current++;
            drop_passed(w);
            continue;
        }
        (void)has_image(w, w->current + w->need.after);
        w->between = passed || !w->need.between ? 0 : time_after(w, e->start) / (time_after(w, e->start)
                                                                                - time_after(w, e->end));
        return made == 0 || made < images_until(w, e->end);
    }
    return false;
}

/* Goes on to the next image of the input, with those before and after it. */
static bool choose_next(struct window *w)
{
    w->current++;
    drop_passed(w);
    (void)has_image(w, w->current + w->need.after);
    return has_image(w, w->current);
}

/* Describes images that were made by time. */
static void set_rate(struct gf_reader *r, const struct window *w)
{
    struct gf_yuv *const y = &r->format.yuv;

    if (r->shown.per_second > 0)
        r->shown = (struct gf_shown) { w->need.rate[1], w->need.rate[0], r->shown.plays };
    memcpy(y->rate, w->need.rate, sizeof y->rate);
    y->uneven = 0;
    gf_y4m_drop_tags(y, "XLENGTH=");
}

static int next(struct gf_reader *r, struct gf_error *err)
{
    struct window *const w = r->state;
    struct gf_format stored;
    struct entry *e;

    if (!(w->need.rate[0] > 0 ? choose_by_time(w) : choose_next(w))) {
        *err = w->error;
        return w->error.status != 0 ? -1 : 0;
    }
    e = &w->entry[w->current - w->first];
    deliver_meta(r, e);
    stored = gf_stored_format(&e->format);
    w->now.samples = gf_side_image_stored(e->image);
    w->now.unit_bytes = gf_unit_bytes(&stored);
    r->format = e->format;
    r->shown = e->shown;
    r->name = e->name;
    r->random = true;
    if (w->need.rate[0] > 0)
        set_rate(r, w);
    return 1;
}

static void close_window(struct gf_reader *r)
{
    struct window *const w = r->state;

    for (int i = 0; i < w->count; i++)
        drop_entry(&w->entry[i]);
}

static const struct gf_reader_ops window_ops = { .next = next, .read_at = read_at, .in_place = place,
                                                 .close = close_window,
                                                 .view_bytes = sizeof ((struct window *)0)->now,
                                                 .opening = GF_LABOUR_CODE, .reading = GF_LABOUR_COPY };

/* ---- opening, and lending ---- */

/* Divides the memory of second images among the images of the window, and those of frames that are in progress. */
static size_t image_memory(const struct gf_run_context *context, struct gf_limits *limits, int images)
{
    const int64_t all = gf_memory_share(GF_MEMORY_SIDES, gf_run_context_host_bytes(context, limits));
    const int threads = limits->threads > 0 ? limits->threads : context->cpu.cores;

    gf_memory_take(GF_MEMORY_SIDES, &limits->memory_bytes);
    return (size_t)(all / 2 / (images + threads));
}

struct gf_reader *gf_window_open(struct gf_reader *r, const char *stage, struct gf_frames need,
                                 const struct gf_run_context *context, struct gf_limits *limits,
                                 struct gf_error *err)
{
    static atomic_ullong numbers;
    struct window *const w = calloc(1, sizeof *w);
    struct gf_reader *window;

    if (w == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    *w = (struct window) { .from = r, .stage = stage, .need = need, .fresh = true, .current = -1,
                           .number = atomic_fetch_add(&numbers, 1) + 1,
                           .most = image_memory(context, limits, need.before + 1 + need.after) };
    window = gf_reader_wrap(r, &window_ops, w, &r->format, err);
    if (window == NULL) {
        free(w);
        return NULL;
    }
    if (next(window, err) == 1) {
        if (need.after > 0 && w->ended && w->count == 1 && w->error.status == 0)
            gf_note(r->notices, "one-frame", r->name, "is one image, so %s has none before or after it; --join makes "
                    "a sequence of all inputs", stage);
        return window;
    }
    gf_reader_unwrap(window);
    return NULL;
}

void gf_window_release(struct gf_window_images *images)
{
    for (int i = 0; i < images->count; i++)
        gf_side_image_release(images->image[i]);
    images->count = 0;
}

void gf_window_take(const struct gf_reader *r, struct gf_window_images *images, struct gf_run_window *window)
{
    const struct window *const w = r->ops == &window_ops ? r->state : NULL;

    gf_window_release(images);
    window->frames = window->now = 0;
    if (w == NULL)
        return;
    for (int i = 0; i < w->count && w->first + i <= w->current + w->need.after; i++) {
        struct gf_side_image *const image = w->entry[i].image;

        atomic_fetch_add(&image->holders, 1);
        images->image[i] = image;
        /* those of a packed image follow when it is unpacked, which another thread may be doing */
        window->pixels[i] = gf_side_image_is_packed(&image->packed) ? (struct gf_side_samples) { NULL, NULL, 0 }
            : gf_side_image_samples(image);
        window->pixels[i].number = image->number;
        window->stored[i] = gf_side_image_stored(image);
        window->luma[i] = image->luma;
    }
    images->count = window->frames = w->count;
    window->now = (int)(w->current - w->first);
    window->between = w->between;
    window->number = w->number;
}
