/* Processes one input: one signal after another, and further frames of video in parallel. */
#define _GNU_SOURCE
#include "base/memory_share.h"
#include "base/path.h"
#include "base/spool.h"
#include "base/terminal.h"
#include "base/words.h"
#include "batch/one_input_files.h"
#include "chain/named.h"
#include "chain/unlikely_values.h"
#include "chain/video.h"
#include "io/atomic_file.h"
#include "io/interlaced_fields.h"
#include "io/metadata/audio_loss.h"
#include "io/metadata/profile.h"
#include "io/text_output.h"
#include "io/watch.h"
#include "plan/explain.h"
#include "run/buffered_reader.h"
#include "run/evened.h"
#include "run/frames.h"
#include "run/joined_audio.h"
#include "run/mixed_audio.h"
#include "run/output_metadata.h"
#include "run/value_losses.h"
#include "table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_SECONDS INT64_C(40000000)   /* more than twice the longest time that a stage accepts */
#define HEADING 500                      /* bytes of a line between two plans */

/* The state of processing one input. */
struct gf_one_input {
    const struct gf_one_input_options *options;
    struct gf_worker *worker;
    struct gf_reader *reader;
    bool ended;                          /* the reader has no further signal */
    struct gf_writer last;               /* what is known of the last of many files, once it is complete */
    struct gf_output_files files;
    struct gf_notices *reading;          /* of a recording that is divided: notices of its readers; NULL: as of files */
    struct gf_watch watch;               /* properties of its samples */
    int64_t signals;
    int64_t passed;                      /* images whose tiles are up to date or kept */
    struct gf_frame_clock clock;
    struct gf_table first;               /* of the first image, if it `waits`: only several images have numbers */
    bool waits, several;
    bool joins;                          /* a stage makes one image of all */
    int passes;                          /* of the parts of its chain whose plans were printed */
    struct gf_error unmet;               /* the first table that missed a required value */
};

/* Returns the number of the current signal, from 1. */
static int64_t signal_number(const struct gf_one_input *f)
{
    return f->signals + f->passed + 1;
}

/* ---- pipes of unknown length ---- */

/* Returns the stage that needs the length of a signal of unknown length, or NULL. */
static const struct gf_stage *waiting_stage(const struct gf_one_input *f)
{
    const struct gf_format *in = &f->reader->format;
    const int word = in->units == GF_UNKNOWN ? gf_chain_wants_length(f->worker->context->chain, in->kind) : -1;

    return word < 0 ? NULL : f->worker->context->chain->word[word].stage[in->kind];
}

/*
 * Returns true if the first stage that cannot be bound is one that needs the length: another length may be right for
 * it, as for a part from the last second to the fifth.
 */
static bool needs_true_length(const struct gf_one_input *f, const struct gf_format *likely)
{
    struct gf_worker *w = f->worker;
    struct gf_error error;
    int64_t units;

    for (int i = 0; i < w->context->chain->count; i++)
        if (gf_task_needed_units(w, likely, f->reader->name, i + 1, &units, &error) != 0)
            return error.status == GF_FAILED && gf_chain_word_wants_length(&w->context->chain->word[i], likely->kind);
    return false;
}

/*
 * Reports errors before the whole input is read, by a format that it may have. The limit of results is for the true
 * one. If the format is not `sure`, what the stages say about it does not count.
 */
static int check_ahead(struct gf_one_input *f, const struct gf_format *likely, bool sure, struct gf_error *err)
{
    const int64_t max_pixels = f->worker->limits.max_pixels;
    struct gf_format out;
    int failed;

    f->worker->limits.max_pixels = 0;
    failed = gf_task_bind(f->worker, likely, f->reader->name, err) != 0;
    if (failed && (!sure || (likely->kind == GF_AUDIO && needs_true_length(f, likely)))) {
        f->worker->limits.max_pixels = max_pixels;
        gf_forget_error(err);
        return 0;
    }
    failed = failed || gf_output_files_open_result(&f->files, f->reader->name, signal_number(f), err) != 0;
    f->worker->limits.max_pixels = max_pixels;
    if (failed)
        return -1;
    out = f->worker->task.binding.out;
    if (f->files.skipped || f->worker->task.binding.table)
        return 0;
    return gf_writer_fit(f->files.sink[0].writer, &out, err) != 0 ? -1
        : gf_binding_check_output(&f->worker->task.binding, &out, err);
}

