/*
 * Finds the devices of a run. Asking the driver is slow: --device auto does so only if the answer
 * may matter.
 */
#include "run/run_context.h"

#include "base/clock.h"
#include "base/memory_share.h"
#include "device/used.h"
#include "device/rates.h"
#include "report/report.h"

#include <pthread.h>

#define MOST_WAITING (INT64_C(32) << 20) /* bytes of audio that waits in memory */
#define WORTH_ASKING 0.2                 /* seconds of CPU work; no GPU is ready sooner, and asking for one takes 0.1 */

#define READY_SECONDS 0.004              /* for lanes of a GPU that has started in a process that stays */

/* held while facts are updated that other workers read */
static pthread_mutex_t looking = PTHREAD_MUTEX_INITIALIZER;

/* Divides the start and the memory of a GPU among the workers, which may all choose the same one. */
static void share(const struct gf_run_context *c, struct gf_device_facts *cuda)
{
    if (c->files > 1)                            /* it starts once for all files */
        cuda->start_seconds /= c->files;
    if (c->workers > 1)
        cuda->memory_bytes = gf_memory_for_worker(cuda->memory_bytes, 1, c->workers);
}

/* Returns true if a GPU has started in a process that stays. */
static bool is_ready(int index)
{
    const struct gf_device_kind *kind = gf_device_for(true);

    return kind->ready != NULL && kind->ready(index);
}

/* Asks the driver. Plans are made for the first GPU of the list. */
static int ask_for_gpus(struct gf_run_context *c, struct gf_error *err)
{
    const struct gf_device_kind *kind = gf_device_for(true);
    const char *const option = c->device_option != NULL ? c->device_option : "--device";
    struct gf_device_facts facts;
    char why[300];

    c->gpu_asked = true;
    while (c->gpus.count < GF_MOST_DEVICES && c->all_gpus
           && (kind->facts(c->gpus.count, &facts, NULL, 0), facts.present)) {
        c->gpus.index[c->gpus.count] = c->gpus.count;
        c->gpus.count++;
    }
    c->gpus.count = c->gpus.count ? c->gpus.count : 1;
    for (int i = c->gpus.count - 1; i >= 0; i--) {
        kind->facts(c->gpus.index[i], &c->cuda, why, sizeof why);
        if (!gf_device_is_lost())                /* that says nothing about the GPU */
            gf_rates_keep_gpu(c->gpus.index[i], why, &c->cuda);
        if (is_ready(c->gpus.index[i]))
            c->cuda.start_seconds = READY_SECONDS;
        if (c->where == GF_CUDA && !c->cuda.present)
            return gf_fail(err, GF_FAILED, "%s %s: %s; %s cpu works everywhere", option, c->device, why, option);
    }
    share(c, &c->cuda);
    return 0;
}

/* With -j, fewer cores take part. */
static void use_threads(const struct gf_run_context *c, struct gf_device_facts *cpu)
{
    const double share = (double)c->limits.threads / cpu->cores;

    if (c->limits.threads == 0 || c->limits.threads >= cpu->cores)
        return;
    cpu->work_bytes_per_second *= share;
    cpu->conv_bytes_per_second *= share;
    cpu->cores = c->limits.threads;
}

/* Applies measured rates of the CPU, if there are any. */
static void rate_cpu(struct gf_run_context *c)
{
    struct gf_rates r;

    gf_rates_find("cpu", &r);
    if (!r.known)
        return;
    gf_rates_apply(&r, &c->rated_cpu);
    c->rated_cpu.cores = c->all_cores;
    use_threads(c, &c->rated_cpu);
}

int gf_run_context_find_devices(struct gf_run_context *c, int inputs, struct gf_error *err)
{
    gf_device_cpu.facts(0, &c->cpu, NULL, 0);
    c->all_cores = c->cpu.cores;
    use_threads(c, &c->cpu);
    c->rated_cpu = c->cpu;
    if (c->estimates)
        rate_cpu(c);
    c->all_gpus = c->gpus.count == 0;
    if (c->where != GF_CUDA)
        return 0;
    if (c->gpus.count > 0)
        gf_device_for(true)->begin(c->gpus.index[0]);
    return inputs == 1 && c->gpus.count == 1 ? 0 : gf_run_context_need_gpus(c, err);
}

int gf_run_context_need_gpus(struct gf_run_context *c, struct gf_error *err)
{
    struct gf_interval i = { .activity = GF_STARTING, .step = -1, .start = gf_clock_seconds() };
    int result = 0;

    pthread_mutex_lock(&looking);
    if (!c->gpu_asked || !c->cuda.present) {         /* an earlier failure is found again */
        result = ask_for_gpus(c, err);
        i.end = gf_clock_seconds();
        if (c->report != NULL)
            gf_report_record(c->report, &i);
    }
    pthread_mutex_unlock(&looking);
    return result;
}

void gf_run_context_see_devices(struct gf_run_context *c, double cpu_seconds, bool ask, struct gf_devices_seen *seen)
{
    const bool ready = is_ready(c->gpus.index[0]);
    const bool worth = gf_device_cuda.missing == NULL
                       && (ready || cpu_seconds * (c->files > 1 ? c->files : 1) > WORTH_ASKING);
    struct gf_error none;

    pthread_mutex_lock(&looking);
    if (worth && !ready && !c->gpu_looked && !c->gpu_asked) {
        c->gpu_looked = true;
        c->gpu_kept = gf_rates_find_gpu(c->gpus.index[0], &c->cuda);
        share(c, &c->cuda);
        rate_cpu(c);
    }
    if (worth && !c->gpu_asked && (ask || ready || !c->gpu_kept) && ask_for_gpus(c, &none) != 0)
        c->cuda.present = false;
    *seen = (struct gf_devices_seen) { .cpu = c->rated_cpu, .cuda = c->cuda, .asked = c->gpu_asked,
                                       .why_not = gf_device_cuda.missing != NULL ? gf_device_cuda.missing
                                                : c->gpu_asked ? "no GPU found"
                                                : c->gpu_looked ? "no GPU found (checked recently; --devices checks "
                                                                  "again)"
                                                                : "CPU: finishes before any GPU could start" };
    pthread_mutex_unlock(&looking);
}

int64_t gf_run_context_host_bytes(const struct gf_run_context *c, const struct gf_limits *limits)
{
    return limits->memory_bytes > 0 ? limits->memory_bytes : gf_memory_share(GF_MEMORY_HOST, c->cpu.memory_bytes);
}

size_t gf_run_context_waiting_bytes(const struct gf_run_context *c, const struct gf_limits *limits)
{
    const int64_t share = gf_memory_share(GF_MEMORY_JOINED, gf_run_context_host_bytes(c, limits));

    return (size_t)(share < MOST_WAITING ? share : MOST_WAITING);
}

void gf_run_context_copy(const struct gf_run_context *c, struct gf_run_context *copy)
{
    pthread_mutex_lock(&looking);
    *copy = *c;
    pthread_mutex_unlock(&looking);
}
