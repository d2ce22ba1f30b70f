/* Measures the ceilings of a device, and the operations below them. */
#include "bench/bench_case.h"
#include "bench/bench_cpu.h"
#include "bench/bench_gpu.h"
#include "bench/bench_results.h"
#include "bench/roofline/cpu_arithmetic.h"
#include "bench/roofline/gpu_arithmetic.h"
#include "bench/roofline/roofline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES_ON_GPU (INT64_C(64) << 20)
#define SAMPLES_ON_CPU (INT64_C(16) << 20)
#define SAMPLE_BYTES 12                  /* source, result, and what operations need besides */

/* An open device, and memory for the results of one case. */
struct roofline_run {
    struct gf_device *device;
    bool cuda;
    int threads;
    struct gf_bench_results *results;
};

static int add_point(struct roofline_run *run, const struct gf_bench_pick *pick, double seconds,
                     struct gf_roofline *r, struct gf_error *err)
{
    struct gf_roofline_point *p = &r->point[r->points];
    struct gf_bench_call m;
    int64_t width, rows;

    gf_bench_square(r->samples, &width, &rows);
    if (gf_bench_call_make(pick, width, rows, run->cuda ? &pick->group->op->cuda : &pick->group->op->cpu, &m, err) != 0)
        return -1;
    snprintf(p->name, sizeof p->name, "%s: %s", pick->group->name, pick->one->name);
    p->flop = pick->one->flop(&m);
    p->samples = (double)(m.src_units * m.src.width * m.src.channels);
    p->bytes = m.moved;
    p->seconds = seconds;
    r->points++;
    gf_bench_call_release(&m);
    return 0;
}

/* Measures a case with planes, or with audio of floats, and a copy of the same size. */
static int measure_case(struct roofline_run *run, const struct gf_bench_group *group, const struct gf_bench_case *one,
                        struct gf_roofline *r, struct gf_error *err)
{
    const struct gf_bench_pick pick = { group, one, gf_bench_form_at(group->sound ? "f32" : "plane") };
    struct gf_bench_results *found = run->results;
    const bool progress = found->progress;
    int copy, own, result;

    memset(found, 0, sizeof *found);
    found->progress = progress;
    found->size[found->sizes++] = r->samples;
    copy = gf_bench_results_add(found, "copy");
    own = gf_bench_results_add(found, one->name);
    result = run->cuda ? gf_bench_gpu_measure(run->device, found, &pick, copy, own, err)
                       : gf_bench_cpu_measure(found, &pick, run->threads, copy, own, err);
    if (result != 0)
        return -1;
    r->bytes_per_second = fmax(r->bytes_per_second, found->value[copy][0][GF_BENCH_RATE] * 1e9);
    return add_point(run, &pick, found->value[own][0][GF_BENCH_US] * 1e-6, r, err);
}

static int measure_arithmetic(struct roofline_run *run, struct gf_roofline *r, struct gf_error *err)
{
    if (run->cuda)
        return gf_gpu_arithmetic_rate(run->device, &r->flop_per_second, err);
    r->flop_per_second = gf_cpu_arithmetic_rate(run->threads);
    return r->flop_per_second > 0 ? 0 : gf_fail_memory(err, NULL);
}

int64_t gf_roofline_samples(bool cuda, int64_t most, int64_t bytes)
{
    int64_t samples = cuda ? SAMPLES_ON_GPU : SAMPLES_ON_CPU;

    while (samples > GF_BENCH_LEAST && ((most > 0 && samples > most) || samples * SAMPLE_BYTES > bytes))
        samples /= 4;
    return samples;
}

int gf_roofline_measure(struct gf_device *d, int threads, int64_t samples, bool progress, struct gf_roofline *r,
                        struct gf_error *err)
{
    struct roofline_run run = { .device = d, .cuda = d->kind == &gf_device_cuda, .threads = threads };
    int result = -1;

    r->samples = samples;
    r->points = 0;
    run.results = calloc(1, sizeof *run.results);
    if (run.results == NULL)
        return gf_fail_memory(err, NULL);
    run.results->progress = progress;
    result = measure_arithmetic(&run, r, err);
    for (int i = 0; i < gf_bench_group_count; i++)
        for (const struct gf_bench_case *one = gf_bench_groups[i]->cases; one != NULL && one->name != NULL; one++)
            if (result == 0 && one->flop != NULL && r->points < GF_ROOFLINE_POINTS)
                result = measure_case(&run, gf_bench_groups[i], one, r, err);
    free(run.results);
    return result;
}