/* Buffers as many units as the stages before the waiting one need, or all of the pipe. */
static int keep_enough(struct gf_one_input *f, struct gf_error *err)
{
    struct gf_worker *w = f->worker;
    int64_t *const memory = &w->limits.memory_bytes;
    const struct gf_format *in = &f->reader->format;
    int64_t most;

    if (gf_task_needed_units(w, in, f->reader->name, gf_chain_wants_length(w->context->chain, in->kind), &most,
                               err) != 0)
        return -1;
    return gf_buffered_reader_fill(f->reader, most, (size_t)gf_memory_take(GF_MEMORY_PIPE, memory), err);
}

/* Prints the --explain text for a pipe, which --explain does not read. */
static void explain_buffering(const struct gf_one_input *f, const char *stage)
{
    char text[100], bytes[40];

    gf_explain_format(&f->reader->format, text);
    gf_bytes_text(gf_memory_share(GF_MEMORY_PIPE, f->worker->limits.memory_bytes), bytes);
    printf("input:  %s\nbuffered first, as far as needed: stage %s needs its length. Up to %s stay in memory, the rest "
           "goes to %s.\n"
           "The plan follows once the length is known.\n",
           text, stage, bytes, gf_spool_folder());
}

/*
 * Buffers a pipe of unknown length if a stage needs its length. Returns 0, -1 on failure, or 1 if
 * nothing remains to be done for this input.
 */
static int learn_length(struct gf_one_input *f, struct gf_error *err)
{
    const struct gf_stage *stage = waiting_stage(f);
    struct gf_format likely = f->reader->format;

    if (stage == NULL)
        return 0;
    if (f->worker->limits.latency_ms > 0)
        return gf_fail(err, GF_MISUSED,
                       "--latency: %s needs the length of the input, which a pipe does not provide; remove this stage, "
                       "or name a file with -i",
                       stage->name);
    likely.units = likely.rate * MOST_SECONDS;       /* beyond all times that stages accept */
    if (check_ahead(f, &likely, true, err) != 0)
        return -1;
    if (f->files.skipped)
        return 1;
    if (f->options->explain) {
        explain_buffering(f, stage->name);
        return 1;
    }
    return keep_enough(f, err);
}

/* ---- warnings ---- */

/* Returns the length of the name of a stage, in an argument such as blur:2. */
static int name_length(const char *word)
{
    return (int)strcspn(word, ":");
}

/*
 * Returns the first stage that computes a row from several
 * rows, and so mixes both fields; NULL if there is none.
 */
static const char *find_mixing_stage(const struct gf_binding *binding)
{
    const char *last = binding->table ? binding->chain->word[binding->words - 1].text : NULL;

    for (int i = 0; i < binding->links; i++) {
        const struct gf_link *link = &binding->link[i];
        const struct gf_need *need = &link->need;
        const bool looks = need->whole || need->before != 0 || need->after != 0 || need->times != need->per
            || need->carry_bytes > 0;

        if (link->kind != GF_LINK_OP || link->stage == last)     /* counting or comparing does not mix fields */
            continue;
        if (link->op->moves ? !gf_video_is_interlaced(&link->out.yuv) : looks)
            return link->stage;
        if (!gf_video_is_interlaced(&link->out.yuv))
            return link->stage;
    }
    return NULL;
}

/*
 * Returns true if a stage turns rows to columns, which
 * destroys fields: they disappear without scaling.
 */
static bool turns_rows(const struct gf_binding *binding)
{
    for (int i = 0; i < binding->links; i++) {
        const struct gf_link *link = &binding->link[i];

        if (gf_video_is_interlaced(&link->in.yuv) && !gf_video_is_interlaced(&link->out.yuv)
            && link->need.times == link->need.per)
            return true;
    }
    return false;
}

/* Returns true if --interlaced fields would accept this video, these stages and this output. */
static bool could_split(const struct gf_worker *w)
{
    const struct gf_binding *binding = &w->task.binding;

    return !binding->table && w->task.outputs.stored[0].yuv.used && binding->in.yuv.interlace != 'm'
        && !turns_rows(binding)
        && gf_interlaced_fields_problem(&binding->in) == NULL;
}

/*
 * Returns true if 4:2:0 chroma is interpolated over the
 * rows of a frame, which belong to alternating fields.
 */
