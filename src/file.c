/* One input to one output: signal after signal, and from the second on several at once. */
#include "file_parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "explain.h"
#include "frames.h"
#include "full.h"
#include "io/formats.h"
#include "named.h"
#include "outputs.h"
#include "profiles.h"

/* Goes to the next signal, and tells so. */
static int next_signal(struct gf_file *f, struct gf_error *err)
{
    const struct gf_seat seat = gf_worker_seat(f->worker);
    const int more = f->ended ? 0 : gf_timed_next(&seat, f->reader, err);
    int64_t size;

    f->ended = more == 0;
    if (more == 1) {
        const int64_t position = gf_reader_position(f->reader, &size);

        gf_progress_signal(f->worker->setting->progress, position, size);
    }
    return more;
}

/* Before one table is written: whether the input ends here, as it has to. */
static int check_alone(struct gf_file *f, struct gf_error *err)
{
    const int more = next_signal(f, err);

    if (more == 1)
        return gf_fail(err, GF_FAILED, "%s holds several pictures, but one table is asked for; -o 'NAME-{n}.tsv' makes one of each", f->reader->name);
    return more;
}

/* What fails the run in its end: by then all is written that was asked for. */
static void note_unmet(struct gf_file *f, const char *line)
{
    char which[40] = "";

    if (f->numbered != NULL)
        snprintf(which, sizeof which, ", picture %lld", (long long)f->signals);
    gf_fail(&f->unmet, GF_FAILED, "%s%s: %s", f->reader->name, which, line);
}

/* What a stage or the reader found odd; or nothing. */
static void tell(const struct gf_file *f, const char *remark)
{
    if (remark[0] == '\0' || f->options->quiet)
        return;
    gf_progress_clear(f->worker->setting->progress);
    fprintf(stderr, "gpufilter: %s: %s\n", f->reader->name, remark);
}

/* Colours that will be taken for others than they are: somebody should know. */
static void tell_profiles(const struct gf_file *f)
{
    const struct gf_file_options *o = f->options;
    const struct gf_worker *w = f->worker;
    const char *other;

    if (o->quiet || f->signals > 0 || f->reader->format.kind != GF_IMAGE)
        return;
    if (!w->chain.table && !atomic_load(o->told_lost) && gf_profile_is_lost(f->reader, f->writer, &w->stored)
        && !atomic_exchange(o->told_lost, true)) {
        gf_progress_clear(w->setting->progress);
        gf_profile_tell_lost(f->reader, f->writer);
    }
    other = atomic_load(o->told_other) ? NULL : gf_sides_other_profile(&w->sides, &f->reader->meta);
    if (other != NULL && !atomic_exchange(o->told_other, true)) {
        gf_progress_clear(w->setting->progress);
        gf_profile_tell_other(f->reader, other);
    }
}

/* The plan of this signal, where somebody asks; of many files that are alike, it is told once. */
static void tell_plan(const struct gf_file *f)
{
    const struct gf_file_options *o = f->options;
    const struct gf_worker *w = f->worker;
    FILE *to = o->explain ? stdout : stderr;

    if (!o->explain && !(o->verbose && f->signals == 0))
        return;
    gf_progress_clear(w->setting->progress);
    flockfile(to);                           /* of several files at once, each says its own in one go */
    if (o->tell)
        fprintf(to, "%s -> %s\n", f->reader->name, f->tees.output);
    if (!o->tell || !atomic_exchange(o->told_plan, true)) {
        gf_named_explain(&w->chain, to);
        gf_explain(&w->plan, gf_profile_words(f->reader), w->chain.table ? 0 : gf_writer_gathers(f->writer, &w->stored), to);
    }
    funlockfile(to);
}

/* What is planned, from the reader to the writer or to what gathers tables. */
static int make_signal(struct gf_file *f, struct gf_error *err)
{
    struct gf_worker *w = f->worker;
    const struct gf_seat seat = gf_worker_seat(w);
    struct gf_gather *gather = f->options->gather;
    struct gf_table table = { 0 };

    if (!w->chain.table)
        f->writer->meta = &f->reader->meta;
    if (!w->chain.table && gf_timed_begin(&seat, f->writer, &w->stored, err) != 0)
        return -1;
    if (gf_tees_begin(&f->tees, w, &f->reader->meta, err) != 0 || gf_worker_run(w, f->reader, f->writer, &table, err) != 0
        || gf_tees_end(&f->tees, w, err) != 0)
        return -1;
    if (w->chain.table && f->numbered == NULL && check_alone(f, err) != 0)
        return -1;
    table.source = f->reader->name;
    if (gather != NULL && gf_gather_put(gather, f->tees.number - 1, &table, err) != 0)
        return -1;
    if (gather == NULL && (w->chain.table ? gf_timed_table(&seat, f->writer, &table, err) : gf_timed_end(&seat, f->writer, err)) != 0)
        return -1;
    f->signals++;
    if (table.unmet != NULL && f->unmet.status == 0)
        note_unmet(f, table.unmet);
    return 0;
}

