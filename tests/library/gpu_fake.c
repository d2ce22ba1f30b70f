/*
 * The GPU of tests on machines without one: gf_device_cuda of this file replaces that of the library. It runs the
 * bodies of the CPU on memory that has no access rights while no lane runs, so that the library can only hand it on.
 */
#define _GNU_SOURCE
#include "tests/library/gpu_fake.h"

#include "device/device.h"
#include "device/strided.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define GPUS 3
#define MOST 4096

/* ---- memory ---- */

static struct {
    void *memory;
    size_t bytes;
} blocks[MOST];
static int inside;                       /* lanes at work */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct fake_gpu seen;

static void allow(int rights)
{
    for (int i = 0; i < MOST; i++)
        if (blocks[i].memory != NULL && mprotect(blocks[i].memory, blocks[i].bytes, rights) != 0)
            abort();
}

static void enter(void)
{
    pthread_mutex_lock(&lock);
    if (inside++ == 0)
        allow(PROT_READ | PROT_WRITE);
    pthread_mutex_unlock(&lock);
}

static void leave(void)
{
    pthread_mutex_lock(&lock);
    if (--inside == 0)
        allow(PROT_NONE);
    pthread_mutex_unlock(&lock);
}

void *fake_gpu_new(size_t bytes)
{
    void *memory = mmap(NULL, bytes + 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int i = 0;

    pthread_mutex_lock(&lock);
    while (i < MOST && blocks[i].memory != NULL)
        i++;
    if (memory == MAP_FAILED || i == MOST)
        abort();
    blocks[i].memory = memory;
    blocks[i].bytes = bytes + 1;
    seen.allocated++;
    if (inside > 0)
        allow(PROT_READ | PROT_WRITE);
    pthread_mutex_unlock(&lock);
    return memory;
}

void fake_gpu_free(void *memory)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST; i++)
        if (memory != NULL && blocks[i].memory == memory) {
            munmap(memory, blocks[i].bytes);
            blocks[i].memory = NULL;
            seen.allocated--;
        }
    pthread_mutex_unlock(&lock);
}

void fake_gpu_copy(void *to, const void *from, size_t bytes)
{
    enter();
    memcpy(to, from, bytes);
    leave();
}

struct fake_gpu *fake_gpu_seen(void)
{
    return &seen;
}

/* ---- floats of 16 bits ---- */

float fake_gpu_from_half(uint16_t half)
{
    const int exponent = half >> 10 & 31;
    const float fraction = (float)(half & 1023), sign = half >> 15 ? -1.0f : 1.0f;

    if (exponent == 31)
        return fraction > 0 ? NAN : sign * INFINITY;
    return sign * (exponent == 0 ? ldexpf(fraction, -24) : ldexpf(fraction + 1024, exponent - 25));
}

/* Rounds to the nearest, ties to even, by looking at all of them. */
uint16_t fake_gpu_to_half(float value)
{
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    uint16_t low = 0, high = 0x7c00;

    value = fabsf(value);
    while (high - low > 1) {
        const uint16_t middle = (uint16_t)((low + high) / 2);

        *(fake_gpu_from_half(middle) <= value ? &low : &high) = middle;
    }
    if (value == fake_gpu_from_half(low))
        return sign | low;
    if (high == 0x7c00)
        return sign | (value < 65520 ? low : high);
    if (value - fake_gpu_from_half(low) != fake_gpu_from_half(high) - value)
        return sign | (value - fake_gpu_from_half(low) < fake_gpu_from_half(high) - value ? low : high);
    return sign | (low % 2 == 0 ? low : high);
}

/* ---- the device ---- */

static void facts(int index, struct gf_device_facts *f, char *why, size_t why_bytes)
{
    gf_device_cpu.facts(0, f, NULL, 0);
    f->present = index >= 0 && index < GPUS;
    if (why != NULL)
        snprintf(why, why_bytes, "there is no GPU %d", index);
}

static void begin(int index)
{
    (void)index;
}

static void settle(void)
{
}

static bool asked(void)
{
    return false;
}

static int open_device(struct gf_device *d, int index, struct gf_error *err)
{
    if (index < 0 || index >= GPUS)
        return gf_fail(err, GF_FAILED, "there is no GPU %d", index);
    seen.current = index;
    return gf_device_cpu.open(d, index, err);
}

static void close_device(struct gf_device *d)
{
    gf_device_cpu.close(d);
}

static int alloc(struct gf_device *d, size_t bytes, void **memory, struct gf_error *err)
{
    return gf_device_cpu.alloc(d, bytes, memory, err);
}

static void release(struct gf_device *d, void *memory)
{
    gf_device_cpu.release(d, memory);
}

static int room_open(struct gf_device *d, struct gf_room *room, size_t bytes, struct gf_error *err)
{
    return gf_device_cpu.room_open(d, room, bytes, err);
}

static int room_pin(struct gf_device *d, struct gf_room *room, struct gf_error *err)
{
    return gf_device_cpu.room_pin(d, room, err);
}

static void room_close(struct gf_device *d, struct gf_room *room)
{
    gf_device_cpu.room_close(d, room);
}

static int set_pools(struct gf_device *d, const struct gf_pools *pools, struct gf_error *err)
{
    return gf_device_cpu.set_pools(d, pools, err);
}

static int result_alloc(struct gf_device *d, size_t bytes, void *stream, void **memory, struct gf_error *err)
{
    (void)d, (void)err;
    seen.stream = stream;
    *memory = fake_gpu_new(bytes);
    return 0;
}