static bool mixes_chroma(const struct gf_worker *w)
{
    const struct gf_yuv *in = &w->task.binding.in.yuv;

    return !in->mono && in->sub_y > 0 && w->task.outputs.plane[0] == NULL && !w->task.binding.table
        && (w->task.binding.links > 0 || !gf_same_yuv(in, &w->task.outputs.stored[0].yuv));
}

static void warn_interlaced(const struct gf_worker *w, const char *name, struct gf_notices *n)
{
    const char *stage = find_mixing_stage(&w->task.binding);
    const char *advice = could_split(w)
        ? "use --interlaced fields to process each field, or --interlaced off if it is progressive"
        : "deinterlace first, or use --interlaced off if it is progressive";

    if (stage != NULL)
        gf_warn(n, "interlaced", name, "is interlaced, and %.*s mixes rows of both fields; %s", name_length(stage),
                stage, advice);
    else if (mixes_chroma(w))
        gf_warn(n, "interlaced", name, "is interlaced 4:2:0, and the chroma of both fields is mixed; %s", advice);
}

/* Warns about stages and outputs that do not suit the video `name`; `format` is that of the output. */
static void warn_video(const struct gf_worker *w, const char *name, const char *format, struct gf_notices *n)
{
    const struct gf_format *out = &w->task.binding.out;
    int64_t width, height;

    if (w->task.outputs.planes_note[0] != '\0')
        gf_warn(n, "planes", name, "%s", w->task.outputs.planes_note);
    if (gf_video_is_interlaced(&w->task.binding.in.yuv) && !w->task.binding.in.yuv.fields)
        warn_interlaced(w, name, n);
    if (w->task.binding.table || w->task.outputs.stored[0].yuv.used || !gf_video_is_anamorphic(&w->task.binding.in.yuv)
        || !gf_video_is_anamorphic(&out->yuv))
        return;                          /* a stage that stretches square pixels does so on purpose */
    gf_video_square_size(out, &width, &height);
    if (width == out->width && height == out->units)
        return;                          /* as close to square as integer sizes allow */
    gf_warn(n, "aspect", name,
            "its pixels are not square (%d:%d), which %s cannot store; use resize:%lldx%lld for square pixels",
            out->yuv.aspect[0], out->yuv.aspect[1], format, (long long)width, (long long)height);
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

static void warn_about_stages(const struct gf_binding *binding, const char *name, struct gf_notices *notices)
{
    gf_unlikely_values_warn(binding, name, notices);
    if (binding->remark[0] != '\0' && binding->remark_is_note)
        gf_note(notices, "stage", name, "%s", binding->remark);
    else if (binding->remark[0] != '\0')
        gf_warn(notices, "stage", name, "%s", binding->remark);
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
    warn_about_stages(binding, name, notices);
    if (f->reader->format.kind != GF_IMAGE)
        return;
    if (binding->clears != NULL && loses_alpha(f) != NULL)
        gf_value_losses_warn_clears(notices, name, binding->clears, loses_alpha(f));
    warn_video(w, name, writer != NULL ? writer->ops->name : NULL, notices);
    other = gf_sides_other_profile(&w->sides, &f->reader->meta);
    if (other != NULL)
        gf_profile_warn_other(f->reader->notices, f->reader->name, other);
}

/* ---- one signal after another ---- */

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

/* Records a missed requirement of compare, say. The run fails after all outputs are written. */
static void note_unmet(struct gf_one_input *f, const struct gf_table *table, int64_t number)
{
    char which[40] = "";

    if (table->unmet == NULL || f->unmet.status != 0)
        return;
    if (f->files.numbered[0] || f->several)
        snprintf(which, sizeof which, ", image %lld", (long long)number);
    gf_fail(&f->unmet, GF_FAILED, "%s%s: %s", table->source, which, table->unmet);
}

/* Writes a table: of one of several images, of all that the input has, or into the table of all inputs. */
static int put_table(void *context, struct gf_worker *w, const struct gf_table *table, struct gf_error *err)
{
    struct gf_one_input *f = context;
    const struct gf_timed_io timed = gf_worker_timed_io(w);

    note_unmet(f, table, table->frame > 0 ? table->frame : f->signals + 1);
    return f->options->merged_table != NULL
        ? gf_merged_table_add(f->options->merged_table, f->files.index, table, err)
        : gf_timed_io_table(&timed, f->files.sink[0].writer, table, err);
}

/*
 * Puts the table of the first image, once the reader has looked for another one: only several images have the columns
 * frame and time.
 */
static int put_first_table(struct gf_one_input *f, bool several, struct gf_error *err)
{
    const struct gf_writer *writer = f->files.sink[0].writer;

    f->waits = false;
    f->several = several;
    if (several && writer != NULL && writer->ops->tables == NULL)
        return gf_fail(err, GF_FAILED,
                       "%s: %s, but the output is one drawing;; use -o 'NAME-{n}.svg' for one drawing per image, or "
                       "-t tsv for one table of all images",
                       f->reader->name,
                       gf_reader_is_joined(f->reader) ? "is another image" : "contains several images");
    if (several || (f->options->merged_table != NULL && f->worker->task.binding.in.kind == GF_IMAGE))
        f->first.frame = 1;
    return put_table(f, f->worker, &f->first, err);
}

/* Counts the images that wait for the first stage of a chain if it works on frames in time. */
static void count_window(const struct gf_worker *w, struct gf_explain_batch *batch)
{
    const struct gf_chain_word *const word = &w->context->chain->word[0];
    const struct gf_frames need = w->context->chain->count == 0 ? (struct gf_frames) { 0 }
        : gf_stage_frames(word->stage[GF_IMAGE], word->config[GF_IMAGE]);

    if (w->task.binding.in.kind == GF_IMAGE && gf_frames_used(&need)) {
        batch->frames = need.before + 1 + need.after;
        batch->frame_bytes = batch->frames * gf_task_frame_bytes(&w->task);
    }
}

/*
 * Prints the plan of a worker, with an output, for --explain and -v. For several files it is printed only once. `typed`
 * are the stages of the command; NULL: they were printed.
 */
static int print_plan(const struct gf_one_input *f, const struct gf_worker *w, const struct gf_writer *writer,
                      const struct gf_chain *typed, struct gf_error *err)
{
    const struct gf_one_input_options *o = f->options;
    const struct gf_task *t = &w->task;
    struct gf_explain_batch batch = { .files = w->context->files, .at_once = w->context->workers,
                                      .passes = f->passes };
    struct gf_text_output text;
    char described[100];
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
    if (typed != NULL)
        gf_named_explain(typed, to);
    count_window(w, &batch);
    snprintf(described, sizeof described, ", %s%s", f->reader->title, gf_profile_description(f->reader));
    gf_explain(&t->plan, &t->binding, &t->outputs, described,
               t->outputs.table ? 0 : gf_writer_gathers(writer, &t->outputs.stored[0]), &batch, to);
    result = gf_text_output_close(&text, to, 0, err);
    if (result == 0)
        gf_terminal_write(o->explain ? stdout : NULL, text.text);
    free(text.text);
    return result;
}

/* Ends a table. That of the first image has to wait. */
static int end_table(struct gf_one_input *f, struct gf_table *table, struct gf_error *err)
{
    if (!f->worker->task.outputs.table)
        return 0;
    table->source = f->reader->name;
    f->waits = f->signals == 0 && !f->files.numbered[0];
    if (f->waits)
        f->first = *table;
    else if (!f->files.numbered[0])
        table->frame = f->signals + 1;
    return f->waits ? 0 : put_table(f, f->worker, table, err);
}

/* Warns about metadata that the reader found after the samples. */
static void warn_late_metadata(struct gf_one_input *f)
{
    const struct gf_task *t = &f->worker->task;

    for (int k = t->outputs.table; k < t->binding.exits; k++) {
        struct gf_sink *sink = &f->files.sink[k];

        if ((f->reader->meta.parts & ~sink->meta.parts) == 0)
            continue;
        sink->meta.parts |= f->reader->meta.parts;
        gf_output_metadata_warn(&sink->meta, f->reader, sink->writer, &t->outputs.stored[k]);
    }
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
        || gf_task_unpack_sides(w, err) != 0 || gf_task_begin(w, f->reader, sinks, err) != 0
        || gf_task_run(w, f->reader, writers, &results, err) != 0)
        return -1;
    gf_frame_clock_next(&f->clock, f->reader, &results.table);
    if (end_table(f, &results.table, err) != 0)
        return -1;
    warn_late_metadata(f);
    if (gf_task_end(w, sinks, err) != 0)
        return -1;
    for (int k = 0; k < w->task.binding.exits; k++)
        f->files.clipped[k] += results.clipped[k];
    f->signals++;
    return 0;
}

