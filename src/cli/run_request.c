/* Runs a request: finds inputs and devices, runs the chain over the inputs, prints reports. */
#include "cli/run_request.h"

#include "base/clock.h"
#include "base/elementary.h"
#include "base/library_text.h"
#include "base/terminal.h"
#include "batch/info.h"
#include "chain/chain_advice.h"
#include "chain/named.h"
#include "cli/run_sandbox.h"
#include "cli/stay_request.h"
#include "io/format.h"
#include "io/ledger.h"
#include "io/text_output.h"
#include "report/progress.h"
#include "report/report.h"
#include "report/trace.h"
#include "run/divided.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Chooses among the inputs, some of them by their contents. */
static int choose_inputs(const struct gf_request *request, struct gf_batch *b, struct gf_ledger *ledger,
                         struct gf_error *err)
{
    if (gf_batch_drop_unknown(b, err) != 0)
        return -1;
    if (b->folders > 0)
        gf_warn(b->notices, "folders", NULL, "skipped %d folder%s inside the input folder; add -R to search %s",
                b->folders, b->folders == 1 ? "" : "s", b->folders == 1 ? "it" : "them");
    if (request->files_from != NULL && gf_ledger_add_input(ledger, request->files_from, err) != 0)
        return -1;
    b->shard = request->shard;
    b->shards = request->shard_count;
    b->many |= request->shard_count > 0;
    return 0;
}

/* Prints notes about files without -i and names of other programs, so that no guess is silent. */
static void note_interpretations(const struct gf_request *request, const struct gf_chain *chain,
                                 struct gf_notices *notices)
{
    for (int i = 0; i < request->input_count; i++)
        if (request->bare[i])
            gf_note(notices, "bare-input", request->inputs[i], "read as input, as with -i; only -o names an output");
    for (int i = 0; chain != NULL && i < chain->count; i++)
        if (chain->word[i].alias != NULL)
            gf_note(notices, NULL, NULL, "%s is called %s here", chain->word[i].alias,
                    (chain->word[i].stage[GF_IMAGE] != NULL ? chain->word[i].stage[GF_IMAGE]
                     : chain->word[i].stage[GF_AUDIO])->name);
}

/* Returns true unless options, stages or names say that the inputs that are joined are audio. */
static bool may_be_images(const struct gf_request *request, const struct gf_batch *b, const struct gf_chain *chain)
{
    const struct gf_file_format *const to = request->write.to != NULL ? gf_file_format_find(request->write.to) : NULL;
    const enum gf_join join = request->read.join;

    for (int i = 0; i < chain->count; i++)
        if (chain->word[i].stage[GF_IMAGE] == NULL)
            return false;
    return join != GF_JOIN_FADE && join != GF_JOIN_MIX && (to == NULL || to->image != NULL || to->audio == NULL)
        && gf_reader_kinds(b->count > 0 ? b->inputs[0] : NULL) != 1u << GF_AUDIO;
}

/*
 * Finds the inputs by their names, and enters the sandbox, before any input is read and any thread starts. The names
 * of all files must be known then, so the stages are parsed before, and the files of their masks are read after.
 */
static int enter_sandbox(const struct gf_request *request, struct gf_chain *chain, struct gf_batch *b,
                         struct gf_error *err)
{
    b->many = request->input_count > 1;
    b->recursive = request->recursive;
    for (int i = 0; i < request->input_count; i++)
        if ((request->untrusted ? gf_batch_add_literal : gf_batch_add)(b, request->inputs[i], err) != 0)
            return -1;
    if (request->files_from != NULL && gf_batch_add_list(b, request->files_from, request->nul, err) != 0)
        return -1;
    b->join = request->read.join != GF_JOIN_OFF || gf_joined_stage(chain) != NULL;
    if (b->join && request->shard_count > 0)
        return gf_fail(err, GF_MISUSED, "%s makes one output of all inputs, so --shard cannot divide them;; leave out "
                       "one of them", request->read.join == GF_JOIN_MIX ? "--mix"
                       : request->read.join != GF_JOIN_OFF ? "--join" : gf_joined_stage(chain)->name);
    b->many = b->many && !b->join;
    if (b->join)
        gf_batch_warn_order(b);
    if (b->join && gf_joined_check(&b->names, b->count, may_be_images(request, b, chain), chain, err) != 0)
        return -1;
    if (chain->count > 0 && request->ask == GF_ASK_RUN)
        gf_stay_request_use(request, gf_divided_stage(chain), b->notices);
    if (gf_run_sandbox_enter(request, chain, b, err) != 0)
        return -1;
    return gf_chain_load(chain, NULL, err);
}

