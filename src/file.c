/* One input to one output: signal after signal, and from the second on several at once. */
#define _GNU_SOURCE
#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explain.h"
#include "frames.h"
#include "full.h"
#include "io/formats.h"
#include "kept.h"
#include "named.h"
#include "outputs.h"
#include "profiles.h"
#include "spool.h"
#include "tees.h"

#define MOST_SECONDS INT64_C(40000000)   /* more than two of the longest times that a stage can be told */

struct job {
    const struct gf_file_options *options;
    const char *output;
    struct gf_worker *worker;
    struct gf_reader *reader;
    struct gf_writer *writer;
    char *numbered;                      /* the name of the writer, where each signal has its own */
    char *renamed;                       /* or in a folder: with an ending that does */
    bool passed_over;                    /* what would come out is not wanted */
    bool ended;                          /* the reader has no further signal */
    struct gf_tees tees;
    int64_t signals;
    struct gf_error unmet;               /* of the first table that is not what was asked for */
};

/* The output's name with {n} filled in, if there is one. */
static int fill_number(struct job *j, struct gf_error *err)
{
    int length = 0, digits = 0;
    const char *at = gf_find_number(j->output, &length, &digits);

    if (at == NULL)
        return 0;
    free(j->numbered);
    if (asprintf(&j->numbered, "%.*s%0*lld%s", (int)(at - j->output), j->output, digits, (long long)j->signals + 1, at + length) < 0) {
        j->numbered = NULL;
        return gf_fail(err, GF_FAILED, "not enough memory");
    }
    return 0;
}

/* photo.gif as photo.png, where that is to be made: an ending for what comes out, if the input's is none. */
static int settle_name(struct job *j, struct gf_error *err)
{
    const struct gf_chain *chain = &j->worker->chain;
    int made;

    j->renamed = gf_output_ending(j->output, chain->out.kind, chain->table);
    if (j->renamed == NULL)
        return gf_fail(err, GF_FAILED, "not enough memory");
    made = j->options->named(j->options->context, j->renamed, chain->out.kind, chain->table, err);
    j->passed_over = made == 0;
    return made < 0 ? -1 : 0;
}

/* Whether a terminal would be given bytes that are not for people: samples, or a drawing that nobody asked to see as text. */
static bool floods_terminal(const struct job *j)
{
    const char *to = j->options->write->to;

    return strcmp(j->output, "-") == 0 && isatty(STDOUT_FILENO) && !j->options->explain && !gf_term_is_meant(to)
        && (!j->worker->chain.table || (j->worker->chain.drawing && to == NULL));
}

/* What goes into one table with that of other inputs has to be one. */
static int check_gathered(struct job *j, struct gf_error *err)
{
    j->tees.output = j->output;
    return j->worker->chain.table ? 0 : gf_fail(err, GF_FAILED, "%s: what comes of it is no table, and a row of one is asked for", j->reader->name);
}

/* Only video has a rate of pictures. */
static int check_rate(const struct job *j, struct gf_error *err)
{
    if (strcmp(j->writer->ops->name, "y4m") == 0)
        return 0;
    if (j->worker->chain.out.kind == GF_AUDIO && !j->worker->chain.table)
        return gf_fail(err, GF_MISUSED, "--rate is for pictures that become Y4M; the rate of sound is set by a stage: resample:44100");
    return gf_fail(err, GF_MISUSED, "--rate is for Y4M alone, and %s is %s; -t y4m asks for it", j->writer->name, j->writer->ops->name);
}

/* Opens the output once the first signal tells what it will hold. */
static int open_writer(struct job *j, struct gf_error *err)
{
    const struct gf_worker *w = j->worker;
    const struct gf_chain *chain = &w->chain;
    struct gf_write_options write = *j->options->write;

    if (j->writer != NULL)
        return 0;
    if (j->options->gather != NULL)
        return check_gathered(j, err);
    write.threads = w->limits.threads > 0 ? w->limits.threads : w->setting->cpu.cores;
    write.memory_bytes = w->limits.memory_bytes;
    write.drawing = chain->drawing;
    if (floods_terminal(j))
        return gf_fail(err, GF_MISUSED, "standard output is a terminal: name a file with -o, put a pipe behind, or look at it with -o term:");
    if (!j->options->folder && fill_number(j, err) != 0)
        return -1;
    if (j->options->folder && settle_name(j, err) != 0)
        return -1;
    if (j->passed_over)
        return 0;
    j->tees.output = j->numbered ? j->numbered : j->renamed ? j->renamed : j->output;
    j->writer = gf_writer_open(j->tees.output, &write, &chain->out, chain->table, err);
    if (j->writer != NULL && write.rate[0] > 0 && check_rate(j, err) != 0)
        return -1;
    if (j->writer != NULL && !j->options->quiet)
        gf_output_tell_guess(j->writer, j->options->told_ending, w->setting->progress);
    return j->writer ? 0 : -1;
}

