/* Divides the image that a writer gets among writers of tiles, row by row. */
#include "io/tiled_writer.h"

#include "base/path.h"
#include "base/threads.h"
#include "io/ledger.h"
#include "io/metadata/meta.h"
#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define ROWS_OPEN       2                /* rows of tiles that have a row of the image in common, at most */
#define FILES_OF_OTHERS 16               /* files that the rest of the run may open */
#define PIECE_BYTES     ((size_t)256 << 10)      /* of a tile, copied and written at a time, or one of its rows */

struct piece {
    struct gf_tile tile;
    struct gf_filled_name file;
    struct gf_writer *writer;
    struct gf_meta meta;
};

/* A row of tiles that is open. */
struct band {
    int64_t end;                         /* the row of the image after it; 0: it is not open */
    struct piece *piece;                 /* for each column */
};

struct divided {
    struct gf_writer_ops ops;            /* of the format, except the functions that write */
    const struct gf_writer_ops *format;
    struct gf_tiled_options options;
    int64_t columns, rows;
    int64_t width, height;               /* of the image */
    int64_t row;                         /* the next row of the image */
    int64_t next;                        /* the next row of tiles to open */
    struct band band[ROWS_OPEN];
    struct gf_team team;
    /* of one call of the team */
    const struct gf_writer *writer;
    const unsigned char *units;
    int64_t count;                       /* rows to write; 0: end the tiles of a band */
    struct band *ending;
    atomic_llong taken;
    pthread_mutex_t lock;                /* protects the error, which is that of the first tile */
    int64_t failed;                      /* its number; -1: there is none */
    struct gf_error error;
};

static struct gf_tile tile_at(const struct divided *d, int64_t x, int64_t y)
{
    return gf_tiling_tile(&d->options.tiling, d->width, d->height, x, y);
}

/* ---- before the first row ---- */

/* Returns how many more files the process can open, up to `wanted`. */
static int64_t count_free_files(int64_t wanted)
{
    struct rlimit limit;
    int64_t left = 0;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return wanted;
    for (int fd = 0; fd < INT_MAX && (rlim_t)fd < limit.rlim_cur && left < wanted; fd++)
        left += fcntl(fd, F_GETFD) < 0;
    return left;
}

static int check_open_files(const struct gf_writer *w, const struct divided *d, struct gf_error *err)
{
    const bool both = d->options.tiling.overlap > 0 && d->rows > 1;
    const int64_t needed = d->columns * (both ? ROWS_OPEN : 1);
    const int64_t most = count_free_files(needed + FILES_OF_OTHERS) - FILES_OF_OTHERS;

    if (needed <= most)
        return 0;
    gf_fail(err, GF_FAILED, "%s: %lld tiles have to be open at once%s, but ulimit -n leaves %lld files;; raise it, or "
            "make wider tiles", w->name, (long long)needed, both ? ", two rows because of the overlap" : "",
            (long long)(most > 0 ? most : 0));
    err->code = EMFILE;
    return -1;
}

/* Fails if a tile must not be written, before others are. */
static int check_names(const struct gf_writer *w, const struct divided *d, struct gf_error *err)
{
    for (int64_t i = 0; i < d->columns * d->rows; i++) {
        const struct gf_tile tile = tile_at(d, i % d->columns, i / d->columns);
        struct gf_filled_name file;
        int result;

        if (d->options.name(d->options.context, &tile, i + 1, &file, err) != 0)
            return -1;
        result = gf_output_check(file.name, w->options.keep, err) != 0
                 || gf_ledger_check(w->options.ledger, file.name, NULL, err) != 0 ? -1 : 0;
        gf_filled_name_release(&file);
        if (result != 0)
            return -1;
    }
    return 0;
}

/* ---- the tiles of a row ---- */

static void close_band(struct divided *d, struct band *b)
{
    for (int64_t x = 0; b->end > 0 && x < d->columns; x++) {
        gf_writer_close(b->piece[x].writer);
        gf_filled_name_release(&b->piece[x].file);
        gf_meta_release(&b->piece[x].meta);
    }
    free(b->piece);
    *b = (struct band) { 0 };
}

static int open_piece(const struct gf_writer *w, struct divided *d, struct piece *p, struct gf_error *err)
{
    struct gf_write_options options = w->options;
    struct gf_format f = w->format;
    const int64_t number = p->tile.y * d->columns + p->tile.x + 1;

    f.width = p->tile.width;
    f.units = p->tile.height;
    options.threads = 1;                 /* the tiles of a row are written at the same time */
    options.memory_bytes /= ROWS_OPEN * d->columns;
    options.input = NULL;                /* no tile replaces the input */
    if (d->options.name(d->options.context, &p->tile, number, &p->file, err) != 0
        || gf_path_make_folders(p->file.name, p->file.root, number == 1 ? options.notices : NULL, err) != 0)
        return -1;
    options.root = p->file.root;
    p->writer = gf_writer_open(p->file.name, &options, &f, false, err);
    if (p->writer == NULL)
        return -1;
    if (w->describe != NULL && (!options.strip || options.keep_profile)
        && w->describe(w->described, &p->tile, &p->meta, err) != 0)
        return -1;
    p->writer->meta = w->describe != NULL ? &p->meta : w->meta;
    return gf_writer_begin(p->writer, &f, err);
}

