/* Processes one input: one signal after another, and further frames of video in parallel. */
#include "base/path.h"
#include "base/terminal.h"
#include "batch/one_input_parts.h"
#include "batch/video_checks.h"
#include "chain/named.h"
#include "chain/unlikely_values.h"
#include "io/atomic_file.h"
#include "io/metadata/audio_loss.h"
#include "io/metadata/profile.h"
#include "io/text_output.h"
#include "plan/explain.h"
#include "run/clipping.h"
#include "run/frames.h"
#include "run/output_metadata.h"
#include "run/value_losses.h"
#include "table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the next signal, and updates the progress line. */
static int next_signal(struct gf_one_input *f, struct gf_error *err)
{
    const struct gf_timed_io timed = gf_worker_timed_io(f->worker);
    const int more = f->ended ? 0 : gf_timed_io_next(&timed, f->reader, err);
    int64_t size;

    f->ended = more == 0;
    if (more == 1) {
        const int64_t position = gf_reader_position(f->reader, &size);

        gf_progress_signal(f->worker->context->progress, position, size);
    }
    return more;
}

/* Checks that the input has no further image, because a table describes only one. */
static int check_single(struct gf_one_input *f, struct gf_error *err)
{
    const int more = next_signal(f, err);

    if (more == 1)
        return gf_fail(err, GF_FAILED,
                       "%s: contains several images, but the output is one table; use -o 'NAME-{n}.tsv' for one table "
                       "per image, or --images 1 for the first",
                       f->reader->name);
    return more;
}

/* Records a missed requirement of compare, say. The run fails after all outputs are written. */
static void note_unmet(struct gf_one_input *f, const char *line)
{
    char which[40] = "";

    if (f->numbered)
        snprintf(which, sizeof which, ", image %lld", (long long)f->signals);
    gf_fail(&f->unmet, GF_FAILED, "%s%s: %s", f->reader->name, which, line);
}

/* Warns about metadata of audio that the output loses. */
static void warn_extras(const struct gf_one_input *f)
{
    f->writer->change = gf_output_metadata_audio(&f->worker->binding, NULL);
    gf_audio_loss_warn(f->reader, f->writer, false);
    gf_audio_loss_warn_layout(f->reader, f->writer, f->worker->stored.channels);
}

/* Warns about options that neither the output nor a tee uses. */
static void warn_ignored(const struct gf_one_input *f)
{
    const bool table = f->worker->binding.table;
    unsigned heeds = f->writer != NULL ? f->writer->ops->heeds : 0;

    for (int k = 0; k < f->tees.count; k++)
        heeds |= f->tees.writer[k]->ops->heeds;
    gf_one_input_warn_ignored(f->notices, f->options->write, heeds,
                              f->writer != NULL ? f->writer->name : f->reader->name,
                              table ? "a table" : f->writer->ops->name);
}

/*
 * Returns the first format without alpha that gets
 * transparent pixels, of the output or a tee; NULL: none.
 */
static const char *loses_alpha(const struct gf_one_input *f)
{
    const struct gf_worker *w = f->worker;
    const struct gf_binding *binding = &w->binding;

    if (f->writer != NULL && !f->writer->ops->screen && !binding->table && binding->out.alpha && !w->stored.alpha)
        return f->writer->ops->name;
    for (int i = 0, k = 0; i < binding->links; i++)
        if (binding->link[i].kind == GF_LINK_TEE && f->tees.writer[k++] != NULL && binding->link[i].out.alpha
            && !binding->link[i].stored.alpha)
            return f->tees.writer[k - 1]->ops->name;
    return NULL;
}

/*
 * Warns about samples that the output cannot store
 * unchanged. Call it before an output is committed.
 */
static void warn_watched(struct gf_one_input *f)
{
    const struct gf_worker *w = f->worker;
    const bool shown = f->writer == NULL || f->writer->ops->screen;

    f->watch.lossy = f->reader->lossy;
    gf_side_pictures_warn(&w->sides, &w->binding, shown || w->binding.table ? NULL : &w->stored, f->reader->name,
                          f->notices);
    gf_value_losses_warn(&f->watch, f->notices, &f->worker->binding, f->reader->name, loses_alpha(f));
}