static void result_free(int index, void *memory, void *stream)
{
    (void)index;
    seen.freed_on = stream;
    fake_gpu_free(memory);
}

static void result_follow(int index, void *stream)
{
    (void)index;
    seen.followed = stream;
}

static void relax(struct gf_device *d)
{
    seen.relaxed += d->index == 1;
}

static int runs_wait(struct gf_device *d, struct gf_error *err)
{
    (void)d, (void)err;
    seen.waits++;
    return 0;
}

static int batch_begin(struct gf_device *d, void *stream, struct gf_error *err)
{
    (void)d, (void)stream, (void)err;
    seen.batches++;
    seen.in_batch = 1;
    return 0;
}

static int batch_end(struct gf_device *d, void *stream, struct gf_error *err)
{
    (void)d, (void)stream, (void)err;
    seen.in_batch = 0;
    return 0;
}

static int owner(const void *memory)
{
    int found = -1;

    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST; i++)
        if (blocks[i].memory != NULL && (const char *)memory >= (const char *)blocks[i].memory
            && (const char *)memory < (const char *)blocks[i].memory + blocks[i].bytes)
            found = 1;
    pthread_mutex_unlock(&lock);
    return found;
}

static int current(int index)
{
    const int before = seen.current;

    if (index >= 0)
        seen.current = index;
    return before;
}

/* ---- lanes ---- */

static int lane_open(struct gf_lane *lane, const struct gf_pass *pass, struct gf_error *err)
{
    return gf_device_cpu.lane_open(lane, pass, err);
}

static void lane_close(struct gf_lane *lane)
{
    gf_device_cpu.lane_close(lane);
}

/* Copies packed samples from an array, or with `out` to it. */
static void copy(const struct gf_strided *a, const struct gf_format *f, struct gf_span units, char *packed, bool out)
{
    const size_t sample = gf_type_bytes(f->type);
    uint16_t half;
    float value;

    for (int64_t y = units.start; y < units.end; y++)
        for (int64_t x = 0; x < f->width; x++)
            for (int c = 0; c < f->channels; c++, packed += sample) {
                char *at = a->data + y * a->unit + x * a->pixel + c * a->channel;

                if (!a->half) {
                    memcpy(out ? at : packed, out ? packed : at, sample);
                } else if (out) {
                    memcpy(&value, packed, sizeof value);
                    half = fake_gpu_to_half(value);
                    memcpy(at, &half, sizeof half);
                } else {
                    memcpy(&half, at, sizeof half);
                    value = fake_gpu_from_half(half);
                    memcpy(packed, &value, sizeof value);
                }
            }
}

/* Runs a job whose ends are in rows where they are, and others on copies, as a GPU does. */
static int lane_run(struct gf_lane *lane, const struct gf_job *job, struct gf_error *err)
{
    const struct gf_pass_end *from = &job->pass->from, *to = &job->pass->to;
    const bool reads = from->end == GF_END_FILE, writes = to->end == GF_END_FILE;
    struct gf_job own = *job;
    char *in = NULL, *out = NULL;
    int result;

    if (job->ends == NULL)
        return gf_device_cpu.lane_run(lane, job, err);
    enter();
    if (seen.in_batch && (job->pass->lane_work_bytes > 0 || !gf_strided_is_whole(&job->ends->in, &from->format)))
        abort();                         /* runs of a batch share the memory of their lane */
    seen.runs++;
    seen.stream = job->ends->stream;
    if (reads && !gf_strided_is_whole(&job->ends->in, &from->format)) {
        own.host_in = in = malloc((size_t)gf_span_units(job->in) * gf_unit_bytes(&from->format) + 1);
        copy(&job->ends->in, &from->format, job->in, in, false);
    } else if (reads) {
        own.host_in = job->ends->in.data + job->in.start * job->ends->in.unit;
    }
    if (writes && !gf_strided_is_whole(&job->ends->out, &to->format))
        own.host_out = out = malloc((size_t)gf_span_units(job->out) * gf_unit_bytes(&to->format) + 1);
    else if (writes)
        own.host_out = job->ends->out.data + job->out.start * job->ends->out.unit;
    result = gf_device_cpu.lane_run(lane, &own, err);
    if (result == 0 && out != NULL && job->ahead == 0)
        copy(&job->ends->out, &to->format, job->out, out, true);
    free(in);
    free(out);
    leave();
    return result;
}

static int lane_result(struct gf_lane *lane, void *result, size_t bytes, struct gf_error *err)
{
    seen.waits++;
    return gf_device_cpu.lane_result(lane, result, bytes, err);
}

static int lane_sums(struct gf_lane *lane, uint64_t *counts, int rows, int bins, struct gf_error *err)
{
    return gf_device_cpu.lane_sums(lane, counts, rows, bins, err);
}

const struct gf_device_kind gf_device_cuda = {
    .name = "cuda", .facts = facts, .begin = begin, .settle = settle, .asked = asked, .open = open_device,
    .close = close_device, .alloc = alloc, .release = release, .room_open = room_open, .room_pin = room_pin,
    .room_close = room_close, .set_pools = set_pools, .result_alloc = result_alloc, .result_free = result_free,
    .result_follow = result_follow, .relax = relax, .runs_wait = runs_wait, .batch_begin = batch_begin,
    .batch_end = batch_end, .owner = owner, .current = current,
    .lane_open = lane_open, .lane_close = lane_close, .lane_run = lane_run, .lane_result = lane_result,
    .lane_sums = lane_sums,
};
