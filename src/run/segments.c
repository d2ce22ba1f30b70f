/* Cuts the input into segments with their overlaps. */
#include "run/segments.h"

#include "base/clock.h"
#include "io/watch.h"
#include "report/timed_io.h"

#include <stdlib.h>
#include <string.h>

#define FAR (INT64_C(1) << 60)

int gf_segments_open(struct gf_segments *s, const struct gf_pass *pass, struct gf_reader *reader, int64_t in_units,
                     struct gf_error *err)
{
    size_t bytes;

    memset(s, 0, sizeof *s);
    pthread_mutex_init(&s->lock, NULL);
    s->pass = pass;
    s->reader = reader;
    s->known = in_units != GF_UNKNOWN;
    s->in_units = s->known ? in_units : FAR;
    if (reader == NULL || reader->random)
        return 0;
    bytes = (size_t)pass->in_units * gf_unit_bytes(&pass->from.format) + 1;
    s->tail = malloc(bytes);
    return s->tail ? 0 : gf_fail_memory_bytes(err, bytes, NULL);
}

void gf_segments_close(struct gf_segments *s)
{
    if (s->pass == NULL)                     /* never opened */
        return;
    pthread_mutex_destroy(&s->lock);
    free(s->tail);
    s->tail = NULL;
}

bool gf_segments_in_place(const struct gf_reader *reader)
{
    return reader != NULL && reader->random && reader->ops->in_place != NULL;
}

/*
 * Computes what the segment at `place` produces and needs, as far as the length is known; false:
 * nothing.
 */
static bool find_spans(const struct gf_segments *s, int64_t place, struct gf_job *job)
{
    struct gf_pass_walk walk;
    int64_t all;
    int steps;

    job->out = gf_pass_segment(s->pass, place, &steps);
    job->ahead = steps < s->pass->steps ? steps : 0;
    all = gf_pass_units_to(s->pass, steps, s->in_units);
    if (s->pass->measure.units > 0 && s->pass->measure.units < all)
        all = s->pass->measure.units;
    job->out.end = job->out.end < all ? job->out.end : all;
    if (job->out.start >= job->out.end)
        return false;
    gf_pass_fill_walk_to(s->pass, steps, job->out, s->in_units, &walk);
    job->in = walk.span[0];
    return true;
}

/*
 * Reads up to unit `end` into `to`, where unit `start` belongs, and finds the end of an input of
 * unknown length.
 */
static int read_up_to(struct gf_segments *s, char *to, int64_t start, int64_t end, struct gf_error *err)
{
    const size_t unit = gf_unit_bytes(&s->pass->from.format);
    int64_t got;

    while (s->position < end) {
        got = gf_reader_fetch(s->reader, to + (size_t)(s->position - start) * unit, end - s->position, err);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        s->position += got;
    }
    if (s->position >= end)
        return 0;
    if (s->known)
        return gf_fail(err, GF_FAILED, "%s: ends after %lld of %lld %s", s->reader->name, (long long)s->position,
                       (long long)s->in_units, gf_units_word(s->reader->format.kind));
    s->in_units = s->position;
    return 0;
}

/* Reads past units that no step needs. */
static int skip_to(struct gf_segments *s, char *room, int64_t room_units, int64_t start, struct gf_error *err)
{
    while (s->position < start && s->position < s->in_units) {
        const int64_t end = start - s->position < room_units ? start : s->position + room_units;

        if (read_up_to(s, room, s->position, end, err) != 0)
            return -1;
    }
    return 0;
}

/* Returns true if a segment, which find_spans() has found or not, needs no units, but later ones may. */
static bool needs_none(bool found, const struct gf_job *job)
{
    return found ? job->in.start >= job->in.end : job->ahead > 0;
}

/*
 * Returns the first unit that segments after `place` need. Only a few in sequence need none: those that lie beyond a
 * border, and lead-in of a signal that has ended.
 */
static int64_t first_needed_after(struct gf_segments *s, int64_t place)
{
    struct gf_job job;
    bool found;

    while (s->needing <= place) {
        do
            found = find_spans(s, ++s->needing, &job);
        while (needs_none(found, &job));
        s->needed = found ? job.in.start : s->in_units;
    }
    return s->needed;
}

/* Keeps the units that later segments need again. Segments between them may need none at all. */
static void keep_overlap(struct gf_segments *s, const char *units, struct gf_span in, int64_t place)
{
    const size_t unit = gf_unit_bytes(&s->pass->from.format);
    int64_t next;

    if (in.start >= in.end)
        return;
    next = first_needed_after(s, place);
    s->kept = (struct gf_span) { next < in.start ? in.start : next, s->position };
    if (s->kept.start >= s->kept.end)
        s->kept = (struct gf_span) { s->position, s->position };
    memcpy(s->tail, units + (size_t)(s->kept.start - in.start) * unit, (size_t)gf_span_units(s->kept) * unit);
}

