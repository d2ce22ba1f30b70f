/*
 * The lesson on managed memory, which the host and the GPU address in the same way. Its pages move
 * when either touches them, or before that with prefetches, or never with advice.
 */
#include "base/clock.h"
#include "kernels/lessons/mix.cuh"
#include "kernels/lessons/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES 4096
#define WHAT "lesson of managed memory"

struct managed {
    unsigned *src, *dst;                 /* managed; NULL: this system has no such memory */
    bool moves_pages;                    /* a page moves when it is touched, so prefetches and advice have effects */
    int device;
};

/* Waits, lets the host read a word of each page of the result, and writes the time since `start`. */
static int finish(struct gf_lesson_io *io, const void *result, double start, struct gf_error *err)
{
    const volatile char *bytes = (const volatile char *)result;

    if (gf_cuda_check(cudaStreamSynchronize((cudaStream_t)io->stream), WHAT, err) != 0)
        return -1;
    for (size_t at = 0; at < gf_mix_bytes(io); at += PAGE_BYTES)
        (void)bytes[at];
    *io->seconds = gf_clock_seconds() - start;
    return 0;
}

/* For comparison: copies to the GPU's own memory, and from it. */
extern "C" int gf_lesson_managed_copies(struct gf_lesson_io *io, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)io->stream;
    const double start = gf_clock_seconds();

    return gf_cuda_check(cudaMemcpyAsync((void *)io->src, io->host_src, gf_mix_bytes(io), cudaMemcpyHostToDevice,
                                         stream), WHAT, err) != 0
        || gf_mix_all(io, io->src, io->dst, WHAT, err) != 0
        || gf_cuda_check(cudaMemcpyAsync(io->host_dst, io->dst, gf_mix_bytes(io), cudaMemcpyDeviceToHost, stream),
                         WHAT, err) != 0 ? -1 : finish(io, io->host_dst, start, err);
}

/* CUDA 13 describes a place by a struct. Earlier versions use the device's number. */
#if CUDART_VERSION >= 13000
static struct cudaMemLocation place(int device)
{
    struct cudaMemLocation l = {};

    l.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    l.id = device == cudaCpuDeviceId ? 0 : device;
    return l;
}
#define FLAGS 0,
#else
#define place(device) (device)
#define FLAGS
#endif

static int move_pages(struct gf_lesson_io *io, const void *pages, int to, struct gf_error *err)
{
    return gf_cuda_check(cudaMemPrefetchAsync(pages, gf_mix_bytes(io), place(to), FLAGS (cudaStream_t)io->stream),
                         WHAT, err);
}

/* Pages stay in the host's memory, and the GPU reads and writes them there. */
static int keep_on_host(struct gf_lesson_io *io, bool keep, struct gf_error *err)
{
    const struct managed *m = (const struct managed *)io->state;
    const unsigned *both[] = { m->src, m->dst };

    for (int i = 0; i < 2; i++)
        if (gf_cuda_check(cudaMemAdvise(both[i], gf_mix_bytes(io), keep ? cudaMemAdviseSetPreferredLocation
                                        : cudaMemAdviseUnsetPreferredLocation, place(cudaCpuDeviceId)), WHAT, err) != 0
            || gf_cuda_check(cudaMemAdvise(both[i], gf_mix_bytes(io), keep ? cudaMemAdviseSetAccessedBy
                                           : cudaMemAdviseUnsetAccessedBy, place(m->device)), WHAT, err) != 0)
            return -1;
    return 0;
}

enum care { NO_CARE, PREFETCH, ADVICE };

static int use_pages(struct gf_lesson_io *io, enum care care, struct gf_error *err)
{
    const struct managed *m = (const struct managed *)io->state;
    double start;

    if (m->dst == NULL || (care != NO_CARE && !m->moves_pages)) {
        *io->seconds = NAN;
        return 0;
    }
    if (care == ADVICE && keep_on_host(io, true, err) != 0)
        return -1;
    memcpy(m->src, io->pageable_src, gf_mix_bytes(io));  /* the host writes the words, so they are in its memory */
    start = gf_clock_seconds();
    if (care == PREFETCH && (move_pages(io, m->src, m->device, err) != 0
                             || move_pages(io, m->dst, m->device, err) != 0))
        return -1;
    if (gf_mix_all(io, m->src, m->dst, WHAT, err) != 0
        || (care == PREFETCH && move_pages(io, m->dst, cudaCpuDeviceId, err) != 0)
        || finish(io, m->dst, start, err) != 0)
        return -1;
    memcpy(io->host_dst, m->dst, gf_mix_bytes(io));
    return care == ADVICE ? keep_on_host(io, false, err) : 0;
}

extern "C" int gf_lesson_managed_faults(struct gf_lesson_io *io, struct gf_error *err)
{
    return use_pages(io, NO_CARE, err);
}

extern "C" int gf_lesson_managed_prefetch(struct gf_lesson_io *io, struct gf_error *err)
{
    return use_pages(io, PREFETCH, err);
}

extern "C" int gf_lesson_managed_advice(struct gf_lesson_io *io, struct gf_error *err)
{
    return use_pages(io, ADVICE, err);
}

/* ---- state ---- */

extern "C" int gf_lesson_managed_close(struct gf_lesson_io *io, struct gf_error *err)
{
    struct managed *m = (struct managed *)io->state;

    (void)err;
    if (m == NULL)
        return 0;
    cudaFree(m->src);
    cudaFree(m->dst);
    free(m);
    return 0;
}

extern "C" int gf_lesson_managed_open(struct gf_lesson_io *io, struct gf_error *err)
{
    struct managed *m = (struct managed *)calloc(1, sizeof *m);
    int works = 0, moves = 0;

    io->state = m;
    if (m == NULL)
        return gf_fail_memory(err, NULL);
    cudaGetDevice(&m->device);
    cudaDeviceGetAttribute(&works, cudaDevAttrManagedMemory, m->device);
    cudaDeviceGetAttribute(&moves, cudaDevAttrConcurrentManagedAccess, m->device);
    m->moves_pages = moves != 0;
    if (works != 0 && (cudaMallocManaged(&m->src, gf_mix_bytes(io)) != cudaSuccess
                       || cudaMallocManaged(&m->dst, gf_mix_bytes(io)) != cudaSuccess)) {
        (void)cudaGetLastError();
        m->dst = NULL;
    }
    return 0;
}

/* Says why steps have no times. */
extern "C" int gf_lesson_managed_tell(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct managed *m = (const struct managed *)io->state;

    (void)err;
    if (m->dst == NULL)
        gf_lesson_say(io->report, "this system has no managed memory, so three steps have no times");
    else if (!m->moves_pages)
        gf_lesson_say(io->report, "on this system, pages do not move when they are touched: all managed memory is "
                      "moved before a kernel begins. Prefetches and advice would be errors, so those steps have no "
                      "times");
    return 0;
}