/* Processes one image or recording: binds the chain, plans, warns and runs. */
static int process_signal(struct gf_one_input *f, struct gf_error *err)
{
    struct gf_worker *w = f->worker;
    const char *input = f->options->names->inputs[f->files.index];
    int learnt;

    gf_task_narrow(w, f->reader);
    w->sides.signal = signal_number(f) - 1;
    w->sides.input_yuv = f->reader->format.yuv;
    learnt = learn_length(f, err);
    if (learnt != 0)
        return learnt > 0 ? 0 : -1;
    if (gf_task_bind(w, &f->reader->format, f->reader->name, err) != 0
        || gf_output_files_open_result(&f->files, f->reader->name, signal_number(f), err) != 0)
        return -1;
    if (f->files.skipped)
        return 0;
    if (gf_output_files_open_tees(&f->files, input, signal_number(f), err) != 0
        || gf_task_plan(w, f->reader, f->files.sink, err) != 0
        || print_plan(f, w, f->files.sink[0].writer, f->joins ? NULL : w->context->chain, err) != 0)
        return -1;
    if (f->options->explain)
        return 0;
    warn_before_run(f);
    if (gf_task_describe(w, f->reader, f->files.sink, err) != 0 || gf_notices_check(f->files.notices, err) != 0)
        return -1;
    return make_outputs(f, err);
}

