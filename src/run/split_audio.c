/* Divides a recording into several: reads it in order, and ends a part at each cut. */
#include "run/split_audio.h"

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
};

static int64_t find_end(const struct split *c)
{
    const int64_t all = c->from->format.units;
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

    count = count < c->end - c->position ? count : c->end - c->position;
    if (count > 0 && c->has_ahead) {
        memcpy(to, c->ahead, unit);
        c->has_ahead = false;
        ahead = 1;
    }
    got = count > ahead ? gf_reader_read(c->from, to + (size_t)ahead * unit, count - ahead, err) : 0;
    if (got < 0)
        return -1;
    c->position += got + ahead;
    return got + ahead;
}

/* Passes over frames that the stages did not need. */
static int skip_rest(struct gf_reader *r, struct split *c, struct gf_error *err)
{
    unsigned char *const piece = malloc(PIECE_FRAMES * gf_unit_bytes(&r->format));
    int64_t got = 1;

    if (piece == NULL)
        return gf_fail_memory(err, r->name);
    while (got > 0 && c->position < c->end)
        got = read_frames(r, piece, PIECE_FRAMES, err);
    free(piece);
    return got < 0 ? -1 : 0;
}

/* Describes the current part. Data about times has to be changed for it. */
static int describe(struct gf_reader *r, struct split *c, struct gf_error *err)
{
    c->end = find_end(c);
    r->format.units = c->from->format.units == GF_UNKNOWN ? GF_UNKNOWN : c->end - c->start;
    r->part = (struct gf_reader_part) { .cut = true, .timed = true, .start = c->start };
    gf_meta_release(&r->meta);
    return gf_meta_copy(&r->meta, &c->from->meta, err);
}

static int next(struct gf_reader *r, struct gf_error *err)
{
    struct split *const c = r->state;
    int64_t got;

    if (skip_rest(r, c, err) != 0)
        return -1;
    if (c->end == INT64_MAX || c->position < c->end)
        return 0;
    got = gf_reader_read(c->from, c->ahead, 1, err);
    if (got <= 0)
        return (int)got;
    c->has_ahead = true;
    c->start = c->end;
    c->parts++;
    return describe(r, c, err) != 0 ? -1 : 1;
}

static void close_cut(struct gf_reader *r)
{
    struct split *const c = r->state;

    gf_reader_close(c->from);
    free(c->ahead);
}

static const struct gf_reader_ops ops = { .next = next, .read = read_frames, .close = close_cut,
                                          .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_FILE };

struct gf_reader *gf_split_audio_open(struct gf_reader *r, const struct gf_splitting *how, struct gf_error *err)
{
    struct split *const c = calloc(1, sizeof *c);
    unsigned char *const ahead = malloc(gf_unit_bytes(&r->format));
    const int64_t last = how->count > 0 ? how->at[how->count - 1] : 0;
    struct gf_reader *cut = NULL;

    if (c == NULL || ahead == NULL) {
        gf_fail_memory(err, r->name);
        goto out;
    }
    *c = (struct split) { .from = r, .how = *how, .ahead = ahead };
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
    free(c);
    return NULL;
}
