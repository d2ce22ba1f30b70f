/*
 * The lesson on the host's memory: copies to and from memory that is pinned and memory that is not,
 * what pinning costs, and a kernel that reads and writes the host's memory itself.
 */
#include "base/clock.h"
#include "kernels/lessons/mix.cuh"
#include "kernels/lessons/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES 4096
#define WHAT "lesson of memory"

struct memory {
    unsigned *src, *dst;                 /* not pinned; nothing else is in their pages */
    size_t bytes;                        /* of each, whole pages */
    cudaStream_t down;                   /* of copies beside those in the timed stream */
    cudaEvent_t done;
};

/* ---- one way ---- */

static int copy(struct gf_lesson_io *io, void *to, const void *from, cudaStream_t stream, struct gf_error *err)
{
    return gf_cuda_check(cudaMemcpyAsync(to, from, gf_mix_bytes(io), cudaMemcpyDefault, stream), WHAT, err);
}

extern "C" int gf_lesson_host_memory_up_pageable(struct gf_lesson_io *io, struct gf_error *err)
{
    return copy(io, io->dst, ((struct memory *)io->state)->src, (cudaStream_t)io->stream, err);
}

extern "C" int gf_lesson_host_memory_up_pinned(struct gf_lesson_io *io, struct gf_error *err)
{
    return copy(io, io->dst, io->host_src, (cudaStream_t)io->stream, err);
}

extern "C" int gf_lesson_host_memory_down_pageable(struct gf_lesson_io *io, struct gf_error *err)
{
    return copy(io, io->pageable_dst, io->src, (cudaStream_t)io->stream, err);
}

extern "C" int gf_lesson_host_memory_down_pinned(struct gf_lesson_io *io, struct gf_error *err)
{
    return copy(io, io->host_dst, io->src, (cudaStream_t)io->stream, err);
}

/* Uploads in the timed stream and downloads in another one, for which the timed stream waits at the end. */
extern "C" int gf_lesson_host_memory_both(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct memory *m = (const struct memory *)io->state;
    const cudaStream_t up = (cudaStream_t)io->stream;

    return copy(io, io->dst, io->host_src, up, err) != 0 || copy(io, io->host_dst, io->src, m->down, err) != 0
        || gf_cuda_check(cudaEventRecord(m->done, m->down), WHAT, err) != 0
        || gf_cuda_check(cudaStreamWaitEvent(up, m->done, 0), WHAT, err) != 0 ? -1 : 0;
}

/* ---- there and back ---- */

static int with_copies(struct gf_lesson_io *io, const void *from, void *to, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)io->stream;

    return copy(io, (void *)io->src, from, stream, err) != 0 || gf_mix_all(io, io->src, io->dst, WHAT, err) != 0
        || copy(io, to, io->dst, stream, err) != 0 ? -1 : 0;
}

extern "C" int gf_lesson_host_memory_pageable(struct gf_lesson_io *io, struct gf_error *err)
{
    return with_copies(io, ((struct memory *)io->state)->src, io->pageable_dst, err);
}

extern "C" int gf_lesson_host_memory_pinned(struct gf_lesson_io *io, struct gf_error *err)
{
    return with_copies(io, io->host_src, io->host_dst, err);
}