/* Warns about samples that are clipped or not finite. */
static void warn_values(struct gf_one_input *f, bool parts)
{
    const struct gf_task *t = &f->worker->task;
    const struct gf_findings *found = &t->run.findings;
    struct gf_notices *notices = f->files.notices;

    gf_sides_warn(&f->worker->sides, &t->binding, &t->outputs, t->run.side, f->reader->name, notices);
    gf_value_losses_warn(&f->watch, notices, &t->binding, f->reader->name, loses_alpha(f));
    for (int k = 0; k < t->binding.exits; k++)
        if (f->files.sink[k].writer != NULL || (parts && k == 0))
            gf_clipping_warn(notices, parts ? f->options->names->text : f->files.sink[k].writer->name,
                             f->files.clipped[k], k == 0 ? found->above : NULL, found->above_db);
}

/*
 * Warns about what the files that are complete have lost. Losses of all parts of a recording are counted together,
 * unless one of them is an error.
 */
static void warn_result(struct gf_one_input *f, bool all)
{
    const struct gf_task *t = &f->worker->task;
    const struct gf_writer *writer = f->files.sink[0].writer;
    struct gf_notices *notices = f->files.notices;
    const struct gf_filled_name *name = &f->options->names->filled[f->files.index];
    const bool parts = t->binding.in.kind == GF_AUDIO && gf_divided_splitting_stage(f->options->divided) != NULL;

    f->watch.lossy = f->reader->lossy;
    if (all || !parts || gf_notices_strict(notices))
        warn_values(f, parts && all);
    for (int k = t->outputs.table; f->ended && k < t->binding.exits; k++)
        if (f->files.sink[k].writer != NULL && (all || f->files.numbered[k]))
            gf_audio_loss_warn(f->reader, f->files.sink[k].writer, true);
    if (writer == NULL && f->ended && f->last.ops != NULL)
        gf_audio_loss_warn(f->reader, &f->last, true);
    if (writer == NULL)
        return;
    f->last = (struct gf_writer) { .ops = writer->ops, .options = writer->options };
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
    /* a warning about what follows this part must not end the run here, or not as a thread happens to be fast */
    if (f->reading != NULL && (all || !f->reader->ahead))
        gf_notices_move(f->reading);
    warn_result(f, all);
    if (gf_notices_check(f->files.notices, err) != 0)
        return -1;
    if (all && f->worker->context->ends && !f->files.numbered[0] && gf_worker_has_gpu(f->worker))
        gf_atomic_file_keep_replaced();
    return gf_output_files_commit(&f->files, all, err);
}