static int take_in_order(struct gf_segments *s, struct gf_lane *lane, struct gf_job *job, int64_t place,
                         struct gf_error *err)
{
    const size_t unit = gf_unit_bytes(&s->pass->from.format);
    char *units = lane->in.data;
    int64_t from = job->in.start > s->kept.start ? job->in.start : s->kept.start;

    if (from < s->kept.end)
        memcpy(units, s->tail + (size_t)(from - s->kept.start) * unit, (size_t)(s->kept.end - from) * unit);
    if (skip_to(s, units, s->pass->in_units, job->in.start, err) != 0)
        return -1;
    if (s->position >= job->in.start && read_up_to(s, units, job->in.start, job->in.end, err) != 0)
        return -1;
    if (!find_spans(s, place, job))
        return 0;
    keep_overlap(s, units, job->in, place);
    return 1;
}

/* Reads and reports the bytes of the file that decoding consumed; moves *start to its time. */
static int take_watched(struct gf_segments *s, struct gf_lane *lane, struct gf_job *job, int64_t place, double *start,
                        struct gf_error *err)
{
    double before, after;
    int64_t bytes_before, bytes;
    int result;

    if (lane->record == NULL || s->reader->ops->reading != GF_LABOUR_CODE)
        return take_in_order(s, lane, job, place, err);
    gf_reader_cost(s->reader, &before, &bytes_before);
    result = take_in_order(s, lane, job, place, err);
    gf_reader_cost(s->reader, &after, &bytes);
    if (bytes > bytes_before) {
        gf_lane_note(lane, GF_READING, -1, *start, *start + after - before, bytes - bytes_before);
        *start += after - before;
    }
    return result;
}

/*
 * Finds the next segment. Lead-in segments may find the signal over; the first segment may still
 * have units.
 */
static int take_next(struct gf_segments *s, struct gf_lane *lane, struct gf_job *job, double *start,
                     struct gf_error *err)
{
    int result;

    do {
        const int64_t place = s->next++;

        result = find_spans(s, place, job);
        if (result == 1 && s->reader != NULL && !s->reader->random)
            result = take_watched(s, lane, job, place, start, err);
    } while (result == 0 && job->ahead > 0);
    return result;
}

/* Returns the units of the segment that no earlier segment had. Call it with the lock held. */
static struct gf_span take_new(struct gf_segments *s, const struct gf_job *job)
{
    const struct gf_span new = { job->in.start > s->watched ? job->in.start : s->watched, job->in.end };

    s->watched = job->in.end > s->watched ? job->in.end : s->watched;
    return new;
}

/* Looks at these units for warnings. */
static void watch_units(const struct gf_segments *s, const struct gf_job *job, struct gf_span new)
{
    const size_t unit = gf_unit_bytes(&s->pass->from.format);

    gf_watch_look(s->reader->watch, s->reader->watched, &s->pass->from.format,
                  (const char *)job->host_in + (size_t)(new.start - job->in.start) * unit, gf_span_units(new));
}

int gf_segments_take(struct gf_segments *s, struct gf_lane *lane, struct gf_job *job, int64_t *index,
                     struct gf_error *err)
{
    const bool in_place = gf_segments_in_place(s->reader);
    struct gf_span new = { 0, 0 };
    double start;
    int result;

    pthread_mutex_lock(&s->lock);
    start = lane->record ? gf_clock_seconds() : 0;
    result = take_next(s, lane, job, &start, err);
    *index = s->handed;
    s->handed += result == 1;
    if (result == 1)
        new = take_new(s, job);
    job->in_units = s->in_units;
    pthread_mutex_unlock(&s->lock);
    job->host_in = lane->in.data;
    if (result == 1 && in_place)
        job->host_in = s->reader->ops->in_place(s->reader, job->in.start);
    else if (result == 1 && s->reader != NULL && s->reader->random)
        result = gf_reader_read_at(s->reader, job->in.start, lane->in.data, gf_span_units(job->in), err) == 0 ? 1 : -1;
    else if (result == 1 && s->reader != NULL)
        /* not before the tail is kept, which must be as it was read */
        gf_reader_settle(s->reader, lane->in.data, gf_span_units(job->in));
    if (result == 1 && s->reader != NULL && s->reader->watched != 0)
        watch_units(s, job, new);
    if (result == 1 && lane->record && s->reader != NULL && !in_place)
        gf_lane_note(lane, gf_timed_io_activity(s->reader), -1, start, gf_clock_seconds(),
                     gf_span_units(job->in) * (int64_t)gf_unit_bytes(&s->pass->from.format));
    return result;
}

int gf_segments_drain(struct gf_segments *s, struct gf_lane *lane, struct gf_error *err)
{
    if (s->reader == NULL || s->reader->random || !s->known)     /* an input of unknown length may have no end */
        return 0;
    if (skip_to(s, lane->in.data, s->pass->in_units, s->in_units, err) == 0 || s->reader->format.kind == GF_AUDIO)
        return 0;                        /* the requested part is complete, so a cut after it does not matter */
    return -1;
}