/* Creates reports on request only, because timing costs time. */
static int start_reports(const struct gf_request *q, struct gf_run_context *context, struct gf_error *err)
{
    const bool trace = q->trace_json != NULL || q->trace_svg != NULL;
    const bool terminal = isatty(STDERR_FILENO) && !((strcmp(q->output, "-") == 0 || gf_writer_is_terminal(q->output))
                                                     && isatty(STDOUT_FILENO));

    if (q->explain)
        return 0;
    if ((q->trace_json != NULL && gf_trace_check(q->trace_json, q->write.keep, err) != 0)
        || (q->trace_svg != NULL && gf_trace_check(q->trace_svg, q->write.keep, err) != 0))
        return -1;
    if (q->stats || trace) {
        context->report = gf_report_new(trace);
        if (context->report == NULL)
            return gf_fail_memory(err, NULL);
    }
    if (q->progress == GF_PROGRESS_ALWAYS || (q->progress == GF_PROGRESS_AUTO && terminal && !q->quiet))
        context->progress = gf_progress_new(q->progress == GF_PROGRESS_ALWAYS);
    return 0;
}

static int print_stats(const struct gf_report *report, bool json, struct gf_error *err)
{
    struct gf_text_output text;
    FILE *to = gf_text_output_open(&text, NULL, "--stats", err);
    int result = -1;

    if (to == NULL)
        return -1;
    gf_report_print(report, json, to);
    result = gf_text_output_close(&text, to, 0, err);
    if (result == 0)
        gf_terminal_write(NULL, text.text);
    free(text.text);
    return result;
}

/* Prints and writes the reports, also if some inputs of a batch failed. */
static int end_reports(const struct gf_request *q, struct gf_run_context *context, struct gf_ledger *ledger,
                       int64_t signals, int result, struct gf_error *err)
{
    const struct gf_output_rules rules = { .keep = q->write.keep, .ledger = ledger };

    gf_progress_free(context->progress);
    context->progress = NULL;
    if (context->report == NULL || (result != 0 && signals == 0))
        return result;
    gf_report_stop(context->report, signals);
    if (q->stats && print_stats(context->report, q->stats_json, err) != 0)
        return -1;
    if (q->trace_json != NULL && gf_trace_write(context->report, q->trace_json, &rules, err) != 0)
        return -1;
    return q->trace_svg != NULL && gf_trace_write(context->report, q->trace_svg, &rules, err) != 0 ? -1 : result;
}

/* Looks for devices, which may take a while on a GPU. */
static int find_devices(struct gf_run_context *context, int inputs, struct gf_error *err)
{
    struct gf_interval i = { .activity = GF_STARTING, .step = -1, .start = gf_clock_seconds() };
    const int result = gf_run_context_find_devices(context, inputs, err);

    i.end = gf_clock_seconds();
    if (context->report != NULL)
        gf_report_record(context->report, &i);
    return result;
}

/*
 * Keeps freed blocks of the size of an image for the next image. Otherwise, most of the time in the
 * system is for fresh pages, and all threads wait for each other while pages are returned.
 */