/* Which stage has to know how long the signal is, where that does not tell; or NULL. */
static const struct gf_stage *waiting_stage(const struct job *j)
{
    const struct gf_format *in = &j->reader->format;
    const int word = in->units == GF_UNKNOWN ? gf_chain_wants_length(&j->worker->chain, in->kind) : -1;

    return word < 0 ? NULL : j->worker->chain.word[word].stage[in->kind];
}

/* What can be told to be wrong is told before a pipe is read to its end: as if it were longer than any time that stages take. */
static int check_ahead(struct job *j, struct gf_error *err)
{
    struct gf_format likely = j->reader->format;
    struct gf_format out;

    likely.units = likely.rate * MOST_SECONDS;
    if (gf_worker_bind(j->worker, &likely, j->reader->name, err) != 0 || open_writer(j, err) != 0)
        return -1;
    out = j->worker->chain.out;
    if (j->passed_over || j->worker->chain.table)
        return 0;
    return gf_writer_fit(j->writer, &out, err) != 0 ? -1 : gf_chain_fit(&j->worker->chain, &out, err);
}

/* How many units of a pipe are kept: those that the stages before the one that waits look at, if these are not all. */
static int keep_enough(struct job *j, struct gf_error *err)
{
    struct gf_worker *w = j->worker;
    const struct gf_format *in = &j->reader->format;
    const size_t bytes = gf_keep_bytes(w->limits.memory_bytes);
    int64_t most;

    if (gf_worker_enough(w, in, j->reader->name, gf_chain_wants_length(&w->chain, in->kind), &most, err) != 0)
        return -1;
    w->limits.memory_bytes -= w->limits.memory_bytes > 0 ? (int64_t)bytes : 0;       /* the work has the rest */
    return gf_reader_keep(j->reader, most, bytes, err);
}

/* What --explain tells of a pipe that it does not read. */
static void explain_kept(const struct job *j, const char *stage)
{
    char text[100], bytes[40];

    gf_format_text(&j->reader->format, text);
    gf_bytes_text((int64_t)gf_keep_bytes(j->worker->limits.memory_bytes), bytes);
    printf("input:  %s\nkept first, as far as it is looked at: %s has to know how long it is. Up to %s in memory, more of it in %s.\n"
           "The rest is planned when that is known.\n", text, stage, bytes, gf_spool_folder());
}

/* Keeps a pipe that does not tell its length, where a stage has to know: 0, 1 where nothing more is to be done, -1. */
static int learn_length(struct job *j, struct gf_error *err)
{
    const struct gf_stage *stage = waiting_stage(j);

    if (stage == NULL)
        return 0;
    if (j->worker->limits.latency_ms > 0)
        return gf_fail(err, GF_MISUSED, "--latency: %s has to see all of a pipe first; leave it out, or name a file with -i", stage->name);
    if (check_ahead(j, err) != 0)
        return -1;
    if (j->passed_over)
        return 1;
    if (j->options->explain) {
        explain_kept(j, stage->name);
        return 1;
    }
    return keep_enough(j, err);
}

/* Goes to the next signal, and tells so. */
static int next_signal(struct job *j, struct gf_error *err)
{
    const struct gf_seat seat = gf_worker_seat(j->worker);
    const int more = j->ended ? 0 : gf_timed_next(&seat, j->reader, err);
    int64_t size;

    j->ended = more == 0;
    if (more == 1) {
        const int64_t position = gf_reader_position(j->reader, &size);

        gf_progress_signal(j->worker->setting->progress, position, size);
    }
    return more;
}