static int open_band(const struct gf_writer *w, struct divided *d, struct band *b, struct gf_error *err)
{
    const struct gf_tile first = tile_at(d, 0, d->next);

    b->piece = calloc((size_t)d->columns, sizeof *b->piece);
    if (b->piece == NULL)
        return gf_fail_memory(err, w->name);
    b->end = first.top + first.height;
    for (int64_t x = 0; x < d->columns; x++) {
        b->piece[x].tile = tile_at(d, x, d->next);
        if (open_piece(w, d, &b->piece[x], err) != 0)
            return -1;
    }
    d->next++;
    return 0;
}

/* Writes the current rows to a tile, through `room` unless the tile has whole rows. */
static int write_piece(const struct divided *d, const struct piece *p, unsigned char *room, int64_t room_rows,
                       struct gf_error *err)
{
    const size_t stride = gf_unit_bytes(&d->writer->format), pixel = stride / (size_t)d->width;
    const size_t bytes = pixel * (size_t)p->tile.width;
    const unsigned char *from = d->units + pixel * (size_t)p->tile.left;

    if (bytes == stride)
        return gf_writer_write(p->writer, from, d->count, err);
    for (int64_t done = 0; done < d->count;) {
        const int64_t rows = d->count - done < room_rows ? d->count - done : room_rows;

        for (int64_t i = 0; i < rows; i++)
            memcpy(room + (size_t)i * bytes, from + (size_t)(done + i) * stride, bytes);
        if (gf_writer_write(p->writer, room, rows, err) != 0)
            return -1;
        done += rows;
    }
    return 0;
}

static void note_failure(struct divided *d, int64_t number, const struct gf_error *err)
{
    pthread_mutex_lock(&d->lock);
    if (d->failed < 0 || number < d->failed) {
        d->failed = number;
        d->error = *err;
    }
    pthread_mutex_unlock(&d->lock);
}

/* Writes to tiles, or ends them, until all are taken. A failure does not stop the others. */
static void work_on_tiles(void *argument, int number)
{
    struct divided *d = argument;
    const struct gf_tiling *t = &d->options.tiling;
    const size_t pixel = gf_unit_bytes(&d->writer->format) / (size_t)d->width;
    const int64_t widest = t->width + 2 * t->overlap < d->width ? t->width + 2 * t->overlap : d->width;
    const size_t bytes = pixel * (size_t)widest;
    const int64_t rows = bytes < PIECE_BYTES ? (int64_t)(PIECE_BYTES / bytes) : 1;
    unsigned char *room = malloc(bytes * (size_t)rows);

    (void)number;
    for (int64_t i = atomic_fetch_add(&d->taken, 1); i < d->columns * ROWS_OPEN; i = atomic_fetch_add(&d->taken, 1)) {
        const struct band *b = &d->band[i / d->columns];
        const struct piece *p = b->end > 0 ? &b->piece[i % d->columns] : NULL;
        struct gf_error err = { 0 };
        int result = 0;

        if (room == NULL)
            result = gf_fail_memory(&err, d->writer->name);
        else if (p != NULL && d->count > 0)
            result = write_piece(d, p, room, rows, &err);
        else if (p != NULL && d->count == 0 && b == d->ending)
            result = gf_writer_end(p->writer, &err);
        if (result != 0)
            note_failure(d, i, &err);
    }
    free(room);
}

/* Lets all threads write `count` rows to the open tiles, or end those of d->ending. */
static int share_work(struct gf_writer *w, struct divided *d, const void *units, int64_t count, struct gf_error *err)
{
    const int threads = w->options.threads > 1 ? w->options.threads : 1;

    d->writer = w;
    d->units = units;
    d->count = count;
    d->failed = -1;
    atomic_store(&d->taken, 0);
    gf_team_run(&d->team, threads < d->columns ? threads : (int)d->columns, work_on_tiles, d);
    if (d->failed >= 0)
        *err = d->error;
    return d->failed >= 0 ? -1 : 0;
}

static int commit_band(struct divided *d, struct band *b, struct gf_error *err)
{
    for (int64_t x = 0; x < d->columns; x++)
        if (gf_writer_commit(b->piece[x].writer, err) != 0)
            return -1;
    close_band(d, b);
    return 0;
}