/* Warns about effects of chain and output that are known before the first signal is processed. */
static void warn_before_run(const struct gf_one_input *f)
{
    const struct gf_worker *w = f->worker;
    const char *other;

    if (f->signals > 0)
        return;
    warn_ignored(f);
    gf_unlikely_values_warn(&w->binding, f->reader->name, f->notices);
    if (w->binding.remark[0] != '\0')
        gf_warn(f->notices, "stage", f->reader->name, "%s", w->binding.remark);
    if (f->reader->format.kind != GF_IMAGE) {
        if (!w->binding.table)
            warn_extras(f);
        return;
    }
    if (w->binding.clears != NULL && loses_alpha(f) != NULL)
        gf_value_losses_warn_clears(f->notices, f->reader->name, w->binding.clears, loses_alpha(f));
    gf_video_checks_warn(w, f->reader->name, f->writer != NULL ? f->writer->ops->name : NULL, f->notices);
    other = gf_side_pictures_other_profile(&w->sides, &f->reader->meta);
    if (other != NULL)
        gf_profile_warn_other(f->reader, other);
}

/* Prints the plan for --explain and -v. For several files it is printed only once. */
static int print_plan(const struct gf_one_input *f, struct gf_error *err)
{
    const struct gf_one_input_options *o = f->options;
    const struct gf_worker *w = f->worker;
    const struct gf_explain_batch batch = { .files = w->context->files, .at_once = w->context->workers };
    struct gf_text_output text;
    FILE *to;
    int result;

    if (!o->explain && !(o->verbose && f->signals == 0))
        return 0;
    if (o->name_files && !o->explain && atomic_exchange(o->plan_printed, true))
        return 0;
    to = gf_text_output_open(&text, NULL, f->reader->name, err);     /* complete: other workers print plans, too */
    if (to == NULL)
        return -1;
    if (o->name_files && o->explain)
        fprintf(to, "%s -> %s\n", f->reader->name, f->tees.output);
    else if (o->name_files)
        fprintf(to, "plan for %s:\n", f->reader->name);
    gf_named_explain(w->binding.chain, to);
    gf_explain(&w->plan, &w->binding, gf_profile_description(f->reader),
               w->binding.table ? 0 : gf_writer_gathers(f->writer, &w->stored), &batch, to);
    result = gf_text_output_close(&text, to, 0, err);
    if (result == 0)
        gf_terminal_write(o->explain ? stdout : NULL, text.text);
    free(text.text);
    return result;
}

/* Makes the metadata of the outputs, and warns about what they cannot store. */
static int make_metadata(struct gf_one_input *f, struct gf_error *err)
{
    const struct gf_worker *w = f->worker;
    const struct gf_output_of output = { .binding = &w->binding, .writer = f->writer, .stored = &w->stored };

    if (gf_tee_writers_make_metadata(&f->tees, w, f->reader, err) != 0)
        return -1;
    if (w->binding.table)
        return 0;
    if (f->reader->format.kind == GF_AUDIO) {
        f->writer->meta = &f->reader->meta;      /* a reference, so that tags after the samples are included */
        return 0;
    }
    f->writer->meta = &f->meta;
    if (gf_output_metadata_make(&f->meta, f->reader, &output, err) != 0)
        return -1;
    gf_output_metadata_warn(&f->meta, f->reader, f->writer, &w->stored);
    return 0;
}

