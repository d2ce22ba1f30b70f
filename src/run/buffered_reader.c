/* Reads a signal of unknown length to its end before the run, and serves it from memory or disk. */
#include "run/buffered_reader.h"

#include "base/spool.h"

#include <stdlib.h>

#define PIECE_BYTES (1 << 16)

/* The original reader, and where its signal is kept now. */
struct buffer {
    const struct gf_reader_ops *ops;
    void *state;
    struct gf_spool spool;
    int64_t position;                    /* next unit, if units are read in order */
};

static int read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    const struct buffer *k = r->state;
    const size_t unit = gf_unit_bytes(&r->format);

    return gf_spool_read(&k->spool, (size_t)start * unit, units, (size_t)count * unit, err);
}

static int64_t read_on(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct buffer *k = r->state;

    count = count < r->format.units - k->position ? count : r->format.units - k->position;
    if (count > 0 && read_at(r, k->position, units, count, err) != 0)
        return -1;
    k->position += count;
    return count;
}

static void free_buffer(struct buffer *k)
{
    gf_spool_close(&k->spool);
    free(k);
}

/* Restores the original reader. */
static void restore_reader(struct gf_reader *r)
{
    struct buffer *k = r->state;

    r->ops = k->ops;
    r->state = k->state;
    r->random = r->passing = false;
    r->format.units = GF_UNKNOWN;                        /* the end matters only to readers of the kept part */
    free_buffer(k);
}

static int next(struct gf_reader *r, struct gf_error *err)
{
    restore_reader(r);
    return r->ops->next(r, err);
}

static void close_both(struct gf_reader *r)
{
    restore_reader(r);
    if (r->state != NULL && r->ops->close != NULL)
        r->ops->close(r);
}

static const struct gf_reader_ops ops = { .next = next, .read = read_on, .read_at = read_at, .close = close_both,
                                          .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_FILE };

/* Copies the whole signal, or `most` units; returns the units. */
static int64_t copy_all(struct gf_reader *r, struct gf_spool *to, int64_t most, struct gf_error *err)
{
    const size_t unit = gf_unit_bytes(&r->format);
    const int64_t at_once = PIECE_BYTES / (int64_t)unit > 0 ? PIECE_BYTES / (int64_t)unit : 1;
    char *piece = malloc((size_t)at_once * unit);
    int64_t units = 0, got = 0;

    if (piece == NULL)
        return gf_fail_memory(err, NULL);
    while (most == GF_UNKNOWN || units < most) {
        got = gf_reader_read(r, piece, most == GF_UNKNOWN || most - units > at_once ? at_once : most - units, err);
        if (got > 0 && gf_spool_put(to, to->bytes, piece, (size_t)got * unit, err) != 0)
            got = -1;
        if (got <= 0)
            break;
        units += got;
    }
    free(piece);
    return got < 0 ? -1 : units;
}

int gf_buffered_reader_fill(struct gf_reader *r, int64_t most, size_t bytes, struct gf_error *err)
{
    struct buffer *k = calloc(1, sizeof *k);
    int64_t units;

    if (k == NULL)
        return gf_fail_memory(err, NULL);
    gf_spool_begin(&k->spool, bytes);
    units = copy_all(r, &k->spool, most, err);
    if (units < 0) {
        free_buffer(k);
        return -1;
    }
    k->ops = r->ops;
    k->state = r->state;
    r->ops = &ops;
    r->state = k;
    r->format.units = units;
    r->random = r->passing = true;
    return 0;
}