static int process_all_signals(struct gf_one_input *f, struct gf_error *err)
{
    const struct gf_frame_tables tables = { &f->clock, put_table, f };
    int more;

    do {
        const int64_t memory = f->worker->limits.memory_bytes;
        int64_t count = 0;
        const int result = process_signal(f, err);

        f->worker->limits.memory_bytes = memory;
        if (result != 0 && f->signals > 0 && gf_reader_is_joined(f->reader))
            gf_reader_name_error(f->reader->name, err);
        if (result != 0)
            return -1;
        if (f->files.skipped && !f->options->names->tiles)
            return 0;
        if (f->options->explain)
            return fflush(stdout) == 0 && !ferror(stdout) ? 0
                 : gf_fail(err, GF_FAILED, "standard output: cannot write the plan");
        if (f->options->joined != NULL
            && gf_joined_set_size(f->options->joined, f->worker->context, &f->worker->task.binding.out, err) != 0)
            return -1;
        f->passed += f->files.skipped;
        if (!f->files.skipped && commit_files(f, false, err) != 0)
            return -1;
        more = next_signal(f, err);
        if (more >= 0 && f->waits && put_first_table(f, more == 1, err) != 0)
            return -1;
        if (more == 1 && !gf_output_files_numbered(&f->files) && gf_frames_at_once(f->worker) > 1) {
            gf_worker_give_back_lanes(f->worker);
            more = gf_frames_run(f->worker, &f->reader, f->files.sink, &tables, &count, err);
        }
        f->signals += count;
    } while (more == 1);
    return more;
}

/* Prints a line before the next plan of a run. */
static void print_heading(const struct gf_one_input *f, const char *heading)
{
    if (f->options->explain || (f->options->verbose && !f->options->name_files))
        gf_terminal_write(f->options->explain ? stdout : NULL, heading);
}

/* Shows what the stages before a joining stage do. */
static int show_front(struct gf_one_input *f, const struct gf_gathered *g, const struct gf_gathering *how,
                      struct gf_error *err)
{
    char heading[HEADING];

    if (print_plan(f, g->worker, &g->writer, how->typed, err) != 0)
        return -1;
    f->passes += g->worker->task.plan.passes;
    snprintf(heading, sizeof heading, g->expected > 1 ? "\n%s makes one image; if all %lld are like the first:\n\n"
             : "\n%s makes one image of all; if there is only this one:\n\n", g->images.stage, (long long)g->expected);
    print_heading(f, heading);
    if (!f->options->explain)
        warn_about_stages(&g->worker->task.binding, f->reader->name, f->files.notices);
    return 0;
}

/* Makes one image of all images of the input, with a joining stage. Returns 1 if nothing is to be done. */
static int join_images(struct gf_one_input *f, struct gf_error *err)
{
    const struct gf_gathering *const how = &f->options->joined->gathering;
    struct gf_gathered *g = gf_gathered_open(f->worker, f->reader, how, err);
    int result = -1;

    if (g == NULL || show_front(f, g, how, err) != 0
        || check_ahead(f, &g->result, how->how.kind == GF_JOINING_STACK, err) != 0)
        goto out;
    if (f->files.skipped)
        result = 1;
    else if (f->options->explain)
        gf_gathered_pretend(&g, f->reader, &f->files.depth);
    if (result < 0 && (g == NULL || gf_gathered_run(&g, &f->reader, &f->files.depth, err) == 0))
        result = 0;
out:
    gf_gathered_free(g);
    return result;
}

/* Shows what the stages before one at which the chain is divided do. */
static int show_before(void *context, const struct gf_worker *w, const struct gf_writer *to,
                       const struct gf_chain_word *following, struct gf_error *err)
{
    struct gf_one_input *const f = context;
    const enum gf_kind kind = f->reader->format.kind;
    const struct gf_stage *const stage = following->stage[kind];
    const char *const how = stage->splits != NULL ? "divides the audio; for the first part"
        : stage->inserts != NULL ? "lengthens the audio; after that"
        : kind == GF_AUDIO ? "works on the audio; if it cuts nothing"
        : gf_stage_looks(stage, following->config[kind]) ? "looks at the result first; as if it found nothing in it"
        : "works on several of these frames";
    char *heading;

    if (w != NULL && print_plan(f, w, to, NULL, err) != 0)
        return -1;
    f->passes += w != NULL ? w->task.plan.passes : 0;
    if (asprintf(&heading, "%s%s %s:\n\n", w != NULL ? "\n" : "", following->text, how) < 0)
        return gf_fail_memory(err, NULL);
    print_heading(f, heading);
    free(heading);
    if (!f->options->explain && w != NULL)
        warn_about_stages(&w->task.binding, f->reader->name, f->files.notices);
    return 0;
}

