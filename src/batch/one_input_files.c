/* Opens, numbers, commits and closes the outputs of one input. */
#include "batch/one_input_files.h"

#include "base/path.h"
#include "io/tiled_writer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lets an output store as many bits as the images of a joining stage have, if it can. */
static void set_depth(const struct gf_output_files *f, struct gf_writer *w, const struct gf_format *result)
{
    struct gf_format out = *result;
    struct gf_error refused = { 0 };

    if (f->depth == 0 || w->ops->table != NULL || w->options.depth != 0 || (w->ops->heeds & GF_HEEDS_DEPTH) == 0)
        return;
    w->options.depth = f->depth;
    if (gf_writer_fit(w, &out, &refused) != 0)
        w->options.depth = 0;
}

/* ---- the result ---- */

/* Returns true if binary data, samples or a drawing, would go to a terminal. */
static bool floods_terminal(const struct gf_output_files *f)
{
    const struct gf_binding *binding = &f->worker->task.binding;
    const char *to = f->options->write->to;

    return strcmp(f->options->names->filled[f->index].name, "-") == 0 && isatty(STDOUT_FILENO) && !f->options->explain
        && !gf_writer_is_terminal(to) && (!binding->table || (binding->drawing && to == NULL));
}

/* Checks that the result can go into the table of all inputs. */
static int check_merged_table(const struct gf_binding *binding, const char *input, struct gf_error *err)
{
    if (binding->in.yuv.fields)
        return gf_fail(err, GF_MISUSED,
                       "%s: --interlaced fields needs a Y4M output, but the output is a table; leave out this option",
                       input);
    return binding->table
        ? 0
        : gf_fail(err, GF_FAILED, "%s: its result is not a table, so it cannot be added to the table of all inputs",
                  input);
}

/* Refuses --rate for outputs other than video and animations, which have no frame rate. */
static int check_rate(const struct gf_writer *w, const struct gf_binding *binding, struct gf_error *err)
{
    if (w->options.rate[0] == 0 || w->ops->yuv || (w->ops->animation && !w->options.numbered))
        return 0;
    if (binding->out.kind == GF_AUDIO && !binding->table)
        return gf_fail(err, GF_MISUSED,
                       "--rate sets the frame rate of video and animations; for audio use the stage resample:44100");
    return gf_fail(err, GF_MISUSED, "--rate: only video and animations have a frame rate, and %s is %s%s; use -t y4m "
                   "or gif", w->name, w->ops->name, w->options.numbered ? " with one image for each file" : "");
}

/* Refuses outputs that cannot join fields to frames: other formats than Y4M, and one file per image. */
static int check_fields(const struct gf_format *f, const struct gf_writer *w, bool numbered, struct gf_error *err)
{
    if (!f->yuv.fields)
        return 0;
    if (!w->ops->yuv)
        return gf_fail(err, GF_MISUSED,
                       "%s: --interlaced fields needs a Y4M output, which joins two fields into a frame, but this "
                       "is %s; use -t y4m or leave out this option",
                       w->name, w->ops->table != NULL ? "a table" : w->ops->name);
    if (numbered)
        return gf_fail(err, GF_MISUSED,
                       "%s: --interlaced fields needs one Y4M output for all frames; leave {n} out of the name",
                       w->name);
    return 0;
}

/* The options of a writer that are the same for all files of the input. */
static struct gf_write_options write_options(const struct gf_output_files *f, int exit)
{
    struct gf_write_options write = *f->options->write;

    write.notices = f->notices;
    write.ledger = f->options->ledger;
    write.numbered = f->numbered[exit];
    return write;
}

/* ---- tiles ---- */

static int name_tile(const void *context, const struct gf_tile *tile, int64_t number, struct gf_filled_name *filled,
                     struct gf_error *err)
{
    const struct gf_output_files *f = context;

    return gf_output_names_tile(f->options->names, f->index, f->image, f->tiles_before + number, tile, filled, err);
}