/* Runs the plan: from the reader to the writer, or to the merged table. */
static int make_outputs(struct gf_one_input *f, struct gf_error *err)
{
    struct gf_worker *w = f->worker;
    const struct gf_timed_io timed = gf_worker_timed_io(w);
    struct gf_merged_table *merged_table = f->options->merged_table;
    struct gf_run_results results;
    struct gf_table *table = &results.table;

    if (gf_worker_use_codec(w, f->reader, w->binding.table ? NULL : f->writer, err) != 0)
        return -1;
    if (!w->binding.table && gf_timed_io_begin(&timed, f->writer, &w->stored, err) != 0)
        return -1;
    if (gf_tee_writers_begin(&f->tees, w, err) != 0
        || gf_worker_run(w, f->reader, f->writer, f->tees.writer, &results, err) != 0
        || gf_tee_writers_end(&f->tees, w, &results, err) != 0)
        return -1;
    f->clipped += results.clipped;
    if (w->binding.table && !f->numbered && check_single(f, err) != 0)
        return -1;
    /* metadata found after the samples */
    if (!w->binding.table && (f->reader->meta.parts & ~f->meta.parts) != 0) {
        f->meta.parts |= f->reader->meta.parts;
        gf_output_metadata_warn(&f->meta, f->reader, f->writer, &w->stored);
    }
    table->source = f->reader->name;
    if (merged_table != NULL && gf_merged_table_add(merged_table, f->index, table, err) != 0)
        return -1;
    if (merged_table == NULL
        && (w->binding.table ? gf_timed_io_table(&timed, f->writer, table, err) : gf_timed_io_end(&timed, f->writer,
                                                                                                  err))
            != 0)
        return -1;
    f->signals++;
    if (table->unmet != NULL && f->unmet.status == 0)
        note_unmet(f, table->unmet);
    return 0;
}

/* Processes one image or recording: binds the chain, plans, warns and runs. */
static int process_signal(struct gf_one_input *f, struct gf_error *err)
{
    struct gf_worker *w = f->worker;
    int learnt;

    gf_worker_narrow(w, f->reader);
    w->sides.signal = f->signals;
    w->sides.input_yuv = f->reader->format.yuv;
    learnt = gf_one_input_learn_length(f, err);
    if (learnt != 0)
        return learnt > 0 ? 0 : -1;
    if (gf_worker_bind(w, &f->reader->format, f->reader->name, err) != 0 || gf_one_input_open_writer(f, err) != 0)
        return -1;
    if (f->skipped)
        return 0;
    if (gf_tee_writers_open(&f->tees, w, f->signals + 1, err) != 0
        || gf_worker_plan(w, f->reader, w->binding.table ? NULL : f->writer, err) != 0)
        return -1;
    if (print_plan(f, err) != 0)
        return -1;
    if (f->options->explain)
        return 0;
    warn_before_run(f);
    if (make_metadata(f, err) != 0)
        return -1;
    return gf_notices_check(f->notices, err) == 0 ? make_outputs(f, err) : -1;
}

/*
 * Prints the last warnings, then moves the output to
 * its name, unless --strict makes a warning an error.
 */
static int commit_output(struct gf_one_input *f, struct gf_error *err)
{
    const struct gf_timed_io timed = gf_worker_timed_io(f->worker);
    const struct gf_binding *binding = &f->worker->binding;

    warn_watched(f);
    if (f->writer == NULL)
        return gf_notices_check(f->notices, err);
    if (f->ended && !binding->table)
        gf_audio_loss_warn(f->reader, f->writer, true);
    gf_clipping_warn(f->notices, f->writer->name, f->clipped, binding->above, binding->above_db);
    gf_tee_writers_warn(&f->tees);
    /* the batch warns about names that were filled in */
    if (f->output->root == NULL && gf_notices_lost(f->notices) && gf_path_same(f->reader->name, f->writer->name))
        gf_warn(f->notices, "replaced", f->reader->name,
                "the output replaces the damaged input; use -o with another name to keep it");
    if (f->signals > 1 && !f->numbered && gf_name_pattern_has_percent(f->output->name))
        gf_warn(f->notices, "percent", f->output->name,
                "all images go to this one file; use {n:3} in the name for one file per image");
    if (f->worker->context->ends && !f->numbered && gf_worker_has_gpu(f->worker))
        gf_atomic_file_keep_replaced();
    return gf_notices_check(f->notices, err) == 0 ? gf_timed_io_commit(&timed, f->writer, err) : -1;
}

