/* From a request to a result. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chain.h"
#include "device.h"
#include "execute.h"
#include "explain.h"
#include "report.h"

/* One input on its way to one output. */
struct job {
    const struct gf_request *request;
    struct gf_reader *reader;
    struct gf_writer *writer;
    struct gf_chain chain;
    struct gf_plan plan;
    struct gf_engine engine;
    struct gf_device_facts cpu, cuda;
    char why_no_cuda[300];
    struct gf_format planned;            /* what the plan is for */
    bool have_plan;
    int64_t signals;
};

/* What devices there are; a GPU is looked for only where it could be used. */
static int find_devices(struct job *j, struct gf_error *err)
{
    const struct gf_request *r = j->request;

    gf_device_cpu.facts(0, &j->cpu, NULL, 0);
    if (r->where == GF_CPU)
        return 0;
    gf_device_cuda.facts(r->cuda_index, &j->cuda, j->why_no_cuda, sizeof j->why_no_cuda);
    if (r->where == GF_CUDA && !j->cuda.present)
        return gf_fail(err, GF_FAILED, "--device cuda: %s; --device cpu works everywhere", j->why_no_cuda);
    return 0;
}

static bool same_format(const struct gf_format *a, const struct gf_format *b)
{
    return a->kind == b->kind && a->type == b->type && a->bits == b->bits && a->maxval == b->maxval
        && a->channels == b->channels && a->alpha == b->alpha && a->width == b->width && a->units == b->units && a->rate == b->rate;
}

/* The signal that the chain ends in, as it would be stored where nothing else decides: like the input. */
static struct gf_format wanted_output(const struct job *j)
{
    return j->chain.out;
}

static int check_size(const struct gf_format *f, const char *name, struct gf_error *err)
{
    if (f->width > 0 && f->units > INT64_C(0x3fffffffffffffff) / f->width / f->channels / 8)
        return gf_fail(err, GF_FAILED, "%s: the result would be too large", name);
    return 0;
}

/* Opens the output once the first signal tells what it will hold. */
static int open_writer(struct job *j, struct gf_error *err)
{
    const struct gf_request *r = j->request;
    const struct gf_format out = wanted_output(j);

    if (j->writer != NULL)
        return 0;
    if (!j->chain.table && strcmp(r->output, "-") == 0 && isatty(STDOUT_FILENO) && !r->explain)
        return gf_fail(err, GF_MISUSED, "standard output is a terminal: name a file with -o, or put a pipe behind");
    j->writer = gf_writer_open(r->output, &r->write, &out, j->chain.table, err);
    return j->writer ? 0 : -1;
}

static int make_plan(struct job *j, struct gf_format *out, struct gf_error *err)
{
    struct gf_chain *chain = &j->chain;

    if (j->have_plan)
        gf_engine_reset(&j->engine, &j->plan);
    j->have_plan = false;
    if (gf_chain_bind(chain, &j->reader->format, j->reader->name, err) != 0)
        return -1;
    *out = wanted_output(j);
    if (check_size(out, j->reader->name, err) != 0 || open_writer(j, err) != 0)
        return -1;
    if (!chain->table && gf_writer_fit(j->writer, out, err) != 0)
        return -1;
    if (gf_plan_make(&j->plan, chain, chain->table ? NULL : out, &j->request->limits, j->request->where,
                     &j->cpu, &j->cuda, err) != 0)
        return -1;
    j->planned = j->reader->format;
    j->have_plan = true;
    return 0;
}

static int open_engine(struct job *j, struct gf_error *err)
{
    const struct gf_device_kind *kind = j->plan.cuda ? &gf_device_cuda : &gf_device_cpu;

    if (j->engine.open && j->engine.device.kind == kind)
        return 0;
    gf_engine_close(&j->engine);
    return gf_engine_open(&j->engine, kind, j->request->cuda_index, err);
}

/* One image or recording, from the reader to the writer. */
static int run_signal(struct job *j, struct gf_error *err)
{
    const struct gf_request *r = j->request;
    struct gf_format out = j->plan.out;
    struct gf_table table = { 0 };

    if ((!j->have_plan || !same_format(&j->planned, &j->reader->format)) && make_plan(j, &out, err) != 0)
        return -1;
    if (r->explain || (r->verbose && j->signals == 0))
        gf_explain(&j->plan, r->explain ? stdout : stderr);
    if (r->explain)
        return 0;
    if (open_engine(j, err) != 0)
        return -1;
    if (!j->chain.table && gf_writer_begin(j->writer, &out, err) != 0)
        return -1;
    if (gf_execute(&j->engine, &j->plan, &j->chain, j->reader, j->writer, &table, err) != 0)
        return -1;
    j->signals++;
    return j->chain.table ? gf_writer_table(j->writer, &table, err) : gf_writer_end(j->writer, err);
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
        if (more == 1 && j->chain.table)
            return gf_fail(err, GF_FAILED, "%s holds several pictures, but one table is asked for", j->reader->name);
    } while (more == 1);
    return more;
}

static void release(struct job *j)
{
    if (j->have_plan)
        gf_engine_reset(&j->engine, &j->plan);
    gf_engine_close(&j->engine);
    gf_report_free(j->engine.report);
    gf_writer_close(j->writer);
    if (j->reader != NULL)
        gf_reader_close(j->reader);
    gf_chain_release(&j->chain);
    free(j);
}

int gf_run_request(const struct gf_request *request, struct gf_error *err)
{
    struct job *j = calloc(1, sizeof *j);
    int result = -1;

    if (j == NULL)
        return gf_fail(err, GF_FAILED, "not enough memory");
    j->request = request;
    if (gf_chain_parse(&j->chain, request->words, request->word_count, err) != 0)
        goto out;
    if (request->input_count > 1) {
        gf_fail(err, GF_MISUSED, "several inputs: name one with -i; a shell loop runs the others");
        goto out;
    }
    if (find_devices(j, err) != 0)
        goto out;
    if (request->stats)
        j->engine.report = gf_report_new();
    j->reader = gf_reader_open(request->inputs[0], &request->read, err);
    if (j->reader == NULL || run_signals(j, err) != 0)
        goto out;
    if (!request->explain && gf_writer_commit(j->writer, err) != 0)
        goto out;
    if (j->engine.report != NULL)
        gf_report_print(j->engine.report, &j->plan, j->signals, request->stats_json, stderr);
    result = 0;
out:
    release(j);
    return result;
}
