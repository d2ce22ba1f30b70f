/* Allocates and fills the memory of a lesson. */
#include "bench/lessons/lesson_memory.h"

#include "bench/bench_call.h"

#include <stdlib.h>
#include <string.h>

#define NOISE_BYTES ((size_t)16 << 20)   /* repeated in larger sources */
#define LEAST_BYTES 4096

static size_t source_bytes(const struct gf_lesson *lesson, int64_t count)
{
    return (size_t)count * (size_t)lesson->src_bytes;
}

size_t gf_lesson_result_bytes(const struct gf_lesson *lesson, int64_t count)
{
    return (size_t)count * (size_t)lesson->dst_bytes + (size_t)lesson->dst_more;
}

/* Copies of the source are written to the result, too. */
static size_t target_bytes(const struct gf_lesson *lesson, int64_t count)
{
    const size_t source = source_bytes(lesson, count), result = gf_lesson_result_bytes(lesson, count);

    return (source > result ? source : result) + LEAST_BYTES;
}

static size_t scratch_bytes(const struct gf_lesson *lesson, int64_t count, int value)
{
    return lesson->scratch_bytes != NULL ? lesson->scratch_bytes(count, value) : 0;
}

double gf_lesson_memory_bytes(const struct gf_lesson *lesson, int64_t count, int value, bool gpu)
{
    const double source = (double)source_bytes(lesson, count);

    return source + (double)target_bytes(lesson, count) - LEAST_BYTES
        + (gpu ? (double)scratch_bytes(lesson, count, value) + lesson->more_copies * source : 0);
}

static void fill_noise(const struct gf_lesson *lesson, char *to, size_t bytes)
{
    static const enum gf_bench_fill fills[] = { [GF_LESSON_BYTES] = GF_BENCH_BYTES,
                                                [GF_LESSON_FLOATS] = GF_BENCH_FLOATS,
                                                [GF_LESSON_COUNTS] = GF_BENCH_COUNTS };
    const size_t first = bytes < NOISE_BYTES ? bytes : NOISE_BYTES;

    gf_bench_fill_noise(fills[lesson->fill], to, first);
    for (size_t at = first; at < bytes; at += NOISE_BYTES)
        memcpy(to + at, to, bytes - at < NOISE_BYTES ? bytes - at : NOISE_BYTES);
}

static int open_pinned(struct gf_lesson_memory *m, size_t source, size_t target, struct gf_error *err)
{
    const struct gf_device_kind *kind = m->device->kind;

    if (kind->room_open(m->device, &m->up, source + LEAST_BYTES, err) != 0
        || kind->room_open(m->device, &m->down, target, err) != 0 || kind->room_pin(m->device, &m->up, err) != 0
        || kind->room_pin(m->device, &m->down, err) != 0)
        return -1;
    m->gpu.host_src = m->up.data;
    m->gpu.host_dst = m->down.data;
    memcpy(m->up.data, m->cpu.src, source);
    return 0;
}

static int open_gpu(struct gf_lesson_memory *m, int64_t most, int value, struct gf_error *err)
{
    const size_t source = source_bytes(m->lesson, most), target = target_bytes(m->lesson, most);
    const struct gf_device_kind *kind = m->device->kind;
    void *src = NULL;
    int result = kind->alloc(m->device, source + LEAST_BYTES, &src, err);

    m->gpu = (struct gf_lesson_io) { .src = src, .count = most, .value = value, .pageable_src = (void *)m->cpu.src,
                                     .pageable_dst = m->cpu.dst };
    if (result != 0 || kind->alloc(m->device, target, &m->gpu.dst, err) != 0
        || kind->alloc(m->device, scratch_bytes(m->lesson, most, value) + LEAST_BYTES, &m->gpu.scratch, err) != 0
        || kind->upload(m->device, src, m->cpu.src, source, err) != 0
        || (m->lesson->host && open_pinned(m, source, target, err) != 0))
        return -1;
    m->gpu.stream = kind->work(m->device).stream;
    return m->lesson->open != NULL ? m->lesson->open(&m->gpu, err) : 0;
}

int gf_lesson_memory_open(struct gf_lesson_memory *m, const struct gf_lesson *lesson, struct gf_device *device,
                          int64_t most, int value, struct gf_error *err)
{
    const size_t source = source_bytes(lesson, most), target = target_bytes(lesson, most);
    void *src = aligned_alloc(64, (source + 127) / 64 * 64);

    *m = (struct gf_lesson_memory) { .lesson = lesson, .device = device, .cpu = { .src = src, .count = -1 } };
    m->cpu.dst = aligned_alloc(64, (target + 127) / 64 * 64);
    if (src == NULL || m->cpu.dst == NULL)
        return gf_fail_memory(err, NULL);
    fill_noise(lesson, src, source);
    memset(m->cpu.dst, 0, target);
    return device != NULL ? open_gpu(m, most, value, err) : 0;
}

int gf_lesson_memory_bind(struct gf_lesson_memory *m, int64_t count, int value, struct gf_error *err)
{
    const struct gf_lesson *lesson = m->lesson;
    const size_t source = source_bytes(lesson, count);

    m->result_bytes = gf_lesson_result_bytes(lesson, count);
    if (m->cpu.count == count && m->cpu.value == value)
        return 0;
    m->cpu.count = m->gpu.count = count;
    m->cpu.value = m->gpu.value = value;
    if (lesson->prepare != NULL) {
        lesson->prepare((void *)m->cpu.src, count, value);
        if (m->device != NULL && m->device->kind->upload(m->device, (void *)m->gpu.src, m->cpu.src, source, err) != 0)
            return -1;
        if (m->gpu.host_src != NULL)
            memcpy(m->gpu.host_src, m->cpu.src, source);
    }
    return m->device != NULL && lesson->bind != NULL ? lesson->bind(&m->gpu, err) : 0;
}

void gf_lesson_memory_close(struct gf_lesson_memory *m)
{
    struct gf_error ignored;

    if (m->device != NULL) {
        (void)m->device->kind->wait(m->device, &ignored);    /* an earlier error has been reported */
        if (m->lesson->close != NULL)
            (void)m->lesson->close(&m->gpu, &ignored);
        m->device->kind->release(m->device, (void *)m->gpu.src);
        m->device->kind->release(m->device, m->gpu.dst);
        m->device->kind->release(m->device, m->gpu.scratch);
        if (m->up.data != NULL)
            m->device->kind->room_close(m->device, &m->up);
        if (m->down.data != NULL)
            m->device->kind->room_close(m->device, &m->down);
    }
    free((void *)m->cpu.src);
    free(m->cpu.dst);
}
