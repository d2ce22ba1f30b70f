/* The CPU as a device: its memory and its table of functions. */
#define _GNU_SOURCE
#include "device/cpu/device_cpu.h"

#include "base/cgroup.h"
#include "base/pages.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rates of a core while all cores work, on strips in its second-level cache. gpufilter-bench --rates measures them. */
struct core_rates {
    double work_bytes_per_second, conv_bytes_per_second;
};

/* Returns the rates of a typical core with the vectors that the clones of hot loops use. */
static struct core_rates rates_here(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        return (struct core_rates) { 14e9, 60e9 };           /* Xeons and EPYCs since about 2022 */
    if (__builtin_cpu_supports("avx2"))
        return (struct core_rates) { 10e9, 32e9 };
    return (struct core_rates) { 6e9, 10e9 };
#else
    return (struct core_rates) { 8e9, 20e9 };
#endif
}

/* Returns the machine's memory, or the limit of the container. */
static int64_t memory_here(void)
{
    const int64_t all = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    const int64_t group = gf_cgroup_memory("/proc/self/cgroup", "/sys/fs/cgroup");

    return group > 0 && group < all ? group : all;
}

static void cpu_facts(int index, struct gf_device_facts *facts, char *why, size_t why_bytes)
{
    const struct core_rates rates = rates_here();
    cpu_set_t set;

    (void)index;
    if (why != NULL && why_bytes > 0)
        why[0] = '\0';
    memset(facts, 0, sizeof *facts);
    facts->present = true;
    facts->cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    facts->memory_bytes = memory_here();
    facts->work_bytes_per_second = rates.work_bytes_per_second * facts->cores;
    facts->conv_bytes_per_second = rates.conv_bytes_per_second * facts->cores;
}

static int cpu_open(struct gf_device *d, int index, struct gf_error *err)
{
    struct gf_cpu_state *s = calloc(1, sizeof *s);

    (void)index;
    d->state = s;
    if (s == NULL)
        return gf_fail_memory(err, NULL);
    d->kept = &s->kept;
    return 0;
}

static void cpu_close(struct gf_device *d)
{
    free(d->state);
    d->state = NULL;
}

static int cpu_alloc(struct gf_device *d, size_t bytes, void **memory, struct gf_error *err)
{
    (void)d;
    return gf_pages_alloc(bytes, memory, err);
}

static void cpu_release(struct gf_device *d, void *memory)
{
    (void)d;
    free(memory);
}

static int cpu_room_open(struct gf_device *d, struct gf_room *room, size_t bytes, struct gf_error *err)
{
    *room = (struct gf_room) { .bytes = bytes, .pinned = true };
    return cpu_alloc(d, bytes, &room->data, err);
}

static int cpu_room_pin(struct gf_device *d, struct gf_room *room, struct gf_error *err)
{
    (void)d;
    (void)room;
    (void)err;
    return 0;
}

static void cpu_room_close(struct gf_device *d, struct gf_room *room)
{
    cpu_release(d, room->data);
    *room = (struct gf_room) { 0 };
}

static int cpu_copy(struct gf_device *d, void *to, const void *from, size_t bytes, struct gf_error *err)
{
    (void)d;
    (void)err;
    memcpy(to, from, bytes);
    return 0;
}

static int cpu_set_pools(struct gf_device *d, const struct gf_pools *pools, struct gf_error *err)
{
    struct gf_cpu_state *s = d->state;

    (void)err;
    s->pools = *pools;
    s->pools_number++;
    return 0;
}

static struct gf_work cpu_work(struct gf_device *d)
{
    const struct gf_cpu_state *s = d->state;

    return (struct gf_work) { .masks = s->pools.masks, .tables = s->pools.tables };
}

static int cpu_wait(struct gf_device *d, struct gf_error *err)
{
    (void)d;
    (void)err;
    return 0;
}

const struct gf_device_kind gf_device_cpu = {
    .name = "cpu",
    .in_host_memory = true,
    .facts = cpu_facts,
    .open = cpu_open,
    .close = cpu_close,
    .alloc = cpu_alloc,
    .release = cpu_release,
    .room_open = cpu_room_open,
    .room_pin = cpu_room_pin,
    .room_close = cpu_room_close,
    .upload = cpu_copy,
    .download = cpu_copy,
    .set_pools = cpu_set_pools,
    .work = cpu_work,
    .wait = cpu_wait,
    .lane_open = gf_cpu_lane_open,
    .lane_close = gf_cpu_lane_close,
    .lane_run = gf_cpu_lane_run,
    .lane_result = gf_cpu_lane_result,
    .lane_sums = gf_cpu_lane_sums,
};
