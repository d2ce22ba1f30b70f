/* Reads recordings one after another, with a crossfade or without. */
#include "run/joined_audio.h"

#include "base/elementary.h"

#include <stdlib.h>

static int refuse_short(const struct gf_joined_audio *j, int i, struct gf_error *err)
{
    const struct gf_audio_part *const part = &j->parts.part[i];

    return gf_fail(err, GF_FAILED, part->lent ? "%s: a part of it is shorter than the crossfade of %.4g s"
                   : "%s: is shorter than the crossfade of %.4g s", part->name,
                   (double)j->fade_frames / j->parts.format.rate);
}

/* Goes on to the next part. */
static int end_part(struct gf_joined_audio *j, struct gf_error *err)
{
    j->done = 0;
    return gf_audio_parts_close(&j->parts, j->at++, err);
}

/* Reads frames of the current part in the format of the result. Returns 0 at its end, or -1. */
static int64_t read_part(struct gf_joined_audio *j, void *to, int64_t count, struct gf_error *err)
{
    const int64_t limit = j->parts.part[j->at].limit, left = limit - j->done;
    const int64_t got = gf_audio_parts_read(&j->parts, j->at, to, count < left ? count : left, err);

    j->done += got > 0 ? got : 0;
    if (got == 0 && j->done < limit && limit != INT64_MAX) {
        j->parts.part[j->at].units = j->done;
        j->count = j->at + 1;                    /* nothing follows what ends too early */
    }
    return got;
}

static int64_t read_plain(struct gf_joined_audio *j, void *units, int64_t count, struct gf_error *err)
{
    unsigned char *to = units;
    int64_t done = 0;

    while (done < count && j->at < j->count) {
        const int64_t got = read_part(j, to + (size_t)done * gf_unit_bytes(&j->parts.format), count - done, err);

        if (got < 0)
            return -1;
        done += got;
        if (got == 0 && end_part(j, err) != 0)
            return -1;
    }
    return done;
}

/* Lets the last frames, which are held, fade into the first ones of the current part. */
static int fade_over(struct gf_joined_audio *j, struct gf_error *err)
{
    const size_t unit = gf_unit_bytes(&j->parts.format);
    const int channels = j->parts.format.channels;

    for (int64_t at = 0, got; at < j->fade_frames; at += got) {
        const int64_t left = j->fade_frames - at;

        got = read_part(j, j->head, left < GF_PIECE_FRAMES ? left : GF_PIECE_FRAMES, err);
        if (got <= 0)
            return got < 0 ? -1 : refuse_short(j, j->at, err);
        if (gf_spool_queue_take(&j->held, j->tail, (size_t)got * unit, err) != 0)
            return -1;
        for (int64_t i = 0; i < got; i++) {
            const double t = ((double)(at + i) + .5) / (double)j->fade_frames;
            const double in = j->linear ? t : gf_sin_pi(t / 2), out = j->linear ? 1 - t : gf_cos_pi(t / 2);

            for (int64_t k = i * channels; k < (i + 1) * channels; k++)
                j->head[k] = (float)((double)j->tail[k] * out + (double)j->head[k] * in);
        }
        if (gf_spool_queue_put(&j->held, j->head, (size_t)got * unit, err) != 0)
            return -1;
    }
    return 0;
}

/* Goes on to the next part, into which the last frames fade. */
static int end_faded(struct gf_joined_audio *j, struct gf_error *err)
{
    if (j->count > 1 && j->held.bytes < (size_t)j->fade_frames * gf_unit_bytes(&j->parts.format))
        return refuse_short(j, j->at, err);
    return end_part(j, err) != 0 || (j->at < j->count && fade_over(j, err) != 0) ? -1 : 0;
}

static int64_t read_faded(struct gf_joined_audio *j, void *units, int64_t count, struct gf_error *err)
{
    const size_t unit = gf_unit_bytes(&j->parts.format), kept = (size_t)j->fade_frames * unit;
    unsigned char *const to = units;
    int64_t done = 0, got = 0;

    while (done < count && (j->at < j->count || j->held.bytes > 0)) {
        const int64_t now = count - done < GF_PIECE_FRAMES ? count - done : GF_PIECE_FRAMES;
        size_t bytes = (size_t)now * unit;

        if (j->at < j->count) {
            got = read_part(j, j->head, now, err);
            if (got < 0 || (got == 0 && end_faded(j, err) != 0)
                || gf_spool_queue_put(&j->held, j->head, (size_t)got * unit, err) != 0)
                return -1;
            bytes = j->held.bytes > kept ? j->held.bytes - kept : 0;
        }
        bytes = bytes < j->held.bytes ? bytes : j->held.bytes;
        if (gf_spool_queue_take(&j->held, to + (size_t)done * unit, bytes, err) != 0)
            return -1;
        done += (int64_t)(bytes / unit);
    }
    return done;
}