/* Finds out if all tiles of the image are up to date or kept. A tee needs all images, so none is skipped for it. */
static int look_at_tiles(struct gf_output_files *f, const struct gf_binding *binding, struct gf_error *err)
{
    const struct gf_tiling *t = &binding->tiling;
    const int64_t columns = gf_tiling_columns(t, binding->out.width);

    f->tiles_before += f->tiles;
    f->tiles = columns * gf_tiling_rows(t, binding->out.units);
    f->skipped = binding->exits == 1;
    for (int64_t i = 0; f->skipped && i < f->tiles; i++) {
        const struct gf_tile tile = gf_tiling_tile(t, binding->out.width, binding->out.units, i % columns, i / columns);
        struct gf_filled_name file;

        if (name_tile(f, &tile, i + 1, &file, err) != 0)
            return -1;
        f->skipped = f->options->should_skip(f->options->context, f->index, file.name);
        gf_filled_name_release(&file);
    }
    return 0;
}

/* Begins the tiles of an image. It may be called again for the same one. */
static int begin_tiles(struct gf_output_files *f, int64_t image, struct gf_error *err)
{
    const struct gf_output_names *names = f->options->names;

    if (!names->tiles || f->image == image)
        return 0;
    if (f->image > 0 && gf_output_names_check_tiles(names, f->index, err) != 0)
        return -1;
    f->image = image;
    return look_at_tiles(f, &f->worker->task.binding, err);
}

static int divide_result(const struct gf_output_files *f, struct gf_writer *writer, struct gf_error *err)
{
    const struct gf_binding *binding = &f->worker->task.binding;
    const struct gf_tiled_options options = { .tiling = binding->tiling, .name = name_tile, .context = f };

    return gf_writer_divide(writer, &options, &binding->out, err);
}

/* ---- opening ---- */

int gf_output_files_open_result(struct gf_output_files *f, const char *input, int64_t image, struct gf_error *err)
{
    const struct gf_worker *w = f->worker;
    const struct gf_binding *binding = &w->task.binding;
    const struct gf_output_names *names = f->options->names;
    struct gf_write_options write = write_options(f, 0);
    struct gf_writer *writer;

    if (f->sink[0].writer != NULL) {
        set_depth(f, f->sink[0].writer, &binding->out);
        return 0;
    }
    if (f->options->merged_table != NULL)
        return check_merged_table(binding, input, err);
    if (floods_terminal(f))
        return gf_fail(err, GF_MISUSED,
                       "standard output is a terminal;; name a file with -o, pipe the output to a program, or show it "
                       "with -o term:");
    free(f->name);
    f->name = gf_output_names_settle(names, f->index, image, binding->out.kind, binding->table, err);
    if (f->name == NULL)
        return -1;
    f->skipped = gf_output_names_adapt(names) && f->options->should_skip(f->options->context, f->index, f->name);
    if (begin_tiles(f, image, err) != 0)
        return -1;
    if (f->skipped)
        return 0;
    write.threads = w->limits.threads > 0 ? w->limits.threads : w->context->cpu.cores;
    write.memory_bytes = w->limits.memory_bytes;
    write.drawing = binding->drawing;
    write.root = names->filled[f->index].root;
    write.input = f->options->joined == NULL ? names->inputs[f->index] : NULL;
    f->sink[0].writer = writer = gf_writer_open(f->name, &write, &binding->out, binding->table, err);
    if (writer == NULL || (names->tiles && divide_result(f, writer, err) != 0) || check_rate(writer, binding, err) != 0
        || check_fields(&binding->in, writer, f->numbered[0], err) != 0)
        return -1;
    set_depth(f, writer, &binding->out);
    gf_output_names_warn_redirected(writer);
    return 0;
}

/* ---- tees ---- */

/* Neither the result nor another tee may go to the same file. */
static int check_name(const struct gf_output_files *f, int exit, const char *name, struct gf_error *err)
{
    if (gf_path_same(name, f->name != NULL ? f->name : f->options->names->filled[f->index].name))
        return gf_fail(err, GF_MISUSED, "tee: %s is also the output; choose another name", name);
    for (int k = 1; k < exit; k++)
        if (f->sink[k].writer != NULL && gf_path_same(name, f->sink[k].writer->name))
            return gf_fail(err, GF_MISUSED, "tee: another tee already writes %s; choose another name", name);
    return 0;
}

