/* Runs the stages up to one that measures all inputs together on each input, in order, so that sums have one order. */
#include "batch/album.h"

#include "base/memory_share.h"
#include "base/path.h"
#include "run/buffered_reader.h"
#include "run/evened.h"

#include <stdlib.h>
#include <sys/stat.h>

bool gf_album_used(const struct gf_chain *chain)
{
    for (int i = 0; i < chain->count; i++)
        if (chain->word[i].album != NULL)
            return true;
    return false;
}

/* Fails if a run with such a stage is not possible. */
static int check(const struct gf_chain *chain, int at, char *const *inputs, int count, bool joins, struct gf_error *err)
{
    const char *const name = chain->word[at].stage[GF_AUDIO]->name;
    struct stat st;

    if (joins)
        return gf_fail(err, GF_MISUSED, "%s: all inputs are one already;; leave out album", name);
    for (int i = 0; i < at; i++)
        if (chain->word[i].stage[GF_AUDIO] != NULL && chain->word[i].stage[GF_AUDIO]->splits != NULL)
            return gf_fail(err, GF_MISUSED, "%s: album is for whole inputs, so it must be before %s", name,
                           chain->word[i].stage[GF_AUDIO]->name);
    for (int i = 0; i < at; i++)
        if (gf_stage_keeps(chain->word[i].stage[GF_AUDIO], chain->word[i].config[GF_AUDIO]) != NULL
            || (chain->word[i].stage[GF_AUDIO] != NULL && chain->word[i].stage[GF_AUDIO]->inserts != NULL))
            return gf_fail(err, GF_MISUSED, "%s: album measures whole inputs, so %s cannot be before it;; write its "
                           "results to files first", name, chain->word[i].text);
    for (int i = 0; i < count; i++)
        if (gf_path_is_standard(inputs[i]) || (stat(inputs[i], &st) == 0 && !S_ISREG(st.st_mode)))
            return gf_fail(err, GF_MISUSED, "%s: is a pipe, but %s with album reads all inputs twice;; write it to a "
                           "file first", gf_path_is_standard(inputs[i]) ? "standard input" : inputs[i], name);
    return gf_chain_check_files_before(chain, at, "reads the input twice", err);
}

/* Measures the recording of a reader. */
static int measure(struct gf_worker *w, struct gf_reader *r, struct gf_error *err)
{
    const struct gf_sink none[GF_CHAIN_EXITS] = { { .writer = NULL } };
    struct gf_writer *const writers[GF_CHAIN_EXITS] = { NULL };
    struct gf_run_results results;

    if (r->format.kind != GF_AUDIO)
        return gf_fail(err, GF_FAILED, "%s: is an image, but album measures audio", r->name);
    if (r->format.units == GF_UNKNOWN
        && gf_buffered_reader_fill(r, GF_UNKNOWN,
                                   (size_t)gf_memory_share(GF_MEMORY_PIPE, w->limits.memory_bytes), err) != 0)
        return -1;
    return gf_task_bind(w, &r->format, r->name, err) != 0 || gf_task_plan(w, r, none, err) != 0
        || gf_task_run(w, r, writers, &results, err) != 0 ? -1 : 0;
}

static int measure_all(struct gf_run_context *context, const struct gf_chain *chain, char *const *inputs, int count,
                       const struct gf_one_input_options *options, struct gf_error *err)
{
    struct gf_read_options read = *options->read;
    struct gf_run_context now;
    struct gf_worker *w;
    int result = 0;

    gf_run_context_copy(context, &now);
    now.chain = chain;
    now.ends = false;
    now.report = NULL;
    now.progress = NULL;
    read.memory_bytes = now.limits.memory_bytes;
    w = gf_worker_new(&now, &now.limits, -1, err);
    if (w == NULL)
        return -1;
    w->sides.even = gf_evened_open;
    for (int i = 0; i < count && result == 0; i++) {
        struct gf_reader *const r = gf_reader_open(inputs[i], &read, err);

        gf_sides_begin(&w->sides, &read, inputs[i], -1, i + 1);
        result = r == NULL ? -1 : measure(w, r, err);
        gf_reader_close(r);
    }
    gf_worker_free(w);
    return result;
}

/* Measures all inputs for the stage of word `at`, which ends the chain meanwhile. */
static int measure_for(struct gf_run_context *context, const struct gf_chain *whole, int at, char *const *inputs,
                       int count, const struct gf_one_input_options *options, struct gf_error *err)
{
    struct gf_chain *const chain = malloc(sizeof *chain);
    struct gf_album *const album = whole->word[at].album;
    struct gf_stage ending = *whole->word[at].stage[GF_AUDIO];
    int result;

    if (chain == NULL)
        return gf_fail_memory(err, ending.name);
    *chain = *whole;
    chain->count = at + 1;
    ending.ends = GF_ENDS_TABLE;
    chain->word[at].stage[GF_AUDIO] = &ending;
    album->used = album->measuring = true;
    result = options->explain ? 0 : measure_all(context, chain, inputs, count, options, err);
    album->measuring = false;
    free(chain);
    return result;
}

int gf_album_measure(struct gf_run_context *context, const struct gf_chain *chain, char *const *inputs, int count,
                     bool joins, const struct gf_one_input_options *options, struct gf_error *err)
{
    for (int i = 0; count > 1 && context->kinds != 1u << GF_IMAGE && i < chain->count; i++)
        if (chain->word[i].album != NULL
            && (check(chain, i, inputs, count, joins, err) != 0
                || measure_for(context, chain, i, inputs, count, options, err) != 0))
            return -1;
    return 0;
}
