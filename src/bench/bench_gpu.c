/* Times calls on a GPU by the GPU's clock. */
#include "bench/bench_gpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOISE_BYTES ((size_t)16 << 20)
#define ENOUGH_SECONDS 4e-4              /* of a run: the clock's resolution is half a microsecond */
#define LONG_SECONDS 0.05
#define RUNS 9
#define LONG_RUNS 3

int gf_bench_gpu_time(struct gf_device *d, gf_device_call *call, void *argument, double *seconds, struct gf_error *err)
{
    double took[RUNS], one;
    int times, runs;

    if (gf_bench_profile_time(d, 1, call, argument, &one, err) != 0
        || gf_bench_profile_time(d, 1, call, argument, &one, err) != 0)
        return -1;
    times = one > 0 && one < ENOUGH_SECONDS ? (int)fmin(ENOUGH_SECONDS / one, 200) + 1 : 1;
    runs = one > LONG_SECONDS ? LONG_RUNS : RUNS;
    for (int i = 0; i < runs; i++) {
        if (gf_bench_profile_time(d, times, call, argument, &took[i], err) != 0)
            return -1;
        took[i] /= times;
    }
    *seconds = gf_bench_results_median(took, runs);
    return 0;
}

/* ---- memory ---- */

static int fill(struct gf_device *d, enum gf_bench_fill fill, void *to, size_t bytes, struct gf_error *err)
{
    char *noise = malloc(NOISE_BYTES);
    int result = noise != NULL ? 0 : gf_fail_memory(err, NULL);

    if (noise != NULL)
        gf_bench_fill_noise(fill, noise, bytes < NOISE_BYTES ? bytes : NOISE_BYTES);
    for (size_t at = 0; result == 0 && at < bytes; at += NOISE_BYTES)
        result = d->kind->upload(d, (char *)to + at, noise, bytes - at < NOISE_BYTES ? bytes - at : NOISE_BYTES, err);
    free(noise);
    return result;
}

static int clear(struct gf_device *d, void *to, size_t bytes, struct gf_error *err)
{
    void *zeros = calloc(1, bytes + 1);
    const int result = zeros != NULL ? d->kind->upload(d, to, zeros, bytes, err) : gf_fail_memory(err, NULL);

    free(zeros);
    return result;
}

int gf_bench_gpu_memory_open(struct gf_device *d, const struct gf_bench_call *m, size_t dst_least,
                             struct gf_bench_gpu_memory *memory, struct gf_error *err)
{
    /* copies are written there too */
    const size_t most = m->src_bytes > m->dst_bytes ? m->src_bytes : m->dst_bytes;

    memset(memory, 0, sizeof *memory);
    return d->kind->alloc(d, m->src_bytes, &memory->src, err) != 0
        || d->kind->alloc(d, most > dst_least ? most : dst_least, &memory->dst, err) != 0
        || d->kind->alloc(d, m->carry_bytes, &memory->carry, err) != 0
        || fill(d, m->fill, memory->src, m->src_bytes, err) != 0 || clear(d, memory->carry, m->carry_bytes, err) != 0
            ? -1 : 0;
}

void gf_bench_gpu_memory_close(struct gf_device *d, struct gf_bench_gpu_memory *memory)
{
    d->kind->release(d, memory->src);
    d->kind->release(d, memory->dst);
    d->kind->release(d, memory->carry);
    memset(memory, 0, sizeof *memory);
}

int gf_bench_gpu_bind(struct gf_device *d, const struct gf_bench_call *m, const struct gf_bench_gpu_memory *memory,
                      struct gf_bench_gpu_call *ready, struct gf_error *err)
{
    const struct gf_pools pools = { m->masks, m->tables, m->mask_count, m->table_count };

    memset(ready, 0, sizeof *ready);
    if (d->kind->set_pools(d, &pools, err) != 0)
        return -1;
    ready->device = d;
    ready->made = m;
    ready->work = d->kind->work(d);
    ready->work.carry = memory->carry;
    ready->io = gf_bench_call_io(m, memory->src, memory->dst);
    return 0;
}

int gf_bench_gpu_run(void *argument, struct gf_error *err)
{
    const struct gf_bench_gpu_call *r = argument;

    return gf_device_body(r->device->kind, r->made->op)(&r->work, &r->io, r->made->params, err);
}

/* ---- cases ---- */

struct copy_argument {
    struct gf_device *device;
    struct gf_bench_gpu_memory memory;
    size_t bytes;
};

static int copy_call(void *argument, struct gf_error *err)
{
    const struct copy_argument *c = argument;

    return gf_bench_profile_copy(c->device, c->memory.dst, c->memory.src, c->bytes, err);
}

static int measure_size(struct gf_device *d, struct gf_bench_results *r, const struct gf_bench_pick *pick,
                        const struct gf_bench_gpu_memory *memory, int i, int copy, int own, struct gf_error *err)
{
    struct copy_argument copy_argument = { .device = d, .memory = *memory };
    struct gf_bench_gpu_call ready;
    struct gf_bench_call m;
    int64_t width, rows;
    double copied, took;
    int result = -1;

    gf_bench_square(r->size[i], &width, &rows);
    if (gf_bench_call_make(pick, width, rows, &pick->group->op->cuda, &m, err) != 0)
        return -1;
    copy_argument.bytes = m.src_bytes;
    if (gf_bench_gpu_bind(d, &m, memory, &ready, err) == 0
        && gf_bench_gpu_time(d, copy_call, &copy_argument, &copied, err) == 0
        && gf_bench_gpu_time(d, gf_bench_gpu_run, &ready, &took, err) == 0) {
        const double bytes = 2.0 * (double)m.src_bytes;

        if (copy >= 0)
            gf_bench_results_put(r, copy, i, copied, bytes, bytes / copied);
        gf_bench_results_put(r, own, i, took, m.moved, bytes / copied);
        result = 0;
    }
    gf_bench_call_release(&m);
    return result;
}

int gf_bench_gpu_measure(struct gf_device *d, struct gf_bench_results *r, const struct gf_bench_pick *pick, int copy,
                         int own, struct gf_error *err)
{
    struct gf_bench_gpu_memory memory;
    struct gf_bench_call m;
    int64_t width, rows;
    int result;

    gf_bench_square(r->size[r->sizes - 1], &width, &rows);
    if (gf_bench_call_make(pick, width, rows, &pick->group->op->cuda, &m, err) != 0)
        return -1;
    result = gf_bench_gpu_memory_open(d, &m, 0, &memory, err);
    for (int i = 0; result == 0 && i < r->sizes; i++) {
        gf_bench_results_announce(r, own, i);
        result = measure_size(d, r, pick, &memory, i, copy, own, err);
        if (result == 0 && gf_bench_results_is_slow(r, own, i))
            break;
    }
    gf_bench_gpu_memory_close(d, &memory);
    gf_bench_call_release(&m);
    return result;
}