/* Before one table is written: whether the input ends here, as it has to. */
static int check_alone(struct job *j, struct gf_error *err)
{
    const int more = next_signal(j, err);

    if (more == 1)
        return gf_fail(err, GF_FAILED, "%s holds several pictures, but one table is asked for; -o 'NAME-{n}.tsv' makes one of each", j->reader->name);
    return more;
}

/* What fails the run in its end: by then all is written that was asked for. */
static void note_unmet(struct job *j, const char *line)
{
    char which[40] = "";

    if (j->numbered != NULL)
        snprintf(which, sizeof which, ", picture %lld", (long long)j->signals);
    gf_fail(&j->unmet, GF_FAILED, "%s%s: %s", j->reader->name, which, line);
}

/* What a stage or the reader found odd; or nothing. */
static void tell(const struct job *j, const char *remark)
{
    if (remark[0] == '\0' || j->options->quiet)
        return;
    gf_progress_clear(j->worker->setting->progress);
    fprintf(stderr, "gpufilter: %s: %s\n", j->reader->name, remark);
}

/* Colours that will be taken for others than they are: somebody should know. */
static void tell_profiles(const struct job *j)
{
    const struct gf_file_options *o = j->options;
    const struct gf_worker *w = j->worker;
    const char *other;

    if (o->quiet || j->signals > 0 || j->reader->format.kind != GF_IMAGE)
        return;
    if (!w->chain.table && !atomic_load(o->told_lost) && gf_profile_is_lost(j->reader, j->writer, &w->stored)
        && !atomic_exchange(o->told_lost, true)) {
        gf_progress_clear(w->setting->progress);
        gf_profile_tell_lost(j->reader, j->writer);
    }
    other = atomic_load(o->told_other) ? NULL : gf_sides_other_profile(&w->sides, &j->reader->meta);
    if (other != NULL && !atomic_exchange(o->told_other, true)) {
        gf_progress_clear(w->setting->progress);
        gf_profile_tell_other(j->reader, other);
    }
}

/* One image or recording, from the reader to the writer. */
static int run_signal(struct job *j, struct gf_error *err)
{
    struct gf_worker *w = j->worker;
    const struct gf_seat seat = gf_worker_seat(w);
    struct gf_table table = { 0 };
    int learnt;

    w->sides.signal = j->signals;
    learnt = learn_length(j, err);
    if (learnt != 0)
        return learnt > 0 ? 0 : -1;
    if (gf_worker_bind(w, &j->reader->format, j->reader->name, err) != 0 || open_writer(j, err) != 0)
        return -1;
    if (j->passed_over)
        return 0;
    if (gf_tees_open(&j->tees, w, j->signals + 1, err) != 0
        || gf_worker_plan(w, j->reader, w->chain.table ? NULL : j->writer, err) != 0)
        return -1;
    if (j->options->explain || (j->options->verbose && j->signals == 0)) {
        FILE *to = j->options->explain ? stdout : stderr;

        gf_progress_clear(w->setting->progress);
        flockfile(to);                       /* of several files at once, each says its own in one go */
        if (j->options->tell)
            fprintf(to, "%s -> %s\n", j->reader->name, j->tees.output);
        if (!j->options->tell || !atomic_exchange(j->options->told_plan, true)) {
            gf_named_explain(&w->chain, to);
            gf_explain(&w->plan, gf_profile_words(j->reader), w->chain.table ? 0 : gf_writer_gathers(j->writer, &w->stored), to);
        }
        funlockfile(to);
    }
    if (j->options->explain)
        return 0;
    tell_profiles(j);
    if (j->signals == 0)
        tell(j, w->chain.remark);
    if (!w->chain.table)
        j->writer->meta = &j->reader->meta;
    if (!w->chain.table && gf_timed_begin(&seat, j->writer, &w->stored, err) != 0)
        return -1;
    if (gf_tees_begin(&j->tees, w, &j->reader->meta, err) != 0 || gf_worker_run(w, j->reader, j->writer, &table, err) != 0
        || gf_tees_end(&j->tees, w, err) != 0)
        return -1;
    if (w->chain.table && j->numbered == NULL && check_alone(j, err) != 0)
        return -1;
    table.source = j->reader->name;
    if (j->options->gather != NULL && gf_gather_put(j->options->gather, j->tees.number - 1, &table, err) != 0)
        return -1;
    if (j->options->gather == NULL && (w->chain.table ? gf_timed_table(&seat, j->writer, &table, err) : gf_timed_end(&seat, j->writer, err)) != 0)
        return -1;
    j->signals++;
    if (table.unmet != NULL && j->unmet.status == 0)
        note_unmet(j, table.unmet);
    return 0;
}

