/* Functions for writers of animations: they check sizes, round durations, and find the part of a frame that changed. */
#include "io/formats/frames/animation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Half of the difference between 24 and 24000/1001 frames per second; a smaller one is that of decimals. */
#define SAME_SPEED 0.0005
#define ROUNDED 0.01                     /* seconds; a GIF rounds its durations, and their sum with them */

void gf_animation_warn_speed(const struct gf_writer *w, double old)
{
    const int *rate = w->options.rate;
    const double speed = old > 0 && rate[0] > 0 ? (double)rate[0] / rate[1] / old : 1;
    char text[40];

    if (fabs(speed - 1) < SAME_SPEED)
        return;
    snprintf(text, sizeof text, rate[1] == 1 ? "%d" : "%d/%d", rate[0], rate[1]);
    gf_warn(w->options.notices, "speed", w->name,
            "plays at %.4g times the speed, because --rate %s keeps all frames of %.4g per second; to keep the speed, "
            "use the stage fps:%.5g",
            speed, text, old, (double)rate[0] / rate[1]);
}

bool gf_animation_is_timed(const struct gf_writer *w)
{
    return w->options.rate[0] > 0 || w->shown.per_second > 0;
}

int gf_animation_begin_image(struct gf_animation *a, const struct gf_writer *w, struct gf_error *err)
{
    const struct gf_format *first = &a->format, *now = &w->format;

    a->stated += w->shown.count > 0 && w->shown.per_second > 0;
    a->before += w->shown.per_second > 0 ? (double)w->shown.count / w->shown.per_second : 0;
    if (a->images++ == 0) {
        a->format = *now;
        a->timed = gf_animation_is_timed(w);
        return 0;
    }
    if (!a->timed || !gf_animation_is_timed(w))
        return gf_fail_second_image(w, err);
    if (first->width != now->width || first->units != now->units)
        return gf_fail(err, GF_FAILED, "%s: all frames of an animation must have the same size, but after %lldx%lld "
                       "follows one of %lldx%lld;; use --join=fit, or the stages resize and pad", w->name,
                       (long long)first->width, (long long)first->units, (long long)now->width,
                       (long long)now->units);
    if (first->channels != now->channels || first->type != now->type || first->bits != now->bits)
        return gf_fail(err, GF_FAILED, "%s: frames of an animation must have the same channels and depth, but frame "
                       "%lld has others;; alpha:on or alpha:off, and --depth 8, make them equal", w->name,
                       (long long)a->images);
    return 0;
}

struct gf_shown gf_animation_shown(const struct gf_writer *w)
{
    struct gf_shown s = w->shown;

    if (w->options.rate[0] > 0) {
        s.count = w->options.rate[1];
        s.per_second = w->options.rate[0];
    }
    return s;
}

int gf_animation_ticks(struct gf_animation *a, const struct gf_writer *w, int per_second, int most)
{
    const struct gf_shown s = gf_animation_shown(w);
    const int64_t before = a->ticks;

    if (s.per_second > 0)
        a->seconds += (double)s.count / (double)s.per_second;
    a->ticks = (int64_t)(a->seconds * per_second + 0.5);
    return a->ticks - before < most ? (int)(a->ticks - before) : most;
}

void gf_animation_end(const struct gf_animation *a, const struct gf_writer *w)
{
    if (a->images == 1 && w->options.rate[0] > 0)
        gf_warn(w->options.notices, "still", w->name, "has only one image, so --rate has no effect");
    else if (a->images == a->stated && w->options.rate[0] > 0
             && fabs((double)a->images * w->options.rate[1] / w->options.rate[0] - a->before) > ROUNDED)
        gf_animation_warn_speed(w, (double)a->images / a->before);
}

struct gf_canvas_place gf_animation_changed(const unsigned char *before, const unsigned char *now, int64_t width,
                                            int64_t rows, size_t pixel_bytes)
{
    const size_t row_bytes = (size_t)width * pixel_bytes;
    size_t left = row_bytes, right = 0;          /* bytes of a row: the first that differs, after the last */
    int64_t top = -1, bottom = -1;

    for (int64_t y = 0; y < rows; y++, before += row_bytes, now += row_bytes) {
        size_t end = row_bytes, start = 0;

        if (memcmp(before, now, row_bytes) == 0)
            continue;
        top = top < 0 ? y : top;
        bottom = y;
        while (start < left && before[start] == now[start])
            start++;
        while (end > right && before[end - 1] == now[end - 1])
            end--;
        left = start < left ? start : left;
        right = end > right ? end : right;
    }
    if (top < 0)
        return (struct gf_canvas_place) { 0 };
    left /= pixel_bytes;
    right = (right + pixel_bytes - 1) / pixel_bytes;
    return (struct gf_canvas_place) { .x = (int64_t)left, .y = top, .width = (int64_t)(right - left),
                                      .height = bottom - top + 1 };
}