int64_t gf_joined_audio_read(struct gf_joined_audio *j, void *units, int64_t count, struct gf_error *err)
{
    return j->fades ? read_faded(j, units, count, err) : read_plain(j, units, count, err);
}

/* Returns the length of the result, or GF_UNKNOWN. */
static int64_t count_units(const struct gf_joined_audio *j)
{
    int64_t units = -j->fade_frames * (j->count - 1);

    for (int i = 0; i < j->count; i++) {
        if (j->parts.part[i].units == GF_UNKNOWN)
            return GF_UNKNOWN;
        units += j->parts.part[i].units;
    }
    return units;
}

int gf_joined_audio_begin(struct gf_joined_audio *j, struct gf_error *err)
{
    struct gf_format *const f = &j->parts.format;
    size_t piece;

    for (int i = 0; j->fade_frames > 0 && i < j->count; i++)
        if (j->parts.part[i].units != GF_UNKNOWN && j->parts.part[i].units < j->fade_frames)
            return refuse_short(j, i, err);
    f->units = count_units(j);
    if (!j->fades)
        return 0;
    gf_audio_parts_use_floats(f);
    piece = GF_PIECE_FRAMES * gf_unit_bytes(f);
    gf_spool_queue_begin(&j->held, (size_t)j->fade_frames * gf_unit_bytes(f) + piece,
                         gf_run_context_waiting_bytes(&j->parts.context, &j->parts.limits));
    j->tail = malloc(piece);
    j->head = malloc(piece);
    return j->tail == NULL || j->head == NULL ? gf_fail_memory(err, j->parts.part[0].name) : 0;
}

void gf_joined_audio_release(struct gf_joined_audio *j)
{
    gf_audio_parts_release(&j->parts);
    gf_spool_close(&j->held.spool);
    free(j->tail);
    free(j->head);
    j->tail = j->head = NULL;
    j->at = 0;
    j->done = 0;
}

/* ---- the reader ---- */

static int64_t read_units(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct gf_joined_audio *const j = r->state;
    const int64_t got = gf_joined_audio_read(j, units, count, err);

    r->ahead = gf_audio_parts_are_ahead(&j->parts);
    return got;
}

static void close_joined(struct gf_reader *r)
{
    gf_joined_audio_release(r->state);
}

static const struct gf_reader_ops joined_ops = { .next = gf_audio_parts_next, .read = read_units, .close = close_joined,
                                                 .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_FILE };
static const struct gf_reader_ops faded_ops = { .next = gf_audio_parts_next, .read = read_units, .close = close_joined,
                                                .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_CODE };

struct gf_reader *gf_joined_audio_open(const struct gf_run_context *context, const struct gf_limits *limits,
                                       struct gf_reader *first, const struct gf_read_options *options,
                                       struct gf_error *err)
{
    struct gf_joined_audio *const j = calloc(1, sizeof *j);
    struct gf_audio_parts_order order = { 0 };
    struct gf_reader *r = NULL;

    if (j == NULL) {
        gf_fail_memory(err, first->name);
        gf_reader_close(first);
        return NULL;
    }
    j->fades = options->join == GF_JOIN_FADE;
    j->linear = options->fade.linear;
    j->fade_frames = order.overlap = j->fades ? (int64_t)(options->fade.seconds * first->format.rate + .5) : 0;
    j->count = options->joined_count + 1;
    if (gf_audio_parts_open(&j->parts, context, limits, first, options, &order, err) == 0
        && gf_joined_audio_begin(j, err) == 0)
        r = gf_audio_parts_reader(j->fades ? &faded_ops : &joined_ops, j, err);
    if (r != NULL)
        return r;
    gf_joined_audio_release(j);
    free(j);
    return NULL;
}
