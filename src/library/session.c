/* Sessions and chains of libgpufilter. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "library/library.h"

#include "chain/chain_advice.h"
#include "chain/named.h"
#include "chain/named_text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *gpufilter_version(void)
{
    return PACKAGE_VERSION;
}

int gf_library_fail(gpufilter_error *to, const struct gf_error *from)
{
    struct gf_error err = *from;

    if (err.cause == GF_CAUSE_MEMORY_LIMIT)
        gf_error_advise(&err, "raise the limit of memory, or use a smaller input");
    if (err.for_shell) {
        gf_error_drop_advice(&err);
        if (err.cause == GF_CAUSE_STAGE)
            gf_error_advise(&err, "gpufilter_stages(), in Python stages(), lists all");
    }
    if (to != NULL) {
        to->status = err.status;
        to->advice = (int)err.advice;
        memcpy(to->text, err.text, sizeof to->text);
        to->text[sizeof to->text - 1] = '\0';
    }
    return -1;
}

bool gf_library_copy(void *to, size_t size, const void *from, size_t least)
{
    size_t given;

    memset(to, 0, size);
    if (from == NULL)
        return false;
    memcpy(&given, from, sizeof given);
    if (given < least)
        return false;
    memcpy(to, from, given < size ? given : size);
    return true;
}

int gf_library_hand_out(void *to, const void *from, size_t size, size_t least, const char *what, struct gf_error *err)
{
    size_t wanted;

    if (to == NULL)
        return gf_fail(err, GF_MISUSED, "%s: is NULL", what);
    memcpy(&wanted, to, sizeof wanted);
    if (wanted < least)
        return gf_fail(err, GF_MISUSED, "%s: size is wrong; set it to sizeof(gpufilter_%s)", what, what);
    memcpy(to, from, wanted < size ? wanted : size);
    memcpy(to, &wanted, sizeof wanted);
    return 0;
}

int gf_library_check(const struct gpufilter_session *s, struct gf_error *err)
{
    if (s == NULL)
        return gf_fail(err, GF_MISUSED, "a handle is NULL");
    return getpid() == s->process ? 0
        : gf_fail(err, GF_MISUSED, "the session belongs to another process; open one after fork()");
}

/* ---- sessions ---- */

static int choose_device(struct gpufilter_session *s, const char *device, struct gf_error *err)
{
    struct gf_run_context *c = &s->context;
    const int length = snprintf(s->device, sizeof s->device, "%s", device != NULL ? device : "auto");
    char rest;

    c->device = s->device;
    c->device_option = "device";
    c->gpus = (struct gf_device_list) { { 0 }, 1 };
    c->where = GF_CUDA;
    if (strcmp(s->device, "auto") == 0)
        c->where = GF_AUTO;
    else if (strcmp(s->device, "cpu") == 0)
        c->where = GF_CPU;
    else if (strcmp(s->device, "cuda") != 0
             && (length >= (int)sizeof s->device || sscanf(s->device, "cuda:%3d%c", &c->gpus.index[0], &rest) != 1
                 || c->gpus.index[0] < 0))
        return gf_fail(err, GF_MISUSED, "device: must be auto, cpu, cuda or cuda:N, not '%s'", s->device);
    return 0;
}

static int start(struct gpufilter_session *s, const gpufilter_options *given, struct gf_error *err)
{
    gpufilter_options o = { 0 };

    if (given != NULL && !gf_library_copy(&o, sizeof o, given, offsetof(gpufilter_options, warn)))
        return gf_fail(err, GF_MISUSED, "options: size is wrong; set it to sizeof(gpufilter_options)");
    if (o.threads < 0 || o.threads > 1024)
        return gf_fail(err, GF_MISUSED, "threads: must be 0 to 1024, not %d", o.threads);
    if (o.memory < 0)
        return gf_fail(err, GF_MISUSED, "memory: must be 0 or more, not %lld", (long long)o.memory);
    atomic_store(&s->holders, 1);
    s->process = getpid();
    s->warn = o.warn;
    s->warn_context = o.context;
    s->context.limits.threads = o.threads;
    s->context.limits.memory_bytes = o.memory;
    return choose_device(s, o.device, err) != 0 || gf_run_context_find_devices(&s->context, 1, err) != 0 ? -1
        : s->context.where == GF_CUDA ? gf_run_context_need_gpus(&s->context, err) : 0;
}

gpufilter_session *gpufilter_open(const gpufilter_options *options, gpufilter_error *error)
{
    struct gpufilter_session *s = calloc(1, sizeof *s);
    struct gf_error err = { 0 };

    if (s != NULL ? start(s, options, &err) == 0 : gf_fail_memory(&err, NULL) == 0)
        return s;
    free(s);
    gf_library_fail(error, &err);
    return NULL;
}

void gf_library_release(struct gpufilter_session *s)
{
    if (atomic_fetch_sub(&s->holders, 1) == 1)
        free(s);
}

void gpufilter_close(gpufilter_session *session)
{
    if (session != NULL)
        gf_library_release(session);
}

/* ---- chains ---- */

/* Splits a text into words, as in a file of stages. */
static int split(const char *text, const char ***words, int *count, struct gf_error *err)
{
    struct gf_named_text t;
    int more = gf_named_text_read(&t, text, err) == 0 ? gf_named_text_next(&t, err) : -1;
    const char **all;

    for (; more > 0; more = gf_named_text_next(&t, err)) {
        all = realloc(*words, (size_t)(*count + 1) * sizeof *all);
        if (all != NULL)
            *words = all;
        if (all == NULL || (all[*count] = strdup(t.word)) == NULL) {
            more = gf_fail_memory(err, NULL);
            break;
        }
        ++*count;
    }
    gf_named_text_close(&t);
    return more;
}

