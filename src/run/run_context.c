/* What there is to run on. Asking the driver takes a while: --device auto does so only where its answer may matter. */
#include "run/run_context.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "device/device.h"
#include "device/speed.h"
#include "device/rates.h"

#define WORTH_ASKING 0.1                 /* seconds: asking the driver for its GPUs takes about as long */

static pthread_mutex_t looking = PTHREAD_MUTEX_INITIALIZER;     /* what is found while others may read it */

/* The start and the memory of a GPU are shared. */
static void share(const struct gf_run_context *s, struct gf_device_facts *cuda)
{
    if (s->files > 1)                            /* it is started once for all of them */
        cuda->start_seconds /= s->files;
    if (s->workers > 1)
        cuda->memory_bytes = cuda->memory_bytes * s->gpus.count / s->workers;
}

/* Asks the driver. The first GPU of the list is what plans are made for. */
static int ask_for_gpus(struct gf_run_context *s, struct gf_error *err)
{
    const double start = gf_clock_seconds();
    struct gf_device_facts facts;
    char why[300];

    s->gpu_asked = true;
    for (int i = 0; s->where == GF_CUDA && i < s->gpus.count; i++)
        gf_device_cuda.begin(s->gpus.index[i]);
    while (s->gpus.count < GF_MOST_DEVICES && s->all_gpus
           && (gf_device_cuda.facts(s->gpus.count, &facts, NULL, 0), facts.present)) {
        s->gpus.index[s->gpus.count] = s->gpus.count;
        s->gpus.count++;
    }
    s->gpus.count = s->gpus.count ? s->gpus.count : 1;
    for (int i = s->gpus.count - 1; i >= 0; i--) {
        gf_device_cuda.facts(s->gpus.index[i], &s->cuda, why, sizeof why);
        s->ask_seconds = gf_clock_seconds() - start;
        gf_rates_keep_gpu(s->gpus.index[i], why, &s->cuda);
        if (s->where == GF_CUDA && !s->cuda.present)
            return gf_fail(err, GF_FAILED, "--device cuda: %s; --device cpu works everywhere", why);
    }
    share(s, &s->cuda);
    return 0;
}

/* Where -j says so, not all cores take part. */
static void use_threads(const struct gf_run_context *s, struct gf_device_facts *cpu)
{
    const double share = s->limits.threads > 0 && s->limits.threads < cpu->cores ? (double)s->limits.threads / cpu->cores : 1;

    cpu->work_bytes_per_second *= share;
    cpu->conv_bytes_per_second *= share;
}

int gf_run_context_find_devices(struct gf_run_context *s, struct gf_error *err)
{
    gf_device_cpu.facts(0, &s->cpu, NULL, 0);
    use_threads(s, &s->cpu);
    s->rated_cpu = s->cpu;
    s->all_gpus = s->gpus.count == 0;
    return s->where == GF_CUDA ? ask_for_gpus(s, err) : 0;
}

/* Measures the CPU, unless that was done lately. */
static void rate_cpu(struct gf_run_context *s)
{
    struct gf_rates r;

    gf_rates_find("cpu", &r);
    if (!r.known) {
        gf_device_speed_measure_cpu(s->cpu.cores, &r);
        if (r.known)
            gf_rates_keep("cpu", &r);
    }
    if (!r.known)
        return;
    gf_rates_apply(&r, &s->rated_cpu);
    use_threads(s, &s->rated_cpu);
}

void gf_run_context_see_devices(struct gf_run_context *s, double cpu_seconds, bool ask, struct gf_devices_seen *seen)
{
    const bool worth = gf_device_cuda.missing == NULL && cpu_seconds * (s->files > 1 ? s->files : 1) > WORTH_ASKING;
    struct gf_error none;

    pthread_mutex_lock(&looking);
    if (worth && !s->gpu_looked && !s->gpu_asked) {
        s->gpu_looked = true;
        s->gpu_kept = gf_rates_find_gpu(s->gpus.index[0], &s->cuda);
        share(s, &s->cuda);
    }
    if (worth && !s->gpu_asked && (ask || !s->gpu_kept) && ask_for_gpus(s, &none) != 0)
        s->cuda.present = false;
    if (worth && s->cuda.present && !s->rated_cpu.measured)
        rate_cpu(s);
    *seen = (struct gf_devices_seen) { .cpu = s->rated_cpu, .cuda = s->cuda, .asked = s->gpu_asked,
                                       .why_not = gf_device_cuda.missing != NULL ? gf_device_cuda.missing
                                                : s->gpu_asked ? "no GPU answers"
                                                : s->gpu_looked ? "no GPU answered when it was asked lately; --devices asks again"
                                                                : "it is done before a GPU would be ready" };
    pthread_mutex_unlock(&looking);
}

int64_t gf_run_context_host_bytes(const struct gf_run_context *s, const struct gf_limits *limits)
{
    return limits->memory_bytes > 0 ? limits->memory_bytes : s->cpu.memory_bytes / 4 * 3;
}

void gf_run_context_copy(const struct gf_run_context *s, struct gf_run_context *copy)
{
    pthread_mutex_lock(&looking);
    *copy = *s;
    pthread_mutex_unlock(&looking);
}

void gf_run_context_rate_gpu(const struct gf_run_context *s, struct gf_device *d)
{
    struct gf_device_facts facts;
    struct gf_rates r;
    char device[16], name[300];

    if (d->kind != &gf_device_cuda || s->workers > 1 || s->cuda.measured)    /* of many workers none writes it down */
        return;
    gf_device_speed_measure_device(d, &r);
    if (!r.known)
        return;
    r.start_seconds = d->kind->took(d->index) + (s->where == GF_CUDA ? 0 : s->ask_seconds);    /* else it began before it was asked */
    gf_device_cuda.facts(d->index, &facts, name, sizeof name);
    snprintf(device, sizeof device, "cuda:%d", d->index);
    snprintf(r.name, sizeof r.name, "%.*s", (int)sizeof r.name - 1, name);
    gf_rates_keep(device, &r);
}