/* Commits the file of one signal. The next signal gets another file. */
static int commit_signal(struct gf_one_input *f, struct gf_error *err)
{
    const int result = commit_output(f, err);

    gf_writer_close(f->writer);
    f->writer = NULL;
    return result;
}

static int process_all_signals(struct gf_one_input *f, struct gf_error *err)
{
    int more;

    do {
        const int64_t memory = f->worker->limits.memory_bytes;
        int64_t count = 0;
        const int result = process_signal(f, err);

        f->worker->limits.memory_bytes = memory;
        if (result != 0)
            return -1;
        if (f->skipped)
            return 0;
        if (f->options->explain)
            return fflush(stdout) == 0 && !ferror(stdout) ? 0
                 : gf_fail(err, GF_FAILED, "standard output: cannot write the plan");
        if (gf_tee_writers_numbered(&f->tees))
            warn_watched(f);
        if ((f->numbered && commit_signal(f, err) != 0) /* before the next signal, which may take long */
            || gf_tee_writers_commit(&f->tees, f->worker, false, err) != 0)
            return -1;
        more = next_signal(f, err);
        if (more == 1 && !f->numbered && gf_frames_at_once(f->worker) > 1) {
            gf_worker_give_back_lanes(f->worker);
            more = gf_frames_run(f->worker, f->reader, f->writer, &count, err);
        }
        f->signals += count;
    } while (more == 1);
    return more;
}

static int process_input(struct gf_one_input *f, const char *input, int number, struct gf_error *err)
{
    struct gf_worker *w = f->worker;
    const struct gf_timed_io timed = gf_worker_timed_io(w);
    struct gf_read_options read = *f->options->read;

    read.notices = f->notices;
    read.ledger = f->options->ledger;
    read.memory_bytes = w->limits.memory_bytes;
    gf_side_pictures_begin(&w->sides, &read, input, number);
    f->reader = gf_timed_io_open(&timed, input, &read, err);
    if (f->reader != NULL)
        f->reader->watch = &f->watch;
    if (f->reader == NULL || process_all_signals(f, err) != 0)
        return -1;
    if (!f->options->explain && commit_output(f, err) != 0)
        return -1;
    return gf_tee_writers_commit(&f->tees, w, true, err);
}

int gf_one_input_run(struct gf_worker *w, const struct gf_one_input_options *options, int index, int64_t *signals,
                     struct gf_error *err)
{
    const struct gf_output_names *names = options->names;
    const int number = names->many ? index + 1 : 0;
    struct gf_one_input f = { .options = options, .index = index, .output = &names->filled[index], .worker = w,
                              .numbered = gf_output_names_numbered(names),
                              .tees = { .options = options->write, .input = names->inputs[index], .number = number,
                                        .output = names->filled[index].name, .ledger = options->ledger } };
    int result = -1;

    gf_watch_open(&f.watch);
    f.notices = f.tees.notices = gf_notices_new_file(options->notices, number, number == 0);
    if (f.notices == NULL)
        gf_fail_memory(err, NULL);
    else
        result = process_input(&f, names->inputs[index], number, err);
    if (result != 0 && options->merged_table != NULL)
        gf_merged_table_drop(options->merged_table, index);
    gf_notices_end_file(f.notices, result == 0);
    /* not earlier, because a signal may end the run before the output is complete */
    if (result == 0 && options->name_files && !options->explain && !f.skipped && options->merged_table == NULL)
        gf_terminal_print("%s -> %s\n", f.reader->name, f.tees.output);
    if (result == 0 && f.unmet.status != 0) {
        *err = f.unmet;
        result = -1;
    }
    gf_writer_close(f.writer);
    gf_tee_writers_close(&f.tees);
    gf_meta_release(&f.meta);
    gf_watch_close(&f.watch);
    free(f.name);
    if (f.reader != NULL)
        gf_reader_close(f.reader);
    *signals = f.signals;
    return result;
}
