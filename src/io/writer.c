/* Opens outputs, and writes their signals through the writer of their format. */
#define _GNU_SOURCE
#include "base/path.h"
#include "io/ledger.h"
#include "io/output.h"
#include "io/writer_choice.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RESERVE_AHEAD_BYTES (INT64_C(256) << 20)
/*
 * More than a header takes. If a byte is outside the reserved space, ext4 starts to write the whole
 * file to the disk while it gets the name of an older file.
 */
#define HEADER_BYTES 65536

struct opened {
    struct gf_writer writer;
    char *path;                  /* NULL: standard output */
    char *shown;                 /* the name, if it means a terminal */
    char redirected[PATH_MAX];   /* the file that standard output is, if the system reports it */
};

/* Sets the destination: a file, or standard output, which may be a terminal. */
static int choose_path(struct opened *o, const char *path, struct gf_error *err)
{
    struct gf_writer *w = &o->writer;
    char **copy = gf_writer_is_terminal(path) ? &o->shown : &o->path;

    w->name = "standard output";
    if (path != NULL && strcmp(path, "-") != 0) {
        *copy = strdup(path);
        if (*copy == NULL)
            return gf_fail_memory(err, NULL);
    }
    w->standard = o->path == NULL;
    if (o->path != NULL)
        w->name = o->path;
    else
        w->on_terminal = isatty(STDOUT_FILENO);
    if (o->shown != NULL && w->options.to != NULL)
        return gf_fail(err, GF_MISUSED,
                       "-o %s shows the result, and --to %s selects a file format; leave out one of them", path,
                       w->options.to);
    if (o->shown != NULL)
        w->options.to = o->shown;
    return 0;
}

struct gf_writer *gf_writer_open(const char *path, const struct gf_write_options *options, const struct gf_format *f,
                                 bool table, struct gf_error *err)
{
    struct opened *o = calloc(1, sizeof *o);

    if (o == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    o->writer.options = *options;
    if (choose_path(o, path, err) == 0 && gf_writer_choose(&o->writer, o->path, f, table, o->redirected, err) == 0
        && gf_output_check(o->path, options->keep, err) == 0
        && (gf_path_is_standard(o->path) || gf_ledger_check(options->ledger, o->path, options->input, err) == 0))
        return &o->writer;
    gf_writer_close(&o->writer);
    return NULL;
}

int gf_writer_create(struct gf_writer *w, struct gf_error *err)
{
    const struct opened *o = (const struct opened *)(const void *)w;
    const struct gf_write_options *options = &w->options;
    const struct gf_output_rules rules = { .keep = options->keep,
                                           .no_sync = options->no_sync,
                                           .root = options->root,
                                           .ledger = options->ledger,
                                           .input = options->input,
                                           .notices = options->notices,
                                           .in_order = w->ops->table != NULL };

    return w->out != NULL || w->ops->divided ? 0 : gf_output_open(&w->out, o->path, &rules, err);
}

int gf_writer_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    if (!w->ops->yuv)
        f->yuv = (struct gf_yuv) { 0 };              /* other formats get pixels */
    if (f->kind == GF_AUDIO && w->options.depth > 0 && w->options.depth < 8)
        return gf_fail(err, GF_MISUSED, "%s: --depth %d is for images; audio needs 8 bits or more", w->name,
                       w->options.depth);
    return w->ops->fit(w, f, err);
}

double gf_writer_gathers(const struct gf_writer *w, const struct gf_format *fitted)
{
    const int frames = w->ops->gathers_frames;

    return w->ops->gathers_seconds + (frames > 0 ? (double)frames / fitted->rate : 0);
}

static void reserve(struct gf_writer *w, const struct gf_format *fitted, int64_t ahead)
{
    const struct gf_format stored = gf_stored_format(fitted);
    struct gf_error none;

    if (w->ops->linear && stored.units != GF_UNKNOWN && stored.bits >= 8 && gf_writer_create(w, &none) == 0
        && gf_output_position(w->out) == 0)
        gf_output_reserve(w->out, stored.units * stored.width * stored.channels * ((stored.bits + 7) / 8)
                                      + HEADER_BYTES, ahead);
}

void gf_writer_reserve(struct gf_writer *w, const struct gf_format *fitted)
{
    reserve(w, fitted, INT64_MAX);
}

int gf_writer_begin(struct gf_writer *w, const struct gf_format *fitted, struct gf_error *err)
{
    w->format = *fitted;
    w->random = false;
    w->packing = w->meta != NULL ? w->meta->packing : (struct gf_packing) { 0 };
    w->shown = w->meta != NULL ? w->meta->shown : (struct gf_shown) { 0 };
    if (w->meta != NULL)
        w->layout = w->meta->layout;
    if (w->options.strip && !(w->options.keep_profile && w->ops->kind == GF_IMAGE))
        w->meta = NULL;
    if (gf_writer_create(w, err) != 0)
        return -1;
    reserve(w, fitted, RESERVE_AHEAD_BYTES);
    return w->ops->begin(w, err);
}

int gf_writer_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    return count <= 0 ? 0 : w->ops->write(w, units, count, err);
}

int gf_writer_write_at(struct gf_writer *w, int64_t start, const void *units, int64_t count, struct gf_error *err)
{
    return count <= 0 ? 0 : w->ops->write_at(w, start, units, count, err);
}

int gf_writer_end(struct gf_writer *w, struct gf_error *err)
{
    return w->ops->end != NULL ? w->ops->end(w, err) : 0;
}

bool gf_writer_part(const struct gf_writer *w, struct gf_part *p)
{
    if (!w->random || w->ops->part_bytes == 0 || w->ops->part_bytes > sizeof p->state)
        return false;
    p->writer = *w;
    memcpy(p->state, w->state, w->ops->part_bytes);
    p->writer.state = p->state;
    return true;
}

int gf_writer_table(struct gf_writer *w, const struct gf_table *t, struct gf_error *err)
{
    return gf_writer_create(w, err) != 0 ? -1 : w->ops->table(w, t, err);
}

int gf_writer_tables(struct gf_writer *w, const struct gf_tables *tables, struct gf_error *err)
{
    return gf_writer_create(w, err) != 0 ? -1 : w->ops->tables(w, tables, err);
}

int gf_writer_commit(struct gf_writer *w, struct gf_error *err)
{
    struct gf_output *out = w->out;

    if ((out != NULL || w->ops->divided) && w->ops->finish != NULL && w->ops->finish(w, err) != 0)
        return -1;
    w->out = NULL;
    return out == NULL ? 0 : gf_output_commit(out, err);
}

void gf_writer_close(struct gf_writer *w)
{
    struct opened *o = (struct opened *)(void *)w;

    if (w == NULL)
        return;
    if (w->ops != NULL && w->ops->release != NULL)
        w->ops->release(w);
    if (w->format.kind == GF_AUDIO)
        gf_output_withdraw(w->out);
    gf_output_close(w->out);
    free(o->path);
    free(o->shown);
    free(o);
}
