/* Opens the output of an input: chooses its name and its writer. */
#include "batch/one_input_parts.h"
#include "batch/video_checks.h"
#include "io/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Names the output, and decides whether to skip it. */
static int name_output(struct gf_one_input *f, struct gf_error *err)
{
    const struct gf_binding *binding = &f->worker->binding;
    const struct gf_one_input_options *o = f->options;

    free(f->name);
    f->tees.output = f->name = gf_output_names_settle(o->names, f->index, f->signals + 1, binding->out.kind,
                                                      binding->table,
                                                      err);
    if (f->name == NULL)
        return -1;
    f->skipped = gf_output_names_adapt(o->names) && o->should_skip(o->context, f->index, f->name);
    return 0;
}

/* Returns true if binary data, samples or a drawing, would go to a terminal. */
static bool floods_terminal(const struct gf_one_input *f)
{
    const char *to = f->options->write->to;

    return strcmp(f->output->name, "-") == 0 && isatty(STDOUT_FILENO) && !f->options->explain
        && !gf_writer_is_terminal(to) && (!f->worker->binding.table || (f->worker->binding.drawing && to == NULL));
}

/* Checks that the result can go into the table of all inputs. */
static int check_merged_table(struct gf_one_input *f, struct gf_error *err)
{
    if (f->worker->binding.in.yuv.fields)
        return gf_fail(err, GF_MISUSED,
                       "%s: --interlaced fields needs a Y4M output, but the output is a table; leave out this option",
                       f->reader->name);
    return f->worker->binding.table
        ? 0
        : gf_fail(err, GF_FAILED, "%s: its result is not a table, so it cannot be added to the table of all inputs",
                  f->reader->name);
}

/* Refuses --rate for outputs other than Y4M, which have no frame rate. */
static int check_rate(const struct gf_one_input *f, struct gf_error *err)
{
    if (f->writer->ops->yuv)
        return 0;
    if (f->worker->binding.out.kind == GF_AUDIO && !f->worker->binding.table)
        return gf_fail(err, GF_MISUSED,
                       "--rate sets the frame rate of Y4M video; for audio use the stage resample:44100");
    return gf_fail(err, GF_MISUSED, "--rate: only Y4M video has a frame rate, and %s is %s; use -t y4m",
                   f->writer->name, f->writer->ops->name);
}

int gf_one_input_open_writer(struct gf_one_input *f, struct gf_error *err)
{
    const struct gf_worker *w = f->worker;
    const struct gf_binding *binding = &w->binding;
    struct gf_write_options write = *f->options->write;

    if (f->writer != NULL)
        return 0;
    if (f->options->merged_table != NULL)
        return check_merged_table(f, err);
    write.threads = w->limits.threads > 0 ? w->limits.threads : w->context->cpu.cores;
    write.memory_bytes = w->limits.memory_bytes;
    write.drawing = binding->drawing;
    write.notices = f->notices;
    write.root = f->output->root;
    write.input = f->tees.input;
    write.ledger = f->options->ledger;
    if (floods_terminal(f))
        return gf_fail(err, GF_MISUSED,
                       "standard output is a terminal; name a file with -o, pipe the output to a program, or show it "
                       "with -o term:");
    if (name_output(f, err) != 0)
        return -1;
    if (f->skipped)
        return 0;
    write.numbered = f->numbered;
    f->writer = gf_writer_open(f->name, &write, &binding->out, binding->table, err);
    if (f->writer != NULL && write.rate[0] > 0 && check_rate(f, err) != 0)
        return -1;
    if (f->writer != NULL && gf_video_checks_fields(&binding->in, f->writer, f->numbered, err) != 0)
        return -1;
    if (f->writer != NULL)
        gf_output_names_warn_redirected(f->writer);
    return f->writer ? 0 : -1;
}

void gf_one_input_warn_ignored(struct gf_notices *n, const struct gf_write_options *o, unsigned heeds, const char *name,
                               const char *format)
{
    const struct { const char *option, *kind; unsigned bit; bool given; } rows[] = {
        { "--depth", "ignored-depth", GF_HEEDS_DEPTH, o->depth != 0 },
        { "--quality", "ignored-quality", GF_HEEDS_QUALITY, o->quality > 0 },
        { "--compression", "ignored-compression", GF_HEEDS_COMPRESSION, o->compression >= 0 },
        { "--subsampling", "ignored-subsampling", GF_HEEDS_SUBSAMPLING, o->subsampling != 0 },
        { "--progressive", "ignored-progressive", GF_HEEDS_PROGRESSIVE, o->progressive },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char titles[200] = "images and audio";

        if (!rows[i].given || (heeds & rows[i].bit) != 0)
            continue;
        if (rows[i].bit != GF_HEEDS_DEPTH)
            gf_writer_titles(rows[i].bit, titles, sizeof titles);
        gf_warn(n, rows[i].kind, name, "%s has no effect on %s; it is for %s", rows[i].option, format, titles);
    }
}