/* One image or recording: bound, planned, told of, made. */
static int run_signal(struct gf_file *f, struct gf_error *err)
{
    struct gf_worker *w = f->worker;
    int learnt;

    w->sides.signal = f->signals;
    learnt = gf_file_learn_length(f, err);
    if (learnt != 0)
        return learnt > 0 ? 0 : -1;
    if (gf_worker_bind(w, &f->reader->format, f->reader->name, err) != 0 || gf_file_open_writer(f, err) != 0)
        return -1;
    if (f->passed_over)
        return 0;
    if (gf_tees_open(&f->tees, w, f->signals + 1, err) != 0
        || gf_worker_plan(w, f->reader, w->chain.table ? NULL : f->writer, err) != 0)
        return -1;
    tell_plan(f);
    if (f->options->explain)
        return 0;
    tell_profiles(f);
    if (f->signals == 0)
        tell(f, w->chain.remark);
    return make_signal(f, err);
}

/* Puts the file of one signal in its place; the next gets another. */
static int commit_one(struct gf_file *f, struct gf_error *err)
{
    const struct gf_seat seat = gf_worker_seat(f->worker);
    const int result = gf_timed_commit(&seat, f->writer, err);

    gf_writer_close(f->writer);
    f->writer = NULL;
    return result;
}

static int run_signals(struct gf_file *f, struct gf_error *err)
{
    int more;

    do {
        const int64_t memory = f->worker->limits.memory_bytes;
        int64_t count = 0;
        const int result = run_signal(f, err);

        f->worker->limits.memory_bytes = memory;
        if (result != 0)
            return -1;
        if (f->passed_over)
            return 0;
        if (f->options->explain)
            return fflush(stdout) == 0 && !ferror(stdout) ? 0 : gf_fail(err, GF_FAILED, "standard output can't be written");
        if ((f->numbered != NULL && commit_one(f, err) != 0)  /* before the next one, which may take its time */
            || gf_tees_commit(&f->tees, f->worker, false, err) != 0)
            return -1;
        more = next_signal(f, err);
        if (more == 1 && f->numbered == NULL && gf_frames_at_once(f->worker) > 1) {
            gf_worker_rest(f->worker);
            more = gf_run_frames(f->worker, f->reader, f->writer, &count, err);
        }
        f->signals += count;
    } while (more == 1);
    return more;
}

/* Where sound was too loud for the integers it is stored in, somebody should know. */
static void tell_full(const struct gf_file *f)
{
    const long long full = atomic_exchange(&f->worker->engine.full, 0);

    if (full == 0 || f->options->quiet || f->writer == NULL)
        return;
    gf_progress_clear(f->worker->setting->progress);
    gf_full_tell(f->writer->name, full, f->worker->chain.above, f->worker->chain.above_db);
}

/* frame%03d.ppm is the name of one file here. */
static void tell_percent(const struct gf_file *f)
{
    if (f->signals < 2 || f->numbered != NULL || f->options->quiet || f->options->explain || !gf_has_percent(f->output))
        return;
    gf_progress_clear(f->worker->setting->progress);
    fprintf(stderr, "gpufilter: %s: one file holds all pictures; {n:3} in the output's name makes a file of each\n", f->output);
}

int gf_run_file(struct gf_worker *w, const struct gf_file_options *options, const char *input, const char *output,
                int number, int64_t *signals, struct gf_error *err)
{
    struct gf_file f = { .options = options, .output = output, .worker = w,
                         .tees = { .options = options->write, .input = input, .output = output, .quiet = options->quiet,
                                   .told_ending = options->told_ending, .number = number } };
    const struct gf_seat seat = gf_worker_seat(w);
    struct gf_read_options read = *options->read;
    int result = -1;

    gf_sides_begin(&w->sides, options->read, input, number);
    read.memory_bytes = w->limits.memory_bytes;
    f.reader = gf_timed_open(&seat, input, &read, err);
    if (f.reader != NULL && run_signals(&f, err) == 0)
        result = options->explain || f.writer == NULL ? 0 : gf_timed_commit(&seat, f.writer, err);
    if (result == 0)
        result = gf_tees_commit(&f.tees, w, true, err);
    if (result != 0 && options->gather != NULL)
        gf_gather_drop(options->gather, number - 1);
    if (result == 0) {
        tell(&f, f.reader->remark);
        tell_full(&f);
        tell_percent(&f);
    }
    if (result == 0 && f.unmet.status != 0) {
        *err = f.unmet;
        result = -1;
    }
    gf_writer_close(f.writer);
    gf_tees_close(&f.tees);
    free(f.numbered);
    free(f.renamed);
    if (f.reader != NULL)
        gf_reader_close(f.reader);
    *signals = f.signals;
    return result;
}