/*
 * Gives the reader the windows that a chain needs, which is divided for that, or cuts audio. Returns 1 if nothing is to
 * be done.
 */
static int open_windows(struct gf_one_input *f, const struct gf_divided *t, struct gf_error *err)
{
    const struct gf_divided_show show = { show_before, f, f->options->explain };
    const struct gf_chain_word *const word = t->parts > 0 && f->reader->format.kind == GF_AUDIO
        ? &t->part[1].word[0] : NULL;
    const bool whole = word != NULL && gf_stage_keeps(word->stage[GF_AUDIO], word->config[GF_AUDIO]) != NULL;

    /* the file of audio may take long to read, so errors of the output come first */
    if (whole && check_ahead(f, &f->reader->format, false, err) != 0) {
        if (t->part[0].count == 0 || err->status == GF_MISUSED)
            return -1;
        gf_forget_error(err);                    /* stages before may change the rate and the channels */
    }
    if (f->files.skipped)
        return 1;
    return gf_divided_open(t, f->worker, &f->reader, &f->watch, &show, err);
}

/* Lets the reader of joined or mixed inputs go on with the other files, if they are audio. */
static int join_audio(struct gf_one_input *f, const struct gf_read_options *read, struct gf_error *err)
{
    struct gf_reader *const r = f->reader;

    if (r->format.kind == GF_IMAGE)
        return read->join != GF_JOIN_FADE && read->join != GF_JOIN_MIX ? 0
            : gf_fail(err, GF_MISUSED, "%s: is an image, but %s is for audio", r->name,
                      read->join == GF_JOIN_MIX ? "--mix" : "--join=fade");
    if (f->joins)
        return gf_fail(err, GF_MISUSED, "%s: is audio, but %s joins images;; use --join for audio", r->name,
                       f->options->joined->gathering.stage);
    if (read->join == GF_JOIN_FIT || read->join == GF_JOIN_PAD)
        return gf_fail(err, GF_MISUSED, "%s: is audio, but --join=fit and --join=pad are for sizes of images;; use "
                       "--join", r->name);
    if (read->joined_count > 0)
        f->reader = read->join == GF_JOIN_MIX
            ? gf_mixed_audio_open(f->worker->context, &f->worker->limits, r, read, err)
            : gf_joined_audio_open(f->worker->context, &f->worker->limits, r, read, err);
    return f->reader != NULL ? 0 : -1;
}

/* Opens the input, and what makes one of its images. Returns 1 if nothing is to be done. */
static int open_input(struct gf_one_input *f, const char *input, const struct gf_read_options *read,
                      struct gf_error *err)
{
    const struct gf_timed_io timed = gf_worker_timed_io(f->worker);
    int joined = 0;

    f->reader = gf_timed_io_open(&timed, input, read, err);
    f->joins = f->options->joined != NULL && f->options->joined->gathering.stage != NULL;
    if (f->reader == NULL || (f->options->joined != NULL && join_audio(f, read, err) != 0))
        return -1;
    if (f->joins)
        joined = open_windows(f, f->options->before_joining, err) != 0 ? -1 : join_images(f, err);
    return joined != 0 ? joined : open_windows(f, f->options->divided, err);
}

