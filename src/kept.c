/* A signal whose length only its end tells, read to that end first. */
#define _GNU_SOURCE
#include "kept.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "spool.h"

#define PIECE_BYTES (1 << 20)

/* What the reader was, and where its signal is now. */
struct kept {
    const struct gf_reader_ops *ops;
    void *state;
    struct gf_spool_file file;
    int64_t position;                    /* of reading in order */
};

static int read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    const struct kept *k = r->state;
    const size_t unit = gf_unit_bytes(&r->format);

    return gf_spool_file_read(&k->file, (size_t)start * unit, units, (size_t)count * unit, err);
}

static int64_t read_on(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct kept *k = r->state;

    count = count < r->format.units - k->position ? count : r->format.units - k->position;
    if (count > 0 && read_at(r, k->position, units, count, err) != 0)
        return -1;
    k->position += count;
    return count;
}

/* The reader as it was. */
static void give_back(struct gf_reader *r)
{
    struct kept *k = r->state;

    r->ops = k->ops;
    r->state = k->state;
    r->random = r->passing = false;
    gf_spool_file_close(&k->file);
    free(k);
}

static int next(struct gf_reader *r, struct gf_error *err)
{
    give_back(r);
    return r->ops->next(r, err);
}

static void close_both(struct gf_reader *r)
{
    give_back(r);
    if (r->state != NULL)
        r->ops->close(r);
}

static const struct gf_reader_ops ops = { .name = "kept", .next = next, .read = read_on, .read_at = read_at, .close = close_both,
                                          .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_FILE };

/* Copies all there is; returns the units. */
static int64_t copy_all(struct gf_reader *r, const struct gf_spool_file *file, struct gf_error *err)
{
    const size_t unit = gf_unit_bytes(&r->format);
    const int64_t most = PIECE_BYTES / (int64_t)unit > 0 ? PIECE_BYTES / (int64_t)unit : 1;
    char *piece = malloc((size_t)most * unit);
    int64_t units = 0, got = -1;

    if (piece == NULL)
        return gf_fail(err, GF_FAILED, "not enough memory");
    while ((got = gf_reader_read(r, piece, most, err)) > 0) {
        if (gf_spool_file_write(file, (size_t)units * unit, piece, (size_t)got * unit, err) != 0) {
            got = -1;
            break;
        }
        units += got;
    }
    free(piece);
    return got < 0 ? -1 : units;
}

int gf_reader_keep(struct gf_reader *r, struct gf_error *err)
{
    struct kept *k = calloc(1, sizeof *k);
    int64_t units;

    if (k == NULL)
        return gf_fail(err, GF_FAILED, "not enough memory");
    if (gf_spool_file_open(&k->file, err) != 0) {
        free(k);
        return -1;
    }
    units = copy_all(r, &k->file, err);
    if (units < 0) {
        gf_spool_file_close(&k->file);
        free(k);
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
