/* A worker: it keeps its plan, its lanes and its memory for as long as the signals look the same. */
#include "worker.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define WORTH_ASKING 0.1                 /* seconds: asking the driver for its GPUs takes about as long */

/* Asks the driver. The first GPU of the list is what plans are made for. */
static int ask_for_gpus(struct gf_setting *s, struct gf_error *err)
{
    struct gf_device_facts facts;
    char why[300];

    s->gpu_asked = true;
    while (s->gpus.count < GF_MOST_DEVICES && s->all_gpus
           && (gf_device_cuda.facts(s->gpus.count, &facts, NULL, 0), facts.present)) {
        s->gpus.index[s->gpus.count] = s->gpus.count;
        s->gpus.count++;
    }
    s->gpus.count = s->gpus.count ? s->gpus.count : 1;
    for (int i = s->gpus.count - 1; i >= 0; i--) {
        gf_device_cuda.facts(s->gpus.index[i], &s->cuda, why, sizeof why);
        if (s->where == GF_CUDA && !s->cuda.present)
            return gf_fail(err, GF_FAILED, "--device cuda: %s; --device cpu works everywhere", why);
    }
    if (s->files > 1)                            /* it is started once for all of them */
        s->cuda.start_seconds /= s->files;
    if (s->workers > 1)
        s->cuda.memory_bytes = s->cuda.memory_bytes * s->gpus.count / s->workers;
    return 0;
}

int gf_setting_find_devices(struct gf_setting *s, struct gf_error *err)
{
    gf_device_cpu.facts(0, &s->cpu, NULL, 0);
    s->all_gpus = s->gpus.count == 0;
    return s->where == GF_CUDA ? ask_for_gpus(s, err) : 0;
}

/* What the GPU is, if there is enough to do to ask for it; several workers may want to know at once. */
static struct gf_device_facts gpu_worth(struct gf_setting *s, double cpu_seconds, const char **why_not)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct gf_device_facts facts;
    struct gf_error none;

    pthread_mutex_lock(&lock);
    if (!s->gpu_asked && cpu_seconds * (s->files > 1 ? s->files : 1) > WORTH_ASKING && ask_for_gpus(s, &none) != 0)
        s->cuda.present = false;
    facts = s->cuda;
    *why_not = s->gpu_asked ? "no GPU answers" : "it is done before a GPU would be ready";
    pthread_mutex_unlock(&lock);
    return facts;
}

/* --device auto: the CPU's estimate first, for a small job is done before a GPU has been found. */
static int plan_for_auto(struct gf_worker *w, const struct gf_format *out, struct gf_error *err)
{
    struct gf_setting *s = w->setting;
    struct gf_device_facts cuda = { .present = false };
    struct gf_error refused = { 0 };
    const int result = gf_plan_make(&w->plan, &w->chain, out, &w->limits, GF_CPU, &s->cpu, &cuda, &refused);

    cuda = gpu_worth(s, result == 0 ? w->plan.cpu_seconds : 1e9, &w->plan.why);
    if (cuda.present)
        return gf_plan_make(&w->plan, &w->chain, out, &w->limits, GF_AUTO, &s->cpu, &cuda, err);
    if (result != 0)
        *err = refused;
    return result;
}

int64_t gf_host_ceiling(const struct gf_setting *s)
{
    return s->limits.memory_bytes > 0 ? s->limits.memory_bytes : s->cpu.memory_bytes / 4 * 3;
}

bool gf_same_format(const struct gf_format *a, const struct gf_format *b)
{
    return a->kind == b->kind && a->type == b->type && a->bits == b->bits && a->maxval == b->maxval
        && a->channels == b->channels && a->alpha == b->alpha && a->width == b->width && a->units == b->units && a->rate == b->rate
        && a->orientation == b->orientation && memcmp(&a->yuv, &b->yuv, sizeof a->yuv) == 0;
}

