/* Where a file's signals go: what the output is called, and its writer. */
#define _GNU_SOURCE
#include "batch/one_input_parts.h"
#include "batch/output_names.h"
#include "batch/video_checks.h"
#include "io/io.h"
#include "io/name_pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The output's name with {n} filled in, if there is one. */
static int fill_number(struct gf_one_input *f, struct gf_error *err)
{
    int length = 0, digits = 0;
    const char *at = f->options->numbered ? gf_name_pattern_find_number(f->output, &length, &digits) : NULL;

    if (at == NULL)
        return 0;
    free(f->numbered);
    if (asprintf(&f->numbered, "%.*s%0*lld%s", (int)(at - f->output), f->output, digits, (long long)f->signals + 1, at + length) < 0) {
        f->numbered = NULL;
        return gf_fail_memory(err, NULL);
    }
    return 0;
}

/* photo.gif as photo.png, where that is to be made: an ending for what comes out, if the input's is none. */
static int change_extension(struct gf_one_input *f, struct gf_error *err)
{
    const struct gf_chain *chain = &f->worker->chain;
    int made;

    f->renamed = gf_output_names_change_extension(f->output, chain->out.kind, chain->table);
    if (f->renamed == NULL)
        return gf_fail_memory(err, NULL);
    made = f->options->settle_name(f->options->context, f->renamed, chain->out.kind, chain->table, err);
    f->passed_over = made == 0;
    return made < 0 ? -1 : 0;
}

/* Whether a terminal would be given bytes that are not for people: samples, or a drawing that nobody asked to see as text. */
static bool floods_terminal(const struct gf_one_input *f)
{
    const char *to = f->options->write->to;

    return strcmp(f->output, "-") == 0 && isatty(STDOUT_FILENO) && !f->options->explain && !gf_writer_is_terminal(to)
        && (!f->worker->chain.table || (f->worker->chain.drawing && to == NULL));
}

/* What goes into one table with that of other inputs has to be one. */
static int check_merged_table(struct gf_one_input *f, struct gf_error *err)
{
    f->tees.output = f->output;
    if (f->worker->chain.in.yuv.fields)
        return gf_fail(err, GF_MISUSED, "%s: --interlaced fields needs a Y4M output, and one table is asked for; leave the option out",
                       f->reader->name);
    return f->worker->chain.table ? 0 : gf_fail(err, GF_FAILED, "%s: what comes of it is no table, and a row of one is asked for", f->reader->name);
}

/* Only video has a rate of pictures. */
static int check_rate(const struct gf_one_input *f, struct gf_error *err)
{
    if (strcmp(f->writer->ops->name, "y4m") == 0)
        return 0;
    if (f->worker->chain.out.kind == GF_AUDIO && !f->worker->chain.table)
        return gf_fail(err, GF_MISUSED, "--rate is for pictures that become Y4M; the rate of sound is set by a stage: resample:44100");
    return gf_fail(err, GF_MISUSED, "--rate is for Y4M alone, and %s is %s; -t y4m asks for it", f->writer->name, f->writer->ops->name);
}

int gf_one_input_open_writer(struct gf_one_input *f, struct gf_error *err)
{
    const struct gf_worker *w = f->worker;
    const struct gf_chain *chain = &w->chain;
    struct gf_write_options write = *f->options->write;

    if (f->writer != NULL)
        return 0;
    if (f->options->merged_table != NULL)
        return check_merged_table(f, err);
    write.threads = w->limits.threads > 0 ? w->limits.threads : w->context->cpu.cores;
    write.memory_bytes = w->limits.memory_bytes;
    write.drawing = chain->drawing;
    write.notices = f->notices;
    write.root = f->options->root;
    write.input = f->tees.input;
    write.ledger = f->options->ledger;
    if (floods_terminal(f))
        return gf_fail(err, GF_MISUSED, "standard output is a terminal: name a file with -o, put a pipe behind, or look at it with -o term:");
    if (!f->options->folder && fill_number(f, err) != 0)
        return -1;
    if (f->options->folder && change_extension(f, err) != 0)
        return -1;
    if (f->passed_over)
        return 0;
    f->tees.output = f->numbered ? f->numbered : f->renamed ? f->renamed : f->output;
    write.numbered = f->numbered != NULL;
    f->writer = gf_writer_open(f->tees.output, &write, &chain->out, chain->table, err);
    if (f->writer != NULL && write.rate[0] > 0 && check_rate(f, err) != 0)
        return -1;
    if (f->writer != NULL && gf_video_checks_fields(&chain->in, f->writer, f->numbered != NULL, err) != 0)
        return -1;
    if (f->writer != NULL)
        gf_output_names_warn_guess(f->writer);
    return f->writer ? 0 : -1;
}

void gf_one_input_warn_ignored(struct gf_notices *n, const struct gf_write_options *o, unsigned heeds, const char *name,
                               const char *format)
{
    const struct { const char *option, *kind, *where; unsigned bit; bool given; } rows[] = {
        { "--depth", "ignored-depth", "files of samples", GF_HEEDS_DEPTH, o->depth != 0 },
        { "--quality", "ignored-quality", "JPEG, WebP, Ogg, Opus and MP3", GF_HEEDS_QUALITY, o->quality > 0 },
        { "--compression", "ignored-compression", "PNG, TIFF, WebP and FLAC", GF_HEEDS_COMPRESSION, o->compression >= 0 },
        { "--subsampling", "ignored-subsampling", "JPEG", GF_HEEDS_SUBSAMPLING, o->subsampling != 0 },
        { "--progressive", "ignored-progressive", "JPEG", GF_HEEDS_PROGRESSIVE, o->progressive },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].given && (heeds & rows[i].bit) == 0)
            gf_warn(n, rows[i].kind, name, "%s has no effect on %s; it is for %s", rows[i].option, format, rows[i].where);
}
