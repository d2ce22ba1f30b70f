/* When the images of an input are shown: the sums of the durations before them. */
#include "run/frame_clock.h"

#include "io/formats/frames/frame_times.h"

#define MICROSECONDS 1e6

/* Returns how long the image is shown; per_second 0: unknown. */
static struct gf_shown duration_of(const struct gf_reader *r)
{
    const struct gf_shown shown = gf_reader_shown(r);
    int64_t count = shown.count, per_second = shown.per_second;

    if (r->shown.per_second > 0)             /* an animation: video has frames of any duration */
        gf_frame_times_as_shown(&count, &per_second);
    return (struct gf_shown) { (int)count, (int)per_second, 0 };
}

/* The product has no rounding errors that grow with the number of images, unlike a sum. */
static double time_of(const struct gf_frame_clock *c)
{
    return c->images == 0 ? c->before
                          : c->before + (double)c->images * (double)c->each.count / (double)c->each.per_second;
}

void gf_frame_clock_next(struct gf_frame_clock *c, const struct gf_reader *r, struct gf_table *table)
{
    const struct gf_shown shown = duration_of(r);
    const double now = time_of(c);

    table->timed = !c->unknown && (c->began || shown.per_second > 0);
    table->time = (double)(int64_t)(now * MICROSECONDS + 0.5) / MICROSECONDS;
    c->began = true;
    if (shown.per_second <= 0) {
        c->unknown = true;
        return;
    }
    if (shown.count != c->each.count || shown.per_second != c->each.per_second) {
        c->before = now;
        c->images = 0;
        c->each = shown;
    }
    c->images++;
}
