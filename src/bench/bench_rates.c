/* --rates: measures devices, and keeps the rates in the file that gpufilter reads. */
#include "bench/bench_rates.h"

#include "base/clock.h"
#include "bench/bench_speed.h"
#include "device/rates.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define GIGA 1e9
/* A GPU that another process has just left starts faster than usual; lanes and first kernels need time, too. */
#define LEAST_START_SECONDS 0.25

static int keep(const char *device, const struct gf_rates *r, struct gf_error *err)
{
    char path[PATH_MAX + 32];

    if (gf_rates_keep(device, r))
        return 0;
    if (!gf_rates_file(path, sizeof path))
        return gf_fail(err, GF_FAILED, "rates cannot be stored; set HOME or XDG_CACHE_HOME");
    return gf_fail(err, GF_FAILED, "%s: cannot write the rates; check the permissions of the folder", path);
}

static int rate_cpu(struct gf_error *err)
{
    struct gf_device_facts facts;
    struct gf_rates r;

    gf_device_cpu.facts(0, &facts, NULL, 0);
    gf_bench_speed_cpu(facts.cores, &r);
    if (!r.known)
        return gf_fail_memory(err, NULL);
    if (keep("cpu", &r, err) != 0)
        return -1;
    printf("cpu     %d core%s: %.3g GB/s of light operations, %.3g GB/s of convolution\n", facts.cores,
           facts.cores == 1 ? "" : "s", r.work_bytes_per_second / GIGA, r.conv_bytes_per_second / GIGA);
    return 0;
}

/*
 * Measures a GPU. `asked` is the seconds that the driver took to answer, for which each run waits
 * too.
 */
static int rate_gpu(int index, const char *name, double asked, const struct gf_device_facts *facts,
                    struct gf_error *err)
{
    struct gf_device d = { .kind = &gf_device_cuda };
    struct gf_rates r = { .known = false };
    char device[16];
    int result = -1;

    snprintf(device, sizeof device, "cuda:%d", index);
    if (d.kind->open(&d, index, err) == 0 && d.kind->wait(&d, err) == 0) {
        gf_bench_speed_device(&d, &r);
        r.start_seconds = asked + d.kind->took(index);
        if (r.start_seconds < LEAST_START_SECONDS)
            r.start_seconds = LEAST_START_SECONDS;
        r.conv_bytes_per_second = facts->conv_bytes_per_second;      /* by the clock, not measured */
        snprintf(r.name, sizeof r.name, "%s", name);
        result = r.known ? keep(device, &r, err) : gf_fail(err, GF_FAILED, "%s: the measurement failed", device);
    }
    d.kind->close(&d);
    if (result == 0)
        printf("%-7s %.*s: ready after %.2f s, %.3g GB/s of copies, %.3g GB/s of light operations\n", device,
               (int)strcspn(name, ","), name, r.start_seconds, r.copy_bytes_per_second / GIGA,
               r.work_bytes_per_second / GIGA);
    return result;
}

/*
 * After the machine came up, the first start of a GPU reads the driver's libraries from the disk. A child does that, so
 * that it is not measured. The start that is measured may then be faster than usual, hence LEAST_START_SECONDS.
 * Errors come again in the parent.
 */
static void read_driver_files(int index)
{
    const pid_t child = fork();

    if (child == 0) {
        struct gf_device d = { .kind = &gf_device_cuda };
        struct gf_device_facts facts;
        struct gf_error err;
        char name[200];

        gf_device_cuda.facts(index, &facts, name, sizeof name);
        if (facts.present && d.kind->open(&d, index, &err) == 0)
            (void)d.kind->wait(&d, &err);
        _exit(0);
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* Measures the listed GPUs, or all. Without a list it is no error if there is none. */
static int rate_gpus(const struct gf_device_list *listed, bool needed, struct gf_error *err)
{
    double asked = 0;

    read_driver_files(listed->count > 0 ? listed->index[0] : 0);
    for (int i = 0; i < (listed->count > 0 ? listed->count : GF_MOST_DEVICES); i++) {
        const int index = listed->count > 0 ? listed->index[i] : i;
        const double start = gf_clock_seconds();
        struct gf_device_facts facts;
        char name[200] = "";

        gf_device_cuda.facts(index, &facts, name, sizeof name);
        if (i == 0)
            asked = gf_clock_seconds() - start;
        if (!facts.present && needed && (i == 0 || listed->count > 0))
            return gf_fail(err, GF_FAILED, "no GPU: %s", name);
        if (!facts.present && i == 0)
            printf("cuda    not used: %s\n", name);
        if (!facts.present)
            break;
        if (rate_gpu(index, name, asked, &facts, err) != 0)
            return -1;
    }
    gf_device_cuda.settle();
    return 0;
}

int gf_bench_rates_measure(enum gf_device_choice where, const struct gf_device_list *gpus, struct gf_error *err)
{
    const struct gf_device_list all = { .count = 0 };

    if (where != GF_CUDA && rate_cpu(err) != 0)
        return -1;
    return where == GF_CPU ? 0 : rate_gpus(where == GF_CUDA ? gpus : &all, where == GF_CUDA, err);
}