/* ---- the functions of the writer ---- */

static int fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    const struct divided *d = w->state;
    const struct gf_tiling *t = &d->options.tiling;
    const int64_t width = f->width, height = f->units;

    /* limits are for tiles, of which one in the middle is largest */
    f->width = t->width + 2 * t->overlap < width ? t->width + 2 * t->overlap : width;
    f->units = t->height + 2 * t->overlap < height ? t->height + 2 * t->overlap : height;
    if (d->format->fit(w, f, err) != 0)
        return -1;
    f->width = width;
    f->units = height;
    return 0;
}

static int begin(struct gf_writer *w, struct gf_error *err)
{
    (void)w;
    (void)err;
    return 0;
}

static struct band *closed_band(struct divided *d)
{
    return d->band[0].end == 0 ? &d->band[0] : &d->band[1];
}

/* Ends the bands whose last row is written. The last one waits for gf_writer_commit(). */
static int end_bands(struct gf_writer *w, struct divided *d, struct gf_error *err)
{
    for (int k = 0; k < ROWS_OPEN; k++) {
        struct band *b = &d->band[k];

        if (b->end == 0 || b->end != d->row || (d->next == d->rows && b->piece[0].tile.y == d->rows - 1))
            continue;
        d->ending = b;
        if (share_work(w, d, NULL, 0, err) != 0 || commit_band(d, b, err) != 0)
            return -1;
    }
    return 0;
}

static int write_rows(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    struct divided *d = w->state;
    const unsigned char *at = units;

    while (count > 0) {
        int64_t stop = d->row + count;

        if (d->next < d->rows && tile_at(d, 0, d->next).top == d->row && open_band(w, d, closed_band(d), err) != 0)
            return -1;
        if (d->next < d->rows && tile_at(d, 0, d->next).top < stop)
            stop = tile_at(d, 0, d->next).top;
        for (int k = 0; k < ROWS_OPEN; k++)
            if (d->band[k].end > d->row && d->band[k].end < stop)
                stop = d->band[k].end;
        if (share_work(w, d, at, stop - d->row, err) != 0)
            return -1;
        at += (size_t)(stop - d->row) * gf_unit_bytes(&w->format);
        count -= stop - d->row;
        d->row = stop;
        if (end_bands(w, d, err) != 0)
            return -1;
    }
    return 0;
}

/* Ends the last row of tiles, and leaves its names to finish(). */
static int end(struct gf_writer *w, struct gf_error *err)
{
    struct divided *d = w->state;

    d->ending = d->band[0].end > 0 ? &d->band[0] : &d->band[1];
    return share_work(w, d, NULL, 0, err);
}

static int finish(struct gf_writer *w, struct gf_error *err)
{
    struct divided *d = w->state;

    for (int k = 0; k < ROWS_OPEN; k++)
        if (d->band[k].end > 0 && commit_band(d, &d->band[k], err) != 0)
            return -1;
    return 0;
}

static void release(struct gf_writer *w)
{
    struct divided *d = w->state;

    for (int k = 0; k < ROWS_OPEN; k++)
        close_band(d, &d->band[k]);
    gf_team_close(&d->team);
    pthread_mutex_destroy(&d->lock);
    free(d);
}

int gf_writer_divide(struct gf_writer *w, const struct gf_tiled_options *options, const struct gf_format *f,
                     struct gf_error *err)
{
    struct divided *d = calloc(1, sizeof *d);

    if (d == NULL)
        return gf_fail_memory(err, w->name);
    pthread_mutex_init(&d->lock, NULL);
    d->options = *options;
    d->width = f->width;
    d->height = f->units;
    d->columns = gf_tiling_columns(&options->tiling, f->width);
    d->rows = gf_tiling_rows(&options->tiling, f->units);
    d->format = w->ops;
    d->ops = *w->ops;
    d->ops.divided = true;
    d->ops.yuv = d->ops.linear = d->ops.codec = false;
    d->ops.fit = fit;
    d->ops.begin = begin;
    d->ops.write = write_rows;
    d->ops.write_at = NULL;
    d->ops.in_place = NULL;
    d->ops.part_bytes = 0;
    d->ops.end = end;
    d->ops.finish = finish;
    d->ops.release = release;
    w->state = d;
    if (w->ops->yuv || w->ops->table != NULL) {
        gf_fail(err, GF_MISUSED, "%s: tiles are images, and %s stores %s; use a format such as png", w->name,
                w->ops->name, w->ops->yuv ? "video" : "tables");
        w->ops = &d->ops;
        return -1;
    }
    w->ops = &d->ops;
    return check_open_files(w, d, err) != 0 ? -1 : check_names(w, d, err);
}
