/*
 * --kernels: the resources of a multiprocessor that the kernels of every operation use, and what
 * limits their occupancy.
 */
#include "bench/occupancy.h"

#include "bench/bench_call.h"
#include "bench/bench_gpu.h"
#include "bench/bench_kernel_facts.h"

#include "bench/roofline/roofline_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 1024                        /* of the calls whose kernels are listed */
#define MOST 64                          /* kernels of an operation, at most */

/* Common forms, in addition to those of a case. */
static const char *const image_forms[] = { "u8", "u8 rgb", "plane", NULL },
    *const sound_forms[] = { "f32", "s16", NULL };

/* The kernels of an operation, once for each block size. */
struct kernel_list {
    struct gf_kernel_fact facts[2 * MOST];
    int count;
};

static bool is_new(const struct kernel_list *f, const struct gf_kernel_fact *more)
{
    for (int k = 0; k < f->count; k++)
        if (strcmp(f->facts[k].name, more->name) == 0 && f->facts[k].threads == more->threads
            && f->facts[k].dynamic_bytes == more->dynamic_bytes)
            return false;
    return true;
}

static void print_fact(const char *operation, const struct gf_kernel_fact *f, const struct gf_multiprocessor *m)
{
    const struct gf_kernel_room room = gf_bench_kernel_facts_room(f, m);
    char limit[80], sizes[60];

    gf_bench_kernel_facts_limit(&room, limit, sizeof limit);
    gf_bench_kernel_facts_sizes(f, m, sizes, sizeof sizes);
    printf("  %-10s %-34s %7d %9d %6zu %7zu %7d %6d %8.0f %% %s  %s\n", operation, f->name, f->threads, f->registers,
           f->local_bytes, f->shared_bytes + f->dynamic_bytes, f->most_threads, f->fit,
           gf_bench_kernel_facts_occupancy(m, f->fit, f->threads), sizes, limit);
}

/*
 * Adds the kernels of a call. It makes the call once first, because the work of a first launch
 * cannot be captured.
 */
static int find_kernels(struct gf_device *d, const struct gf_bench_pick *pick, struct kernel_list *f,
                        struct gf_error *err)
{
    struct gf_bench_gpu_memory memory = { .src = NULL };
    struct gf_bench_gpu_call ready;
    struct gf_bench_call m;
    int more = -1;

    if (gf_bench_call_make(pick, SIDE, SIDE, &pick->group->op->cuda, &m, err) != 0)
        return -1;
    if (gf_bench_gpu_memory_open(d, &m, 0, &memory, err) == 0 && gf_bench_gpu_bind(d, &m, &memory, &ready, err) == 0
        && gf_bench_gpu_run(&ready, err) == 0 && d->kind->wait(d, err) == 0)
        more = gf_bench_profile_kernels(d, gf_bench_gpu_run, &ready, f->facts + f->count, MOST, err);
    gf_bench_gpu_memory_close(d, &memory);
    gf_bench_call_release(&m);
    for (int i = f->count, end = i + more; i < end && f->count < MOST; i++)
        if (is_new(f, &f->facts[i]))
            f->facts[f->count++] = f->facts[i];
    return more < 0 ? -1 : 0;
}

/* Prints the kernels of all cases of a group, in their own and in common forms. */
static void print_group(struct gf_device *d, const struct gf_bench_group *group, struct kernel_list *f,
                        const struct gf_multiprocessor *m)
{
    const char *const *common = group->sound ? sound_forms : image_forms;
    struct gf_error err = { 0 };
    int failed = 0;

    f->count = 0;
    for (const struct gf_bench_case *one = group->cases; one->name != NULL; one++) {
        struct gf_bench_pick pick = { group, one, NULL };

        for (const char *at = one->forms; at != NULL; at = gf_bench_form_next(at)) {
            pick.form = gf_bench_form_at(at);
            failed += find_kernels(d, &pick, f, &err) != 0;
        }
        for (int i = 0; common[i] != NULL && !one->one_form; i++) {
            pick.form = gf_bench_form_at(common[i]);
            failed += find_kernels(d, &pick, f, &err) != 0;
        }
    }
    for (int i = 0; i < f->count; i++)
        print_fact(group->name, &f->facts[i], m);
    if (failed > 0)
        printf("  %-10s unknown: %s\n", group->name, err.text);
    else if (f->count == 0)
        printf("  %-10s no kernels of its own\n", group->name);
}

static void print_header(const struct gf_multiprocessor *m)
{
    char sizes[60] = "";

    for (int i = 0; i < GF_BLOCK_SIZES; i++)
        snprintf(sizes + strlen(sizes), sizeof sizes - strlen(sizes), "%5d", gf_block_sizes[i]);
    printf("  a multiprocessor runs %d threads in %d blocks, with %d registers and %zu bytes of shared memory\n"
           "  64 to 1024: occupancy in %% with blocks of so many threads and the same shared memory, - if the kernel "
           "cannot have them; best: the block size with the highest occupancy\n",
           m->threads, m->blocks, m->registers, m->shared_bytes);
    printf("  %-10s %-34s %7s %9s %6s %7s %7s %6s %10s %s%6s  %s\n", "operation", "kernel", "threads", "registers",
           "local", "shared", "largest", "blocks", "occupancy", sizes, "best", "limited by");
}

int gf_occupancy_print(struct gf_roofline_report *report, int index, const char *name, struct gf_error *err)
{
    struct gf_device d = { .kind = &gf_device_cuda };
    struct kernel_list *kernel_list = calloc(1, sizeof *kernel_list);
    struct gf_multiprocessor m = { 0 };
    int result = -1;

    if (kernel_list == NULL)
        return gf_fail_memory(err, NULL);
    if (d.kind->open(&d, index, err) == 0 && d.kind->wait(&d, err) == 0
        && gf_bench_profile_multiprocessor(&d, &m, err) == 0
        && gf_roofline_report_device(report, &d, 0, name, err) == 0) {
        print_header(&m);
        for (int i = 0; i < gf_bench_group_count; i++)
            if (gf_bench_groups[i]->cases != NULL)
                print_group(&d, gf_bench_groups[i], kernel_list, &m);
        result = 0;
    }
    d.kind->close(&d);
    d.kind->settle();
    free(kernel_list);
    return result;
}
