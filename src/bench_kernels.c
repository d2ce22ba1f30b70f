/* --devices -v: what the kernels of every operation take of a multiprocessor, and what keeps more of them away. */
#include "bench.h"

#include <stdio.h>
#include <string.h>

#include "kernel_name.h"

#define SIDE 1024                        /* of what each operation is called for */
#define MOST 32                          /* kernels of a call */

/* The same kernel with the same block is told once for each operation. */
static bool is_new(const struct gf_kernel_fact *facts, int i)
{
    for (int k = 0; k < i; k++)
        if (strcmp(facts[k].name, facts[i].name) == 0 && facts[k].threads == facts[i].threads
            && facts[k].dynamic_bytes == facts[i].dynamic_bytes)
            return false;
    return true;
}

static void print_fact(const char *operation, const struct gf_kernel_fact *f, const struct gf_multiprocessor *m)
{
    const struct gf_kernel_room room = gf_kernel_room(f, m);
    const int warps = m->warp > 0 ? (f->threads + m->warp - 1) / m->warp : 0;
    char limit[80];

    gf_kernel_limit(&room, limit, sizeof limit);
    printf("  %-10s %-34s %7d %9d %6zu %7zu %7d %6d %8.0f %%  %s\n", operation, f->name, f->threads, f->registers, f->local_bytes,
           f->shared_bytes + f->dynamic_bytes, f->most_threads, f->fit,
           m->threads > 0 ? 100.0 * f->fit * warps * m->warp / m->threads : 0, limit);
}

/* Called once first: what a kernel needs at its first launch must not happen while it is only looked at. */
static int facts_of(struct gf_device *d, const struct gf_bench_case *c, struct gf_kernel_fact *facts, struct gf_error *err)
{
    struct gf_bench_memory memory;
    struct gf_bench_ready ready;
    struct gf_bench_made m;
    int found = -1;

    if (gf_bench_make(c, SIDE, SIDE, true, &m, err) != 0)
        return -1;
    if (gf_bench_memory_open(d, c, &m, 0, &memory, err) == 0 && gf_bench_bind(d, &m, &memory, &ready, err) == 0
        && gf_bench_call(&ready, err) == 0 && d->kind->wait(d, err) == 0)
        found = d->kind->kernels(d, gf_bench_call, &ready, facts, MOST, err);
    gf_bench_memory_close(d, &memory);
    gf_bench_drop(&m);
    return found;
}

static void print_case(struct gf_device *d, const struct gf_bench_case *c, const struct gf_multiprocessor *m)
{
    struct gf_kernel_fact facts[MOST];
    struct gf_error err = { 0 };
    const int found = facts_of(d, c, facts, &err);

    if (found < 0)
        printf("  %-10s not told: %s\n", c->name, err.text);
    if (found == 0)
        printf("  %-10s no kernels of its own\n", c->name);
    for (int i = 0; i < found; i++)
        if (is_new(facts, i))
            print_fact(c->name, &facts[i], m);
}

int gf_bench_kernels(int index, struct gf_error *err)
{
    struct gf_device d = { .kind = &gf_device_cuda };
    struct gf_multiprocessor m = { 0 };
    int result = -1;

    if (d.kind->open(&d, index, err) == 0 && d.kind->wait(&d, err) == 0 && d.kind->multiprocessor(&d, &m, err) == 0) {
        printf("  a multiprocessor holds %d threads in %d blocks, %d registers, %zu bytes of shared memory\n", m.threads, m.blocks,
               m.registers, m.shared_bytes);
        printf("  %-10s %-34s %7s %9s %6s %7s %7s %6s %10s  %s\n", "operation", "kernel", "threads", "registers", "local", "shared",
               "largest", "blocks", "occupancy", "limited by");
        for (int i = 0; i < 2; i++)
            for (const struct gf_bench_case *c = i == 0 ? gf_bench_pictures : gf_bench_sounds; c->name != NULL; c++)
                print_case(&d, c, &m);
        result = 0;
    }
    d.kind->close(&d);
    d.kind->settle();
    return result;
}