static int open_tee(struct gf_output_files *f, int k, const char *input, int64_t image, struct gf_error *err)
{
    const struct gf_exit *exit = &f->worker->task.binding.exit[k];
    const struct gf_output_names names = { .text = exit->file, .many = f->number > 0 };
    struct gf_write_options options;
    struct gf_filled_name name;
    struct gf_writer *writer = NULL;
    int result = -1;

    if (gf_output_names_one(&names, input, gf_output_names_base(f->options->names, f->index),
                            names.many ? f->number : (int)image, f->notices, &name, err) != 0)
        return -1;
    free(f->root[k]);
    f->root[k] = name.root;
    f->numbered[k] = gf_output_names_numbered(&names);
    options = write_options(f, k);
    options.to = NULL;                       /* --to is for the result only */
    options.root = name.root;
    if (check_name(f, k, name.name, err) == 0)
        f->sink[k].writer = writer = gf_writer_open(name.name, &options, &exit->format, false, err);
    if (writer != NULL && check_fields(&exit->format, writer, f->numbered[k], err) == 0) {
        set_depth(f, writer, &exit->format);
        gf_output_names_warn_redirected(writer);
        result = 0;
    }
    free(name.name);
    return result;
}

int gf_output_files_open_tees(struct gf_output_files *f, const char *input, int64_t image, struct gf_error *err)
{
    for (int k = 1; k < f->worker->task.binding.exits; k++)
        if ((f->sink[k].writer == NULL ? open_tee(f, k, input, image, err)
                                       : check_name(f, 1, f->sink[k].writer->name, err)) != 0)
            return -1;
    return 0;
}

/* ---- all files ---- */

bool gf_output_files_numbered(const struct gf_output_files *f)
{
    for (int k = 0; k < f->worker->task.binding.exits; k++)
        if (f->numbered[k])
            return true;
    return false;
}

int gf_output_files_commit(struct gf_output_files *f, bool all, struct gf_error *err)
{
    const struct gf_timed_io timed = gf_worker_timed_io(f->worker);

    for (int k = 0; k < GF_CHAIN_EXITS; k++) {
        if (f->sink[k].writer == NULL || !(all || f->numbered[k]))
            continue;
        if (gf_timed_io_commit(&timed, f->sink[k].writer, err) != 0)
            return -1;
        gf_writer_close(f->sink[k].writer);
        f->sink[k].writer = NULL;
    }
    return 0;
}

void gf_output_files_warn_ignored(const struct gf_output_files *f, const char *input)
{
    const struct gf_write_options *o = f->options->write;
    const struct gf_writer *result = f->sink[0].writer;
    const char *format = f->worker->task.binding.table ? "a table" : result->ops->name;
    const struct { const char *option, *kind; unsigned bit; bool given; } rows[] = {
        { "--depth", "ignored-depth", GF_HEEDS_DEPTH, o->depth != 0 },
        { "--quality", "ignored-quality", GF_HEEDS_QUALITY, o->quality > 0 },
        { "--compression", "ignored-compression", GF_HEEDS_COMPRESSION, o->compression >= 0 },
        { "--subsampling", "ignored-subsampling", GF_HEEDS_SUBSAMPLING, o->subsampling != 0 },
        { "--progressive", "ignored-progressive", GF_HEEDS_PROGRESSIVE, o->progressive },
    };
    unsigned heeds = 0;

    for (int k = 0; k < GF_CHAIN_EXITS; k++)
        heeds |= f->sink[k].writer != NULL ? f->sink[k].writer->ops->heeds : 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char titles[200] = "images and audio";

        if (!rows[i].given || (heeds & rows[i].bit) != 0)
            continue;
        if (rows[i].bit != GF_HEEDS_DEPTH)
            gf_writer_titles(rows[i].bit, titles, sizeof titles);
        gf_warn(f->notices, rows[i].kind, result != NULL ? result->name : input, "%s has no effect on %s; it is for %s",
                rows[i].option, format, titles);
    }
}

void gf_output_files_close(struct gf_output_files *f)
{
    for (int k = 0; k < GF_CHAIN_EXITS; k++) {
        gf_writer_close(f->sink[k].writer);
        gf_sink_release(&f->sink[k]);
        free(f->root[k]);
    }
    free(f->name);
}
