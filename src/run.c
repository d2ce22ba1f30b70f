/* From a request to a result. */
#include "run.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "explain.h"
#include "frames.h"
#include "worker.h"

/* One input on its way to one output. */
struct job {
    const struct gf_request *request;
    struct gf_worker *worker;
    struct gf_reader *reader;
    struct gf_writer *writer;
    int64_t signals;
};

/* Opens the output once the first signal tells what it will hold. */
static int open_writer(struct job *j, struct gf_error *err)
{
    const struct gf_request *r = j->request;
    const struct gf_chain *chain = &j->worker->chain;

    if (j->writer != NULL)
        return 0;
    if (!chain->table && strcmp(r->output, "-") == 0 && isatty(STDOUT_FILENO) && !r->explain)
        return gf_fail(err, GF_MISUSED, "standard output is a terminal: name a file with -o, or put a pipe behind");
    j->writer = gf_writer_open(r->output, &r->write, &chain->out, chain->table, err);
    return j->writer ? 0 : -1;
}

/* One image or recording, from the reader to the writer. */
static int run_signal(struct job *j, struct gf_error *err)
{
    const struct gf_request *r = j->request;
    struct gf_worker *w = j->worker;
    struct gf_table table = { 0 };

    if (gf_worker_bind(w, &j->reader->format, j->reader->name, err) != 0 || open_writer(j, err) != 0
        || gf_worker_plan(w, w->chain.table ? NULL : j->writer, j->reader->name, err) != 0)
        return -1;
    if (r->explain || (r->verbose && j->signals == 0))
        gf_explain(&w->plan, r->explain ? stdout : stderr);
    if (r->explain)
        return 0;
    if (!w->chain.table && gf_writer_begin(j->writer, &w->stored, err) != 0)
        return -1;
    if (gf_worker_run(w, j->reader, j->writer, &table, err) != 0)
        return -1;
    j->signals++;
    return w->chain.table ? gf_writer_table(j->writer, &table, err) : gf_writer_end(j->writer, err);
}

static int run_signals(struct job *j, struct gf_error *err)
{
    int more;

    do {
        if (run_signal(j, err) != 0)
            return -1;
        if (j->request->explain)
            return fflush(stdout) == 0 ? 0 : gf_fail(err, GF_FAILED, "standard output can't be written");
        more = gf_reader_next(j->reader, err);
        if (more == 1 && j->worker->chain.table)
            return gf_fail(err, GF_FAILED, "%s holds several pictures, but one table is asked for", j->reader->name);
        if (more == 1 && gf_frames_at_once(j->worker) > 1) {
            int64_t count = 0;

            more = gf_run_frames(j->worker, j->reader, j->writer, &count, err);
            j->signals += count;
        }
    } while (more == 1);
    return more;
}

static int run_file(struct job *j, const char *input, struct gf_error *err)
{
    j->reader = gf_reader_open(input, &j->request->read, err);
    if (j->reader == NULL || run_signals(j, err) != 0)
        return -1;
    return j->request->explain ? 0 : gf_writer_commit(j->writer, err);
}

int gf_run_request(const struct gf_request *request, struct gf_error *err)
{
    struct gf_setting setting = { .words = request->words, .word_count = request->word_count, .limits = request->limits,
                                  .where = request->where, .cuda_index = request->cuda_index };
    struct job j = { .request = request };
    int result = -1;

    if (request->stats)
        setting.report = gf_report_new();
    j.worker = gf_worker_new(&setting, &setting.limits, err);
    if (j.worker == NULL)
        goto out;
    if (request->input_count > 1) {
        gf_fail(err, GF_MISUSED, "several inputs: name one with -i; a shell loop runs the others");
        goto out;
    }
    if (gf_setting_find_devices(&setting, err) != 0 || run_file(&j, request->inputs[0], err) != 0)
        goto out;
    if (setting.report != NULL)
        gf_report_print(setting.report, &j.worker->plan, j.signals, request->stats_json, stderr);
    result = 0;
out:
    gf_worker_free(j.worker);
    gf_writer_close(j.writer);
    if (j.reader != NULL)
        gf_reader_close(j.reader);
    gf_report_free(setting.report);
    return result;
}