static void keep_blocks(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

/*
 * --jpeg hardware: chooses the GPU if one answers and nvJPEG is there, because images stay in the
 * GPU's memory.
 */
static int choose_jpeg(const struct gf_request *q, struct gf_run_context *context, struct gf_notices *notices,
                       struct gf_error *err)
{
    const struct gf_device_kind *kind = &gf_device_cuda;
    struct gf_device_facts facts;
    char why[300];
    const char *missing;

    if (q->jpeg == GF_JPEG_BY_SOFTWARE)
        return 0;
    if (context->where == GF_CPU)
        return gf_fail(err, GF_MISUSED, "--jpeg hardware: needs a GPU;; leave out --device cpu");
    kind->facts(context->gpus.count > 0 ? context->gpus.index[0] : 0, &facts, why, sizeof why);
    if (facts.present && kind->jpeg_opens(&missing)) {
        context->where = GF_CUDA;
        context->jpeg_on_device = true;
        if (context->limits.memory_bytes == 0)
            keep_blocks();
    } else if (facts.present || context->where != GF_CUDA)   /* a missing GPU is an error later */
        gf_worker_warn_software(notices, facts.present ? missing : why);
    return 0;
}

/* Checks the file that an option of a stage names. */
static int check_stage_file(const struct gf_option *row, const void *value, const char *stage, const struct gf_batch *b,
                            struct gf_ledger *ledger, struct gf_error *err)
{
    const struct gf_mask *mask = value;
    const char *file = row->type == GF_OPTION_INPUT || row->type == GF_OPTION_OUTPUT ? *(char *const *)value : NULL;

    if (file != NULL && row->type == GF_OPTION_OUTPUT)       /* several inputs need different names */
        return gf_output_names_check_stage(file, b->inputs, b->bases, b->join ? 1 : b->count, err);
    if (file != NULL)
        return gf_ledger_add_input(ledger, file, err);
    if (row->type == GF_OPTION_MASK && mask->inode != 0)
        return gf_ledger_add_file(ledger, mask->device, mask->inode, stage, err);
    return 0;
}

/* Checks the files that stages write, and protects those that they read. */
static int check_stage_files(const struct gf_chain *chain, const struct gf_batch *b, struct gf_ledger *ledger,
                             struct gf_error *err)
{
    for (int i = 0; i < chain->count * 2; i++) {
        const struct gf_chain_word *word = &chain->word[i / 2];
        const struct gf_stage *stage = word->stage[i % 2];

        for (const struct gf_option *row = stage ? stage->options : NULL; row != NULL && row->name != NULL; row++)
            if (check_stage_file(row, (const char *)word->config[i % 2] + row->offset, stage->name, b, ledger,
                                 err) != 0)
                return -1;
    }
    return 0;
}

/* Warns about a level above full scale. Usually the minus was forgotten. */
static void warn_above_full_scale(const struct gf_chain *chain, unsigned kinds, struct gf_notices *notices)
{
    for (int i = 0; i < chain->count; i++) {
        const struct gf_chain_word *word = &chain->word[i];
        const bool sound = kinds == 1u << GF_AUDIO || (kinds == 0 && word->stage[GF_IMAGE] == NULL);
        const struct gf_stage *stage = sound ? word->stage[GF_AUDIO] : NULL;

        for (const struct gf_option *row = stage ? stage->options : NULL; row != NULL && row->name != NULL; row++) {
            const bool level = row->type == GF_OPTION_DECIBEL && row->unit != NULL && strcmp(row->unit, "dBFS") == 0;
            const double value = level
                ? *(const double *)(const void *)((const char *)word->config[GF_AUDIO] + row->offset) : 0;

            if (value > 0)
                gf_warn(notices, stage->name, stage->name,
                        value > 1 && row[1].name != NULL && strcmp(row[1].name, "ratio") == 0
                            ? "%s=%g is above full scale (0 dBFS), where integer samples clip; did you mean %.4g, or "
                              "ratio=%g?"
                            : "%s=%g is above full scale (0 dBFS), where integer samples clip; did you mean %.4g?",
                        row->name, value, value < 1 ? 20 * gf_log10(value) : -value, value);
        }
    }
}

/* Runs a command after named chains were replaced by their stages. */
static int run_stages(const struct gf_request *request, struct gf_chain *chain, const char *hidden,
                      struct gf_run_context *context, struct gf_notices *notices, struct gf_ledger *ledger,
                      struct gf_error *err)
{
    struct gf_batch batch = { .names = { .text = request->output, .to = request->write.to,
                                         .folder = gf_output_names_is_folder(request->output),
                                         .tiles = gf_chain_ends(chain) == GF_ENDS_TILES },
                              .update = request->update,
                              .fail_fast = request->fail_fast, .from = request->read.from, .notices = notices };
    atomic_bool plan_printed = false;
    const struct gf_one_input_options options = { .notices = notices, .ledger = ledger, .plan_printed = &plan_printed,
                                                  .read = &request->read, .write = &request->write,
                                                  .explain = request->explain,
                                                  .verbose = request->verbose && !request->quiet };
    int64_t signals = 0;
    int result = -1;

    if (enter_sandbox(request, chain, &batch, err) != 0) {
        gf_batch_release(&batch);
        gf_run_sandbox_tidy(request);
        return -1;
    }
    context->chain = chain;
    if (hidden != NULL)
        gf_warn(notices, "hidden-chain", hidden, "this named chain is not used, because a stage has the same name; "
                                                 "rename it or write @%s", hidden);
    warn_above_full_scale(chain, context->kinds, notices);
    batch.ends = gf_chain_ends(chain);
    if (start_reports(request, context, err) == 0 && choose_inputs(request, &batch, ledger, err) == 0
        && check_stage_files(chain, &batch, ledger, err) == 0
        && choose_jpeg(request, context, notices, err) == 0
        && find_devices(context, batch.join ? 1 : batch.count, err) == 0 && gf_notices_check(notices, err) == 0)
        result = gf_batch_run(&batch, context, &options, &signals, err);
    result = end_reports(request, context, ledger, signals, result, err);
    gf_batch_release(&batch);
    gf_report_free(context->report);
    gf_run_sandbox_tidy(request);
    return result;
}

int gf_run_info(const struct gf_request *request, struct gf_error *err)
{
    const struct gf_notice_options said = { .quiet = request->quiet, .strict = request->strict };
    struct gf_notices *notices = gf_notices_new(&said);
    struct gf_ledger *ledger = gf_ledger_new();
    struct gf_chain *chain = calloc(1, sizeof *chain);
    struct gf_batch batch = { .names = { .text = request->output, .to = request->write.to },
                              .fail_fast = request->fail_fast, .from = request->read.from, .notices = notices };
    struct gf_read_options read = request->read;
    struct gf_write_options write = request->write;
    const struct gf_info_options options = { .read = &read, .write = &write, .threads = request->limits.threads,
                                             .verbose = request->verbose };
    int result = -1;

    gf_library_text_catch(request->quiet);
    read.headers = true;
    read.memory_bytes = request->limits.memory_bytes;
    write.notices = notices;
    write.ledger = ledger;
    if (notices == NULL || ledger == NULL || chain == NULL)
        gf_fail_memory(err, NULL);
    else if (enter_sandbox(request, chain, &batch, err) == 0 && choose_inputs(request, &batch, ledger, err) == 0
             && gf_notices_check(notices, err) == 0)
        result = gf_info_list(&batch, &options, err);
    if (notices != NULL)
        gf_notices_print(notices);
    gf_batch_release(&batch);
    free(chain);
    gf_ledger_free(ledger);
    gf_notices_free(notices);
    return result;
}

int gf_run_request(const struct gf_request *request, struct gf_error *err)
{
    struct gf_run_context context = { .limits = request->limits, .where = request->where, .gpus = request->cuda,
                                      .device = request->device != NULL ? request->device : "cuda",
                                      .kinds = gf_reader_kinds(request->inputs[0]),
                                      .estimates = request->explain || request->verbose };
    const struct gf_notice_options options = { .quiet = request->quiet, .strict = request->strict };
    struct gf_notices *notices = gf_notices_new(&options);
    struct gf_ledger *ledger = gf_ledger_new();
    struct gf_chain *chain = calloc(1, sizeof *chain);
    struct gf_named_words expanded = { 0 };
    int result = -1;

    gf_library_text_catch(request->quiet);
    if (notices == NULL || ledger == NULL || chain == NULL) {
        gf_fail_memory(err, NULL);
        goto out;
    }
    context.limits.max_pixels = request->read.max_pixels;
    result = gf_named_expand(request->words, request->word_count, context.kinds, &expanded, err);
    if (result == 0)
        result = gf_chain_parse(chain, (const char *const *)expanded.word, expanded.origin, expanded.count,
                                 context.kinds, err) == 0 ? 0
            : gf_chain_explain(chain, (const char *const *)expanded.word, expanded.count, context.kinds, err);
    note_interpretations(request, result == 0 ? chain : NULL, notices);
    if (result == 0)
        result = run_stages(request, chain, expanded.hidden, &context, notices, ledger, err);
    gf_chain_release(chain);
    gf_named_words_release(&expanded);
    gf_notices_print(notices);
out:
    free(chain);
    gf_ledger_free(ledger);
    gf_notices_free(notices);
    return result;
}