/* Puts the file of one signal in its place; the next gets another. */
static int commit_one(struct job *j, struct gf_error *err)
{
    const struct gf_seat seat = gf_worker_seat(j->worker);
    const int result = gf_timed_commit(&seat, j->writer, err);

    gf_writer_close(j->writer);
    j->writer = NULL;
    return result;
}

static int run_signals(struct job *j, struct gf_error *err)
{
    int more;

    do {
        const int64_t memory = j->worker->limits.memory_bytes;
        int64_t count = 0;
        const int result = run_signal(j, err);

        j->worker->limits.memory_bytes = memory;
        if (result != 0)
            return -1;
        if (j->passed_over)
            return 0;
        if (j->options->explain)
            return fflush(stdout) == 0 ? 0 : gf_fail(err, GF_FAILED, "standard output can't be written");
        if ((j->numbered != NULL && commit_one(j, err) != 0)  /* before the next one, which may take its time */
            || gf_tees_commit(&j->tees, j->worker, false, err) != 0)
            return -1;
        more = next_signal(j, err);
        if (more == 1 && j->numbered == NULL && gf_frames_at_once(j->worker) > 1) {
            gf_worker_rest(j->worker);
            more = gf_run_frames(j->worker, j->reader, j->writer, &count, err);
        }
        j->signals += count;
    } while (more == 1);
    return more;
}

/* Where sound was too loud for the integers it is stored in, somebody should know. */
static void tell_full(const struct job *j)
{
    const long long full = atomic_exchange(&j->worker->engine.full, 0);

    if (full == 0 || j->options->quiet || j->writer == NULL)
        return;
    gf_progress_clear(j->worker->setting->progress);
    gf_full_tell(j->writer->name, full);
}

/* frame%03d.ppm is the name of one file here. */
static void tell_percent(const struct job *j)
{
    if (j->signals < 2 || j->numbered != NULL || j->options->quiet || j->options->explain || !gf_has_percent(j->output))
        return;
    gf_progress_clear(j->worker->setting->progress);
    fprintf(stderr, "gpufilter: %s: one file holds all pictures; {n:3} in the output's name makes a file of each\n", j->output);
}

int gf_run_file(struct gf_worker *w, const struct gf_file_options *options, const char *input, const char *output,
                int number, int64_t *signals, struct gf_error *err)
{
    struct job j = { .options = options, .output = output, .worker = w,
                     .tees = { .options = options->write, .input = input, .output = output, .quiet = options->quiet,
                               .told_ending = options->told_ending, .number = number } };
    const struct gf_seat seat = gf_worker_seat(w);
    struct gf_read_options read = *options->read;
    int result = -1;

    gf_sides_begin(&w->sides, options->read, input, number);
    read.memory_bytes = w->limits.memory_bytes;
    j.reader = gf_timed_open(&seat, input, &read, err);
    if (j.reader != NULL && run_signals(&j, err) == 0)
        result = options->explain || j.writer == NULL ? 0 : gf_timed_commit(&seat, j.writer, err);
    if (result == 0)
        result = gf_tees_commit(&j.tees, w, true, err);
    if (result != 0 && options->gather != NULL)
        gf_gather_drop(options->gather, number - 1);
    if (result == 0) {
        tell(&j, j.reader->remark);
        tell_full(&j);
        tell_percent(&j);
    }
    if (result == 0 && j.unmet.status != 0) {
        *err = j.unmet;
        result = -1;
    }
    gf_writer_close(j.writer);
    gf_tees_close(&j.tees);
    free(j.numbered);
    free(j.renamed);
    if (j.reader != NULL)
        gf_reader_close(j.reader);
    *signals = j.signals;
    return result;
}
