/* Divides a recording into several: reads it in order, and ends a part at each cut. */
#include "run/split_audio.h"

#include "base/elementary.h"
#include "base/spool.h"
#include "run/output_metadata.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE_FRAMES 4096

struct split {
    struct gf_reader *from;
    struct gf_splitting how;
    int64_t start, end;                  /* frames of the current part; an unknown end is INT64_MAX */
    int64_t position;                    /* the next frame to read */
    int parts;
    unsigned char *ahead;                /* a frame that was read to find out if there is another part */
    bool has_ahead;
    /* by silence: frames that were read, because a part may end among them */
    struct gf_spool_queue held;
    int64_t scanned;                     /* those of them that were looked at; others are at the end of the piece */
    unsigned char *piece;                /* the last ones that were read */
    int64_t piece_frames, piece_scanned;
    double limit;                        /* the level, on the scale of samples */
    int64_t quiet;                       /* silent frames up to there */
    bool sounded;                        /* the current part has sound before them */
    bool ended;                          /* no frame follows those that are held */
};

/* ---- silence ---- */

static double full_scale(enum gf_type type)
{
    return type == GF_S16 ? 32768 : type == GF_S32 ? 2147483648 : 1;
}

/* Returns true if no sample of a frame reaches the level. NaN does. */
static bool is_quiet(const struct split *c, const void *frame)
{
    const int channels = c->from->format.channels;
    int k = 0;

    switch (c->from->format.type) {
    case GF_S16:
        while (k < channels && fabs((double)((const int16_t *)frame)[k]) < c->limit)
            k++;
        break;
    case GF_S32:
        while (k < channels && fabs((double)((const int32_t *)frame)[k]) < c->limit)
            k++;
        break;
    case GF_F64:
        while (k < channels && fabs(((const double *)frame)[k]) < c->limit)
            k++;
        break;
    default:
        while (k < channels && fabs((double)((const float *)frame)[k]) < c->limit)
            k++;
    }
    return k == channels;
}

/* Returns how many frames before the next sound a part begins, after so many silent ones. */
static int64_t find_lead(const struct split *c)
{
    const int64_t half = c->quiet - c->quiet / 2;

    return half < c->how.least ? half : c->how.least;
}

/* Looks at the frames that are held, as far as the sound after which the current part is known to end. */
static void scan(struct split *c)
{
    const size_t unit = gf_unit_bytes(&c->from->format);

    for (; c->piece_scanned < c->piece_frames; c->piece_scanned++, c->scanned++) {
        if (is_quiet(c, c->piece + (size_t)c->piece_scanned * unit)) {
            c->quiet++;
            continue;
        }
        if (c->sounded && c->quiet >= c->how.least) {
            c->end = c->position + c->scanned - find_lead(c);
            return;
        }
        c->quiet = 0;
        c->sounded = true;
    }
}

/* Reads up to `count` more frames after those that are held; no more than are asked for, because a pipe may wait. */
static int hold_more(struct split *c, int64_t count, struct gf_error *err)
{
    const struct gf_format *const f = &c->from->format;
    const size_t unit = gf_unit_bytes(f);
    int64_t got;

    count = count < PIECE_FRAMES ? count : PIECE_FRAMES;
    got = gf_reader_read(c->from, c->piece, count, err);
    if (got < 0)
        return -1;
    c->ended = got < count;
    c->piece_frames = got;
    c->piece_scanned = 0;
    return gf_spool_queue_put(&c->held, c->piece, (size_t)got * unit, err);
}

/* Says that the recording was not divided. */
static void warn_one_part(const struct split *c)
{
    const struct gf_reader *const from = c->from;

    if (c->parts == 0)
        gf_warn(from->notices, "cuts", from->name, "split: has no silence of %.4g s below %.4g dBFS between sounds, so "
                "there is one part; silence:table,above=6 --to json reports the level 6 dB above the noise, to try as "
                "db=",
                (double)c->how.least / from->format.rate, 20 * gf_log10(c->how.level));
}

/* Reads frames of the current part, whose end is not known. */
static int64_t read_between(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct split *const c = r->state;
    const size_t unit = gf_unit_bytes(&r->format);
    unsigned char *const to = units;
    int64_t done = 0;

    while (done < count && c->position < c->end) {
        /* a part cannot end before what is left after this, except in silence that goes on */
        const int64_t sure = c->end < INT64_MAX ? c->end - c->position
            : c->ended ? (int64_t)(c->held.bytes / unit) : c->scanned - (c->sounded ? find_lead(c) : 0);
        const int64_t now = sure < count - done ? sure : count - done;

        if (now > 0) {
            if (gf_spool_queue_take(&c->held, to + (size_t)done * unit, (size_t)now * unit, err) != 0)
                return -1;
            c->scanned -= now;
            c->position += now;
            done += now;
            continue;
        }
        if (c->ended)
            break;
        if (hold_more(c, count - done, err) != 0)
            return -1;
        r->ahead = c->from->ahead;
        scan(c);
        if (c->ended && c->end == INT64_MAX)
            warn_one_part(c);
    }
    return done;
}