struct gf_seat gf_worker_seat(const struct gf_worker *w)
{
    return (struct gf_seat) { .report = w->setting->report, .lane = w->engine.first_lane };
}

struct gf_worker *gf_worker_new(struct gf_setting *setting, const struct gf_limits *limits, int number,
                                struct gf_error *err)
{
    struct gf_worker *w = calloc(1, sizeof *w);

    if (w == NULL) {
        gf_fail(err, GF_FAILED, "not enough memory");
        return NULL;
    }
    w->setting = setting;
    w->limits = *limits;
    w->engine.report = setting->report;
    w->engine.progress = setting->progress;
    if (setting->report != NULL)
        gf_report_lanes(setting->report, &w->engine.first_lane, &w->engine.lane_count, 1);
    w->gpus = setting->gpus;
    if (number >= 0 && w->gpus.count > 0)
        w->gpus = (struct gf_device_list) { { setting->gpus.index[number % setting->gpus.count] }, 1 };
    if (gf_chain_parse(&w->chain, setting->words, setting->word_count, err) != 0) {
        gf_worker_free(w);
        return NULL;
    }
    return w;
}

static void forget_plan(struct gf_worker *w)
{
    if (w->have_plan)
        gf_engine_reset(&w->engine, &w->plan);
    w->have_plan = false;
}

void gf_worker_free(struct gf_worker *w)
{
    if (w == NULL)
        return;
    forget_plan(w);
    gf_engine_close(&w->engine);
    gf_chain_release(&w->chain);
    free(w);
}

int gf_worker_bind(struct gf_worker *w, const struct gf_format *in, const char *name, struct gf_error *err)
{
    if (w->have_chain && gf_same_format(in, &w->bound))
        return 0;
    forget_plan(w);
    w->have_chain = false;
    if (gf_chain_bind(&w->chain, in, name, err) != 0)
        return -1;
    w->bound = *in;
    w->have_chain = true;
    return 0;
}

static int check_size(const struct gf_format *f, const char *name, struct gf_error *err)
{
    if (f->width > 0 && f->units > INT64_C(0x3fffffffffffffff) / f->width / f->channels / 8)
        return gf_fail(err, GF_FAILED, "%s: the result would be too large", name);
    return 0;
}

int gf_worker_plan(struct gf_worker *w, const struct gf_reader *reader, struct gf_writer *writer, struct gf_error *err)
{
    const struct gf_setting *s = w->setting;
    const char *name = reader->name;
    struct gf_format out = w->chain.out;

    if (check_size(&out, name, err) != 0 || (writer != NULL && gf_writer_fit(writer, &out, err) != 0))
        return -1;
    if (w->have_plan && gf_same_format(&out, &w->stored) && w->limits.again == reader->random)
        return 0;
    forget_plan(w);
    w->limits.again = reader->random;
    w->limits.devices = w->gpus.count;
    if (s->where == GF_AUTO ? plan_for_auto(w, writer ? &out : NULL, err) != 0
                            : gf_plan_make(&w->plan, &w->chain, writer ? &out : NULL, &w->limits, s->where, &s->cpu, &s->cuda, err) != 0)
        return -1;
    w->stored = out;
    w->have_plan = true;
    return 0;
}

static int open_engine(struct gf_worker *w, struct gf_error *err)
{
    const struct gf_device_kind *kind = w->plan.cuda ? &gf_device_cuda : &gf_device_cpu;

    if (w->engine.count > 0 && w->engine.device[0].kind == kind)
        return 0;
    gf_engine_close(&w->engine);
    return gf_engine_open(&w->engine, kind, &w->gpus, err);
}

int gf_worker_run(struct gf_worker *w, struct gf_reader *reader, struct gf_writer *writer, struct gf_table *table,
                  struct gf_error *err)
{
    return open_engine(w, err) != 0 ? -1 : gf_execute(&w->engine, &w->plan, &w->chain, reader, writer, table, err);
}