static int parse_words(struct gf_library_stages *s, const char *const *words, int count, unsigned kinds,
                       struct gf_error *err)
{
    struct gf_named_words *x = &s->words;

    if (gf_named_expand(words, count, kinds, x, err) != 0)
        return -1;
    return gf_chain_parse_arrays(&s->chain, (const char *const *)x->word, x->origin, x->count, kinds, true,
                                 err) == 0 ? 0
        : gf_chain_explain(&s->chain, (const char *const *)x->word, x->count, kinds, err);
}

const struct gf_stage *gf_library_sequence_stage(const struct gf_chain *chain)
{
    for (int i = 0; i < chain->count; i++) {
        const struct gf_stage *const stage = chain->word[i].stage[GF_IMAGE];
        const struct gf_frames need = gf_stage_frames(stage, chain->word[i].config[GF_IMAGE]);

        if (gf_frames_used(&need))
            return stage;
    }
    return NULL;
}

int gf_library_parse(struct gf_library_stages *s, const char *text, unsigned kinds, const struct gf_given *given,
                     struct gf_error *err)
{
    const char **words = NULL;
    int count = 0, result = split(text, &words, &count, err);

    if (result == 0)
        result = parse_words(s, words, count, kinds, err);
    for (int i = 0; i < count; i++)
        free((void *)(uintptr_t)words[i]);
    free(words);
    for (int i = 0; result == 0 && i < s->chain.count; i++) {
        const struct gf_chain_word *const word = &s->chain.word[i];
        const struct gf_stage *const stage = word->stage[GF_IMAGE], *const audio = word->stage[GF_AUDIO];

        if (stage != NULL && stage->joins != NULL)
            result = gf_fail(err, GF_MISUSED, "%s: joins the images of several files, which only the command does",
                             stage->name);
        else if (audio != NULL && audio->splits != NULL)
            result = gf_fail(err, GF_MISUSED, "%s: makes several files, which only the command does", audio->name);
        else if (audio != NULL && audio->inserts != NULL)
            result = gf_fail(err, GF_MISUSED, "%s: reads another file as it comes, which only the command does",
                             audio->name);
        else if (stage != NULL && stage->by_times)
            result = gf_fail(err, GF_MISUSED, "%s: chooses frames by their times, which only the command knows",
                             stage->name);
        else if ((i > 0 || gf_library_sequence_stage(&s->chain) != NULL)
                 && gf_stage_looks(stage, word->config[GF_IMAGE]))
            result = gf_fail(err, GF_MISUSED, "%s: depends on what is in the image, so that it must be the first "
                             "stage for single images; let another chain do the other stages", word->text);
        else if (gf_stage_keeps(audio, word->config[GF_AUDIO]) != NULL)
            result = gf_fail(err, GF_MISUSED, "%s: the length of its result depends on the samples, which only the "
                             "command allows; silence:table lists what it cuts", word->text);
    }
    return result != 0 ? -1 : gf_chain_load(&s->chain, given, err);
}

void gf_library_stages_release(struct gf_library_stages *s)
{
    gf_chain_release(&s->chain);
    gf_named_words_release(&s->words);
}

void gpufilter_chain_free(gpufilter_chain *chain)
{
    if (chain == NULL || atomic_fetch_sub(&chain->holders, 1) > 1)
        return;
    gf_library_stages_release(&chain->parsed);
    gf_library_release(chain->session);
    free(chain->text);
    free(chain);
}

int gpufilter_needs_sequence(const gpufilter_chain *chain)
{
    return chain != NULL && gf_library_sequence_stage(&chain->parsed.chain) != NULL;
}

static struct gf_reader *find_nothing(void *context, const char *name)
{
    (void)context, (void)name;
    return NULL;
}

/* Parses. A file of numbers that cannot be read is not an error yet. */
static int parse(struct gpufilter_chain *c, const char *stages, struct gf_error *err)
{
    const struct gf_given nothing = { find_nothing, NULL };

    c->text = strdup(stages);
    if (c->text == NULL)
        return gf_fail_memory(err, NULL);
    if (gf_library_check(c->session, err) != 0)
        return -1;
    if (gf_library_parse(&c->parsed, stages, c->kinds, &nothing, err) == 0)
        return 0;
    c->waits = err->cause == GF_CAUSE_MASK;
    return c->waits ? 0 : -1;
}

gpufilter_chain *gpufilter_parse(gpufilter_session *session, const char *stages, int kind, gpufilter_error *error)
{
    struct gpufilter_chain *c = session != NULL && stages != NULL ? calloc(1, sizeof *c) : NULL;
    struct gf_error err = { 0 };

    if (c == NULL) {
        if (session == NULL || stages == NULL)
            gf_fail(&err, GF_MISUSED, "a handle or the text of stages is NULL");
        else
            gf_fail_memory(&err, NULL);
        gf_library_fail(error, &err);
        return NULL;
    }
    c->session = session;
    c->kinds = kind == GPUFILTER_IMAGE || kind == GPUFILTER_AUDIO ? 1u << kind : 0;
    atomic_store(&c->holders, 1);
    atomic_fetch_add(&session->holders, 1);
    if (parse(c, stages, &err) == 0)
        return c;
    gf_library_fail(error, &err);
    gpufilter_chain_free(c);
    return NULL;
}
