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

    if (f->files.numbered[0])
        snprintf(which, sizeof which, ", image %lld", (long long)f->signals);
    gf_fail(&f->unmet, GF_FAILED, "%s%s: %s", f->reader->name, which, line);
}

/*
 * Returns the first format without alpha that gets
 * transparent pixels, of the output or a tee; NULL: none.
 */
static const char *loses_alpha(const struct gf_one_input *f)
{
    const struct gf_task *t = &f->worker->task;

    for (int k = t->outputs.table || t->outputs.shown; k < t->binding.exits; k++)
        if (f->files.sink[k].writer != NULL && t->binding.exit[k].format.alpha && !t->outputs.stored[k].alpha)
            return f->files.sink[k].writer->ops->name;
    return NULL;
}

/* Warns about effects of chain and output that are known before the first signal is processed. */
static void warn_before_run(const struct gf_one_input *f)
{
    const struct gf_worker *w = f->worker;
    const struct gf_binding *binding = &w->task.binding;
    const struct gf_writer *writer = f->files.sink[0].writer;
    struct gf_notices *notices = f->files.notices;
    const char *name = f->reader->name, *other;

    if (f->signals > 0)
        return;
    gf_output_files_warn_ignored(&f->files, name);
    gf_unlikely_values_warn(binding, name, notices);
    if (binding->remark[0] != '\0')
        gf_warn(notices, "stage", name, "%s", binding->remark);
    if (f->reader->format.kind != GF_IMAGE)
        return;
    if (binding->clears != NULL && loses_alpha(f) != NULL)
        gf_value_losses_warn_clears(notices, name, binding->clears, loses_alpha(f));
    gf_video_checks_warn(w, name, writer != NULL ? writer->ops->name : NULL, notices);
    other = gf_sides_other_profile(&w->sides, &f->reader->meta);
    if (other != NULL)
        gf_profile_warn_other(f->reader, other);
}

/* Prints the plan for --explain and -v. For several files it is printed only once. */
static int print_plan(const struct gf_one_input *f, struct gf_error *err)
{
    const struct gf_one_input_options *o = f->options;
    const struct gf_worker *w = f->worker;
    const struct gf_task *t = &w->task;
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
        fprintf(to, "%s -> %s\n", f->reader->name, f->files.name);
    else if (o->name_files)
        fprintf(to, "plan for %s:\n", f->reader->name);
    gf_named_explain(w->context->chain, to);
    gf_explain(&t->plan, &t->binding, &t->outputs, gf_profile_description(f->reader),
               t->outputs.table ? 0 : gf_writer_gathers(f->files.sink[0].writer, &t->outputs.stored[0]), &batch, to);
    result = gf_text_output_close(&text, to, 0, err);
    if (result == 0)
        gf_terminal_write(o->explain ? stdout : NULL, text.text);
    free(text.text);
    return result;
}

/* Ends the result of a signal: in its file, or in the table of all inputs. */
static int end_result(struct gf_one_input *f, struct gf_table *table, struct gf_error *err)
{
    const struct gf_timed_io timed = gf_worker_timed_io(f->worker);
    struct gf_sink *sink = &f->files.sink[0];

    table->source = f->reader->name;
    if (f->worker->task.outputs.table && !f->files.numbered[0] && check_single(f, err) != 0)
        return -1;
    if (f->options->merged_table != NULL)
        return gf_merged_table_add(f->options->merged_table, f->files.index, table, err);
    if (f->worker->task.outputs.table)
        return gf_timed_io_table(&timed, sink->writer, table, err);
    if ((f->reader->meta.parts & ~sink->meta.parts) != 0) {          /* metadata found after the samples */
        sink->meta.parts |= f->reader->meta.parts;
        gf_output_metadata_warn(&sink->meta, f->reader, sink->writer, &f->worker->task.outputs.stored[0]);
    }
    return 0;
}

/* Runs the plan: from the reader to the writers, or to the merged table. */
static int make_outputs(struct gf_one_input *f, struct gf_error *err)
{
    struct gf_worker *w = f->worker;
    struct gf_sink *sinks = f->files.sink;
    struct gf_writer *writers[GF_CHAIN_EXITS];
    struct gf_run_results results;

    for (int k = 0; k < GF_CHAIN_EXITS; k++)
        writers[k] = sinks[k].writer;
    if (gf_worker_use_codec(w, f->reader, w->task.outputs.table ? NULL : writers[0], err) != 0
        || gf_task_begin(w, f->reader, sinks, err) != 0
        || gf_task_run(w, f->reader, writers, &results, err) != 0
        || end_result(f, &results.table, err) != 0 || gf_task_end(w, sinks, err) != 0)
        return -1;
    for (int k = 0; k < w->task.binding.exits; k++)
        f->files.clipped[k] += results.clipped[k];
    f->signals++;
    if (results.table.unmet != NULL && f->unmet.status == 0)
        note_unmet(f, results.table.unmet);
    return 0;
}

/* Processes one image or recording: binds the chain, plans, warns and runs. */
static int process_signal(struct gf_one_input *f, struct gf_error *err)
{
    struct gf_worker *w = f->worker;
    const char *input = f->options->names->inputs[f->files.index];
    int learnt;

    gf_task_narrow(w, f->reader);
    w->sides.signal = f->signals;
    w->sides.input_yuv = f->reader->format.yuv;
    learnt = gf_one_input_learn_length(f, err);
    if (learnt != 0)
        return learnt > 0 ? 0 : -1;
    if (gf_task_bind(w, &f->reader->format, f->reader->name, err) != 0
        || gf_output_files_open_result(&f->files, f->reader->name, f->signals + 1, err) != 0)
        return -1;
    if (f->files.skipped)
        return 0;
    if (gf_output_files_open_tees(&f->files, input, f->signals + 1, err) != 0
        || gf_task_plan(w, f->reader, f->files.sink, err) != 0 || print_plan(f, err) != 0)
        return -1;
    if (f->options->explain)
        return 0;
    warn_before_run(f);
    if (gf_task_describe(w, f->reader, f->files.sink, err) != 0 || gf_notices_check(f->files.notices, err) != 0)
        return -1;
    return make_outputs(f, err);
}