/* ---- all parts ---- */

static int64_t find_end(const struct split *c)
{
    const int64_t all = c->how.least > 0 ? GF_UNKNOWN : c->from->format.units;
    int64_t end = INT64_MAX;

    if (c->how.every > 0)
        end = c->start + c->how.every;
    else if (c->parts < c->how.count)
        end = c->how.at[c->parts];
    return all != GF_UNKNOWN && all < end ? all : end;
}

static int64_t read_frames(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct split *const c = r->state;
    const size_t unit = gf_unit_bytes(&r->format);
    unsigned char *to = units;
    int64_t got, ahead = 0;

    if (c->how.least > 0)
        return read_between(r, units, count, err);
    count = count < c->end - c->position ? count : c->end - c->position;
    if (count > 0 && c->has_ahead) {
        memcpy(to, c->ahead, unit);
        c->has_ahead = false;
        ahead = 1;
    }
    got = count > ahead ? gf_reader_read(c->from, to + (size_t)ahead * unit, count - ahead, err) : 0;
    if (got < 0)
        return -1;
    r->ahead = c->from->ahead;
    c->position += got + ahead;
    return got + ahead;
}

/* Describes the current part. Data about times has to be changed for it. */
static int describe(struct gf_reader *r, struct split *c, struct gf_error *err)
{
    c->end = find_end(c);
    r->format.units = c->how.least > 0 || c->from->format.units == GF_UNKNOWN ? GF_UNKNOWN : c->end - c->start;
    r->part = (struct gf_reader_part) { .cut = true, .timed = true, .start = c->start,
                                       .last = c->end == c->from->format.units };
    gf_meta_release(&r->meta);
    return gf_meta_copy(&r->meta, &c->from->meta, err);
}

static int next(struct gf_reader *r, struct gf_error *err)
{
    struct split *const c = r->state;
    int64_t got;

    if (gf_reader_skip_rest(r, err) != 0)    /* the stages may need less than all */
        return -1;
    if (c->end == INT64_MAX || c->position < c->end)
        return gf_output_metadata_next(r, c->from, err);
    if (c->how.least == 0) {
        got = gf_reader_read(c->from, c->ahead, 1, err);
        if (got <= 0)
            return got < 0 ? -1 : gf_output_metadata_next(r, c->from, err);
        c->has_ahead = true;
    }
    c->start = c->end;
    c->parts++;
    if (describe(r, c, err) != 0)
        return -1;
    c->quiet = 0;
    c->sounded = false;
    if (c->how.least > 0)
        scan(c);
    return 1;
}

static void close_cut(struct gf_reader *r)
{
    struct split *const c = r->state;

    gf_reader_close(c->from);
    free(c->ahead);
    free(c->piece);
    gf_spool_close(&c->held.spool);
}

static const struct gf_reader_ops ops = { .next = next, .read = read_frames, .close = close_cut,
                                          .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_FILE };

struct gf_reader *gf_split_audio_open(struct gf_reader *r, const struct gf_splitting *how, size_t most,
                                      struct gf_error *err)
{
    struct split *const c = calloc(1, sizeof *c);
    const size_t unit = gf_unit_bytes(&r->format);
    unsigned char *const ahead = malloc(unit), *const piece = malloc(PIECE_FRAMES * unit);
    const int64_t last = how->count > 0 ? how->at[how->count - 1] : 0;
    struct gf_reader *cut = NULL;

    if (c == NULL || ahead == NULL || piece == NULL) {
        gf_fail_memory(err, r->name);
        goto out;
    }
    *c = (struct split) { .from = r, .how = *how, .ahead = ahead, .piece = piece,
                          .limit = how->level * full_scale(r->format.type) };
    gf_spool_queue_begin(&c->held, (size_t)(how->least + PIECE_FRAMES) * unit, most);
    cut = gf_reader_new(r, &ops, c, &r->format, err);
    if (cut == NULL)
        goto out;
    cut->lossy = r->lossy;
    cut->changed = r->changed;
    cut->unwatched = r->unwatched;
    if (r->format.units != GF_UNKNOWN && last >= r->format.units)
        gf_warn(r->notices, "cuts", r->name, "split: it is %.4g s long, so nothing begins at %.4g s",
                (double)r->format.units / r->format.rate, (double)last / r->format.rate);
    if (describe(cut, c, err) == 0)
        return cut;
    c->from = NULL;
    gf_reader_close(cut);
    return NULL;
out:
    free(ahead);
    free(piece);
    free(c);
    return NULL;
}