/* Pins memory that malloc() would return, and releases it after use. */
extern "C" int gf_lesson_host_memory_pinned_each(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct memory *m = (const struct memory *)io->state;
    const size_t bytes = (gf_mix_bytes(io) + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    const double start = gf_clock_seconds();
    int result = -1;

    if (gf_cuda_check(cudaHostRegister(m->src, bytes, cudaHostRegisterDefault), WHAT, err) != 0)
        return -1;
    if (gf_cuda_check(cudaHostRegister(m->dst, bytes, cudaHostRegisterDefault), WHAT, err) == 0) {
        if (with_copies(io, m->src, m->dst, err) == 0)
            result = gf_cuda_check(cudaStreamSynchronize((cudaStream_t)io->stream), WHAT, err);
        cudaHostUnregister(m->dst);
    }
    cudaHostUnregister(m->src);
    *io->seconds = gf_clock_seconds() - start;
    memcpy(io->pageable_dst, m->dst, gf_mix_bytes(io));
    return result;
}

/* The kernel itself reads and writes pinned memory of the host. */
extern "C" int gf_lesson_host_memory_mapped(struct gf_lesson_io *io, struct gf_error *err)
{
    void *src, *dst;

    return gf_cuda_check(cudaHostGetDevicePointer(&src, io->host_src, 0), WHAT, err) != 0
        || gf_cuda_check(cudaHostGetDevicePointer(&dst, io->host_dst, 0), WHAT, err) != 0 ? -1
            : gf_mix_all(io, src, dst, WHAT, err);
}

/* ---- state ---- */

extern "C" int gf_lesson_host_memory_close(struct gf_lesson_io *io, struct gf_error *err)
{
    struct memory *m = (struct memory *)io->state;

    (void)err;
    if (m == NULL)
        return 0;
    if (m->down != NULL)
        cudaStreamDestroy(m->down);
    if (m->done != NULL)
        cudaEventDestroy(m->done);
    free(m->src);
    free(m->dst);
    free(m);
    return 0;
}

extern "C" int gf_lesson_host_memory_open(struct gf_lesson_io *io, struct gf_error *err)
{
    struct memory *m = (struct memory *)calloc(1, sizeof *m);
    void *src = NULL, *dst = NULL;

    io->state = m;
    if (m == NULL)
        return gf_fail_memory(err, NULL);
    m->bytes = (gf_mix_bytes(io) + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    if (posix_memalign(&src, PAGE_BYTES, m->bytes) == 0)
        m->src = (unsigned *)src;
    if (posix_memalign(&dst, PAGE_BYTES, m->bytes) == 0)
        m->dst = (unsigned *)dst;
    if (m->src == NULL || m->dst == NULL)
        return gf_fail_memory(err, NULL);
    memcpy(m->src, io->pageable_src, gf_mix_bytes(io));
    memset(m->dst, 0, m->bytes);
    return gf_cuda_check(cudaStreamCreateWithFlags(&m->down, cudaStreamNonBlocking), WHAT, err) != 0
        || gf_cuda_check(cudaEventCreateWithFlags(&m->done, cudaEventDisableTiming), WHAT, err) != 0 ? -1 : 0;
}

/* Says what pinning costs, in copies that it speeds up. The steps 0 and 1 are these copies. */
extern "C" int gf_lesson_host_memory_tell(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct memory *m = (const struct memory *)io->state;
    const struct gf_lesson_report *r = io->report;
    const double saved = r->seconds(r->context, 0, r->sizes - 1) - r->seconds(r->context, 1, r->sizes - 1);
    const double start = gf_clock_seconds();
    double pinned, allocated;
    void *memory;

    if (gf_cuda_check(cudaHostRegister(m->src, m->bytes, cudaHostRegisterDefault), WHAT, err) != 0)
        return -1;
    cudaHostUnregister(m->src);
    pinned = gf_clock_seconds() - start;
    if (gf_cuda_check(cudaMallocHost(&memory, m->bytes), WHAT, err) != 0)
        return -1;
    cudaFreeHost(memory);
    allocated = gf_clock_seconds() - start - pinned;
    gf_lesson_say(r, "pinning %.3g MB and releasing them takes %.3g ms (cudaHostRegister), allocating as many pinned "
                  "%.3g ms (cudaMallocHost); a pinned upload is %.3g ms shorter than a pageable one",
                  (double)m->bytes / 1048576, pinned * 1e3, allocated * 1e3, saved * 1e3);
    if (saved > 0)
        gf_lesson_say(r, "so it pays to register memory from copy number %.0f on, and to allocate pinned memory from "
                         "copy number %.0f on, as for a ring of buffers", ceil(pinned / saved),
                      ceil(allocated / saved));
    return 0;
}