/* Warns about what the files that are complete have lost. */
static void warn_result(struct gf_one_input *f, bool all)
{
    const struct gf_task *t = &f->worker->task;
    const struct gf_findings *found = &t->run.findings;
    const struct gf_writer *writer = f->files.sink[0].writer;
    struct gf_notices *notices = f->files.notices;
    const struct gf_filled_name *name = &f->options->names->filled[f->files.index];

    f->watch.lossy = f->reader->lossy;
    gf_sides_warn(&f->worker->sides, &t->binding, &t->outputs, t->run.side, f->reader->name, notices);
    gf_value_losses_warn(&f->watch, notices, &t->binding, f->reader->name, loses_alpha(f));
    if (writer != NULL && (all || f->files.numbered[0]) && f->ended && !t->outputs.table)
        gf_audio_loss_warn(f->reader, writer, true);
    for (int k = 0; k < t->binding.exits; k++)
        if (f->files.sink[k].writer != NULL)
            gf_clipping_warn(notices, f->files.sink[k].writer->name, f->files.clipped[k], k == 0 ? found->above : NULL,
                             found->above_db);
    if (writer == NULL)
        return;
    /* the batch warns about names that were filled in */
    if (name->root == NULL && gf_notices_lost(notices) && gf_path_same(f->reader->name, writer->name))
        gf_warn(notices, "replaced", f->reader->name,
                "the output replaces the damaged input; use -o with another name to keep it");
    if (f->signals > 1 && !f->files.numbered[0] && gf_name_pattern_has_percent(name->name))
        gf_warn(notices, "percent", name->name,
                "all images go to this one file; use {n:3} in the name for one file per image");
}

/*
 * Prints the last warnings, then moves the complete files to their names, unless --strict makes a
 * warning an error. Files of one image are complete before the next signal, which may take long.
 */
static int commit_files(struct gf_one_input *f, bool all, struct gf_error *err)
{
    if (!all && !gf_output_files_numbered(&f->files))
        return 0;
    warn_result(f, all);
    if (gf_notices_check(f->files.notices, err) != 0)
        return -1;
    if (all && f->worker->context->ends && !f->files.numbered[0] && gf_worker_has_gpu(f->worker))
        gf_atomic_file_keep_replaced();
    return gf_output_files_commit(&f->files, all, err);
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
        if (f->files.skipped)
            return 0;
        if (f->options->explain)
            return fflush(stdout) == 0 && !ferror(stdout) ? 0
                 : gf_fail(err, GF_FAILED, "standard output: cannot write the plan");
        if (commit_files(f, false, err) != 0)
            return -1;
        more = next_signal(f, err);
        if (more == 1 && !gf_output_files_numbered(&f->files) && gf_frames_at_once(f->worker) > 1) {
            gf_worker_give_back_lanes(f->worker);
            more = gf_frames_run(f->worker, f->reader, f->files.sink, &count, err);
        }
        f->signals += count;
    } while (more == 1);
    return more;
}

static int process_input(struct gf_one_input *f, const char *input, struct gf_error *err)
{
    struct gf_worker *w = f->worker;
    const struct gf_timed_io timed = gf_worker_timed_io(w);
    struct gf_read_options read = *f->options->read;

    read.notices = f->files.notices;
    read.ledger = f->options->ledger;
    read.memory_bytes = w->limits.memory_bytes;
    gf_sides_begin(&w->sides, &read, input, f->files.number);
    f->reader = gf_timed_io_open(&timed, input, &read, err);
    if (f->reader != NULL)
        f->reader->watch = &f->watch;
    if (f->reader == NULL || process_all_signals(f, err) != 0)
        return -1;
    if (f->files.skipped)
        return gf_notices_check(f->files.notices, err);
    return f->options->explain ? 0 : commit_files(f, true, err);
}

int gf_one_input_run(struct gf_worker *w, const struct gf_one_input_options *options, int index, int64_t *signals,
                     struct gf_error *err)
{
    const struct gf_output_names *names = options->names;
    const int number = names->many ? index + 1 : 0;
    struct gf_one_input f = { .options = options, .worker = w,
                              .files = { .options = options, .index = index, .number = number, .worker = w,
                                         .numbered = { gf_output_names_numbered(names) } } };
    int result = -1;

    gf_watch_open(&f.watch);
    f.files.notices = gf_notices_new_file(options->notices, number, number == 0);
    if (f.files.notices == NULL)
        gf_fail_memory(err, NULL);
    else
        result = process_input(&f, names->inputs[index], err);
    if (result != 0 && options->merged_table != NULL)
        gf_merged_table_drop(options->merged_table, index);
    gf_notices_end_file(f.files.notices, result == 0);
    /* not earlier, because a signal may end the run before the output is complete */
    if (result == 0 && options->name_files && !options->explain && !f.files.skipped && options->merged_table == NULL)
        gf_terminal_print("%s -> %s\n", f.reader->name, f.files.name);
    if (result == 0 && f.unmet.status != 0) {
        *err = f.unmet;
        result = -1;
    }
    gf_output_files_close(&f.files);
    gf_watch_close(&f.watch);
    if (f.reader != NULL)
        gf_reader_close(f.reader);
    *signals = f.signals;
    return result;
}