static int process_input(struct gf_one_input *f, const char *input, struct gf_error *err)
{
    struct gf_worker *w = f->worker;
    struct gf_read_options read = *f->options->read;
    int joined;

    read.notices = f->files.notices;
    read.ledger = f->options->ledger;
    read.memory_bytes = w->limits.memory_bytes;
    w->sides.even = gf_evened_open;
    gf_sides_begin(&w->sides, &read, input, gf_output_names_base(f->options->names, f->files.index), f->files.number);
    if (f->options->joined != NULL) {
        read.join = f->options->joined->join;
        read.joined = f->options->joined->inputs + 1;
        read.joined_count = f->options->joined->count - 1;
    }
    if (gf_divided_splitting_stage(f->options->divided) != NULL) {
        f->reading = read.notices = gf_notices_new_part(f->files.notices);
        if (f->reading == NULL)
            return gf_fail_memory(err, NULL);
    }
    joined = open_input(f, input, &read, err);
    if (joined == 0)
        f->reader->notices = f->files.notices;
    if (f->reading != NULL)
        gf_notices_move(f->reading);
    if (joined != 0)
        return joined < 0 ? -1 : gf_notices_check(f->files.notices, err);
    f->reader->watch = &f->watch;
    /* results of stages on integers may be outside of the range, as in one chain; sums usually are */
    if (f->files.depth != 0 && f->options->joined->gathering.how.of != GF_STACK_SUM)
        f->reader->unwatched = GF_WATCH_RANGE;
    if (process_all_signals(f, err) != 0)
        return -1;
    if (f->signals == 0 && f->files.skipped)
        return gf_notices_check(f->files.notices, err);
    return f->options->explain ? 0 : commit_files(f, true, err);
}

/* ---- an input ---- */

static int run_once(struct gf_worker *w, const struct gf_one_input_options *options, int index, int64_t *signals,
                     struct gf_error *err)
{
    const struct gf_output_names *names = options->names;
    const int number = names->many ? index + 1 : 0;
    const int64_t memory = w->limits.memory_bytes;
    struct gf_one_input f = { .options = options, .worker = w,
                              .files = { .options = options, .index = index, .number = number, .worker = w,
                                         .numbered = { gf_output_names_numbered(names) } } };
    char *shown = NULL;
    int result = -1;

    gf_watch_open(&f.watch);
    f.files.notices = gf_notices_new_file(options->notices, number, number == 0 && options->joined == NULL);
    if (f.files.notices != NULL && options->joined != NULL)
        gf_notices_count_files(f.files.notices);
    if (f.files.notices == NULL)
        gf_fail_memory(err, NULL);
    else
        result = process_input(&f, names->inputs[index], err);
    if (result != 0 && options->merged_table != NULL)
        gf_merged_table_drop(options->merged_table, index);
    /* a thread of the reader may still warn */
    if (f.reader != NULL) {
        shown = strdup(f.reader->name);
        gf_reader_close(f.reader);
    }
    if (f.reading != NULL)
        gf_notices_move(f.reading);
    gf_notices_free(f.reading);
    gf_notices_end_file(f.files.notices, result == 0);
    /* not earlier, because a signal may end the run before the output is complete */
    if (result == 0 && options->name_files && !options->explain && f.signals > 0 && options->merged_table == NULL)
        gf_terminal_print("%s -> %s\n", shown != NULL ? shown : names->inputs[index], f.files.name);
    free(shown);
    if (result == 0 && f.unmet.status != 0) {
        *err = f.unmet;
        result = -1;
    }
    gf_output_files_close(&f.files);
    gf_watch_close(&f.watch);
    w->limits.memory_bytes = memory;
    *signals = f.signals;
    return result;
}

/*
 * Returns true if an input can be processed again, by the CPU: --device auto has chosen a GPU in a process that has
 * ended, the input is a file, and nothing of it has been written except to temporary files.
 */
static bool may_repeat(const struct gf_worker *w, const struct gf_one_input_options *options, int index,
                       int64_t signals, const struct gf_error *err)
{
    const char *output = options->names->filled[index].name;
    struct stat in, out;

    return err->cause == GF_CAUSE_DEVICE && w->context->where == GF_AUTO && signals == 0
        && options->merged_table == NULL && options->joined == NULL && w->task.binding.exits == 1
        && stat(options->names->inputs[index], &in) == 0 && S_ISREG(in.st_mode) && !gf_path_is_standard(output)
        && gf_path_descriptor(output) < 0 && !gf_writer_is_terminal(output)
        && (stat(output, &out) != 0 || S_ISREG(out.st_mode));
}

int gf_one_input_run(struct gf_worker *w, const struct gf_one_input_options *options, int index, int64_t *signals,
                     struct gf_error *err)
{
    if (run_once(w, options, index, signals, err) == 0)
        return 0;
    if (!may_repeat(w, options, index, *signals, err))
        return -1;
    gf_note(options->notices, "stay", NULL, "the process that kept the GPU ready has ended, so the CPU did the work");
    gf_forget_error(err);
    gf_worker_close_codec(w);
    gf_task_forget_plan(w);
    return run_once(w, options, index, signals, err);
}
