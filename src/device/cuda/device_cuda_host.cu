/* The base of a GPU: its facts, starting it in the background, its memory, and memory that is copied at full speed. */
#include "base/clock.h"
#include "base/thread.h"
#include "device/cuda/device_cuda.cuh"
#include "kernels/base/borrow.cuh"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define START_SECONDS 0.25               /* driver and context, before the first byte moves */
#define COPY_BYTES_PER_SECOND 12e9       /* pinned memory over PCI Express */
#define LIGHT_SHARE 0.45                 /* bytes of a light result for each byte that the memory could move */
/* Bytes of a result times weights for each cycle of a multiprocessor: a fifth of 128 sums of floats. */
#define CONV_BYTES_PER_CYCLE 100.0

#define PAGE_BYTES 4096u
#define HUGE_BYTES (2u << 20)
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* ---- facts ---- */

/* Explains in plain words why no GPU is available. */
static const char *trouble(cudaError_t code)
{
    switch (code) {
    case cudaErrorInsufficientDriver: return "the NVIDIA driver is missing, or older than this build of gpufilter "
                                             "needs";
    case cudaErrorNoDevice: return "no NVIDIA GPU is visible (is CUDA_VISIBLE_DEVICES set?)";
    case cudaErrorSystemDriverMismatch: return "the NVIDIA driver and its libraries are of different versions; a "
                                               "reboot may help";
    case cudaErrorCompatNotSupportedOnDevice: return "the GPU does not work with this combination of driver and CUDA";
    default: return cudaGetErrorString(code);
    }
}

/*
 * Returns true if this build has code that runs on compute capability `now` (major · 100 + minor ·
 * 10).
 */
static bool has_code_for(int now)
{
    static const int built[] = { __CUDA_ARCH_LIST__ };

    for (size_t i = 0; i < sizeof built / sizeof *built; i++)
        if (built[i] <= now)
            return true;
    return false;
}

/* Accessed by several threads. */
static bool driver_answered;

bool gf_cuda_asked(void)
{
    return __atomic_load_n(&driver_answered, __ATOMIC_RELAXED);
}

void gf_cuda_facts(int index, struct gf_device_facts *facts, char *why, size_t why_bytes)
{
    struct cudaDeviceProp p;
    int count = 0, clock = 0, width = 0, cycles = 0;
    cudaError_t code = cudaGetDeviceCount(&count);
    char text[512] = "";

    memset(facts, 0, sizeof *facts);
    if (code == cudaSuccess)
        __atomic_store_n(&driver_answered, true, __ATOMIC_RELAXED);
    if (code != cudaSuccess)
        snprintf(text, sizeof text, "%s", trouble(code));
    else if (index < 0 || index >= count)
        snprintf(text, sizeof text, "there is no GPU %d; GPUs found: %d", index, count);
    else if ((code = cudaGetDeviceProperties(&p, index)) != cudaSuccess)
        snprintf(text, sizeof text, "%s", trouble(code));
    else if (!has_code_for(p.major * 100 + p.minor * 10))
        snprintf(text, sizeof text, "this build of gpufilter has no code for a %s (compute capability %d.%d)",
                 p.name, p.major, p.minor);
    if (why != NULL)
        snprintf(why, why_bytes, "%s", text);
    (void)cudaGetLastError();
    if (text[0] != '\0')
        return;
    cudaDeviceGetAttribute(&clock, cudaDevAttrMemoryClockRate, index);          /* kHz */
    cudaDeviceGetAttribute(&width, cudaDevAttrGlobalMemoryBusWidth, index);
    cudaDeviceGetAttribute(&cycles, cudaDevAttrClockRate, index);               /* kHz */
    if (why != NULL) {
        int driver = 0;

        cudaDriverGetVersion(&driver);
        snprintf(why, why_bytes, "%s, compute capability %d.%d, driver for CUDA %d.%d", p.name, p.major, p.minor,
                 driver / 1000, driver % 1000 / 10);
    }
    facts->present = true;
    facts->fuses = true;
    facts->cores = p.multiProcessorCount;
    facts->memory_bytes = (int64_t)p.totalGlobalMem;
    facts->start_seconds = START_SECONDS;
    facts->copy_bytes_per_second = COPY_BYTES_PER_SECOND;
    facts->work_bytes_per_second = clock > 0 && width > 0 ? LIGHT_SHARE * 2e3 * clock * width / 8 : 200e9;
    facts->conv_bytes_per_second = CONV_BYTES_PER_CYCLE * p.multiProcessorCount * 1e3 * cycles;
}

/* ---- starting ---- */

enum phase { PHASE_NONE, PHASE_STARTING, PHASE_DONE };

/* Each GPU is started once, by its own thread, for all its users. */
static struct {
    enum phase phase;
    int result;
    double seconds, ready;               /* how long it took, and when it ended */
    struct gf_error error;
} starts[GF_CUDA_MOST];
static pthread_mutex_t starts_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t started = PTHREAD_COND_INITIALIZER;

__global__ void nothing(void)
{
}

/* Makes the pool that bodies borrow memory from. */
static int make_pool(int index, struct gf_error *err)
{
    cudaMemPool_t pool;
    int pools = 0;

    if (gf_cuda_check(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, index), "memory pool", err) != 0)
        return -1;
    if (!pools)
        return gf_fail(err, GF_FAILED, "GPU %d has no memory pools; a newer driver may help", index);
    return gf_cuda_check(gf_cuda_pool(index, &pool), "memory pool", err);
}

#define RETRY_SECONDS 1.0
#define RETRY_MICROSECONDS 20000

/*
 * A process that ended a moment ago may still have most of the GPU's memory, or all of the GPU if
 * its mode is exclusive. The driver takes about 0.1 s to release them.
 */
bool gf_cuda_try_again(cudaError_t code, double since)
{
    if ((code != cudaErrorMemoryAllocation && code != cudaErrorDevicesUnavailable
         && code != cudaErrorDeviceAlreadyInUse) || gf_clock_seconds() >= since + RETRY_SECONDS)
        return false;
    (void)cudaGetLastError();
    usleep(RETRY_MICROSECONDS);
    return true;
}

bool gf_cuda_is_started(int index)
{
#if CUDART_VERSION >= 12050
    enum cudaDriverEntryPointQueryResult found;
    unsigned flags = 0;
    int active = 0;
    void *ask = NULL;

    if (cudaGetDriverEntryPointByVersion("cuDevicePrimaryCtxGetState", &ask, 7000, cudaEnableDefault, &found)
            == cudaSuccess && found == cudaDriverEntryPointSuccess
        && ((int (*)(int, unsigned *, int *))ask)(index, &flags, &active) == 0)
        return active != 0;
    (void)cudaGetLastError();
#else
    (void)index;
#endif
    return false;
}

/*
 * Creates the context and loads the program's code. Waiting lanes sleep, which leaves the cores to
 * readers and writers. Sets `what` to the step that failed.
 */
static cudaError_t create_context(int index, const char **what)
{
    struct cudaFuncAttributes code;
    cudaError_t result;

#if CUDART_VERSION >= 12000
    *what = "starting the device";
    /* how threads wait for the GPU is the choice of who started it first, such as PyTorch */
    result = gf_cuda_is_started(index) ? cudaInitDevice(index, 0, 0)
           : cudaInitDevice(index, cudaDeviceScheduleBlockingSync, cudaInitDeviceFlagsAreValid);
    if (result != cudaSuccess)
        return result;
    *what = "selecting the device";
    if ((result = cudaSetDevice(index)) != cudaSuccess)
        return result;
#else
    *what = "selecting the device";
    if ((result = cudaSetDevice(index)) != cudaSuccess)
        return result;
    *what = "starting the device";
    if ((result = cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync)) != cudaSuccess)
        return result;
#endif
    *what = "loading the kernels";
    return cudaFuncGetAttributes(&code, (const void *)nothing);
}

static int start_device(int index, struct gf_error *err)
{
    const double start = gf_clock_seconds();
    struct gf_device_facts facts;
    cudaError_t code;
    const char *what;
    char why[256];

    gf_cuda_facts(index, &facts, why, sizeof why);
    if (!facts.present)
        return gf_fail(err, GF_FAILED, "no GPU: %s", why);
    do
        code = create_context(index, &what);
    while (gf_cuda_try_again(code, start));
    return gf_cuda_check(code, what, err) != 0 ? -1 : make_pool(index, err);
}

static void *start_thread(void *argument)
{
    const int index = (int)(intptr_t)argument;
    const double start = gf_clock_seconds();
    struct gf_error err;
    int result;

    memset(&err, 0, sizeof err);
    result = start_device(index, &err);
    pthread_mutex_lock(&starts_lock);
    starts[index].result = result;
    starts[index].ready = gf_clock_seconds();
    starts[index].seconds = starts[index].ready - start;
    starts[index].error = err;
    starts[index].phase = PHASE_DONE;
    pthread_cond_broadcast(&started);
    pthread_mutex_unlock(&starts_lock);
    return NULL;
}

void gf_cuda_begin(int index)
{
    pthread_t thread;
    bool mine;

    if (index < 0 || index >= GF_CUDA_MOST)
        return;
    pthread_mutex_lock(&starts_lock);
    mine = starts[index].phase == PHASE_NONE;
    if (mine)
        starts[index].phase = PHASE_STARTING;
    pthread_mutex_unlock(&starts_lock);
    if (!mine)
        return;
    if (gf_thread_start(&thread, start_thread, (void *)(intptr_t)index) == 0)
        pthread_detach(thread);
    else
        start_thread((void *)(intptr_t)index);
}

void gf_cuda_settle(void)
{
    pthread_mutex_lock(&starts_lock);
    for (int i = 0; i < GF_CUDA_MOST; i++)
        while (starts[i].phase == PHASE_STARTING)
            pthread_cond_wait(&started, &starts_lock);
    pthread_mutex_unlock(&starts_lock);
}

double gf_cuda_took(int index)
{
    double seconds;

    pthread_mutex_lock(&starts_lock);
    seconds = index >= 0 && index < GF_CUDA_MOST ? starts[index].seconds : 0;
    pthread_mutex_unlock(&starts_lock);
    return seconds;
}

double gf_cuda_ready(int index)
{
    double ready;

    pthread_mutex_lock(&starts_lock);
    ready = starts[index].ready;
    pthread_mutex_unlock(&starts_lock);
    return ready;
}

int gf_cuda_bind(const struct gf_device *d, struct gf_error *err)
{
    int result;

    if (d->index < 0 || d->index >= GF_CUDA_MOST)
        return gf_fail(err, GF_FAILED, "there is no GPU %d", d->index);
    pthread_mutex_lock(&starts_lock);
    while (starts[d->index].phase == PHASE_STARTING)
        pthread_cond_wait(&started, &starts_lock);
    result = starts[d->index].result;
    if (result != 0)
        *err = starts[d->index].error;
    pthread_mutex_unlock(&starts_lock);
    return result != 0 ? -1 : gf_cuda_check(cudaSetDevice(d->index), "selecting the device", err);
}

/* ---- streams and memory ---- */

int gf_cuda_finish(cudaStream_t stream, struct gf_error *err)
{
    return gf_cuda_check(cudaStreamSynchronize(stream), "waiting for kernels", err);
}

/*
 * Returns the stream for bodies and copies outside lanes. It is created on first use, because the
 * device may still be starting when it is opened.
 */
int gf_cuda_own_stream(struct gf_device *d, cudaStream_t *stream, struct gf_error *err)
{
    struct gf_cuda_state *s = gf_cuda_state_of(d);

    if (gf_cuda_bind(d, err) != 0
        || (s->stream == NULL
            && gf_cuda_check(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking), "stream", err) != 0))
        return -1;
    *stream = s->stream;
    return 0;
}

int gf_cuda_ends_settle(struct gf_device *d, struct gf_error *err)
{
    struct gf_cuda_state *s = gf_cuda_state_of(d);

    return s->queued == NULL ? 0 : gf_cuda_check(cudaEventSynchronize(s->queued), "waiting for kernels", err);
}

/* GPUs of a process that stays: allocating memory anew takes longer than many kernels. */
static bool hoards[GF_CUDA_MOST];

int gf_cuda_hoard(struct gf_device *d, struct gf_error *err)
{
    if (gf_cuda_bind(d, err) != 0)
        return -1;
    __atomic_store_n(&hoards[d->index], true, __ATOMIC_RELEASE);
    return 0;
}

/* Allocates memory that any stream may use on return. */
static cudaError_t allocate(struct gf_device *d, size_t bytes, void **memory)
{
    const cudaStream_t stream = d->pooled ? gf_cuda_state_of(d)->stream : cudaStreamPerThread;
    cudaError_t code;

    if (!d->pooled && !__atomic_load_n(&hoards[d->index], __ATOMIC_ACQUIRE))
        return cudaMalloc(memory, bytes);
    code = gf_cuda_borrow(memory, bytes, stream);
    return code == cudaSuccess ? cudaStreamSynchronize(stream) : code;
}

int gf_cuda_alloc(struct gf_device *d, size_t bytes, void **memory, struct gf_error *err)
{
    cudaStream_t own;
    cudaError_t code;
    char where[24];

    *memory = NULL;
    if (d->pooled ? gf_cuda_own_stream(d, &own, err) != 0 : gf_cuda_bind(d, err) != 0)
        return -1;
    do
        code = allocate(d, bytes > 0 ? bytes : 1, memory);
    while (gf_cuda_try_again(code, gf_cuda_ready(d->index)));
    if (code == cudaErrorMemoryAllocation) {
        *memory = NULL;
        (void)cudaGetLastError();
        snprintf(where, sizeof where, "on GPU %d", d->index);
        return gf_fail_memory_bytes(err, bytes, where);
    }
    return gf_cuda_check(code, "memory", err);
}

void gf_cuda_release(struct gf_device *d, void *memory)
{
    struct gf_error none;

    if (memory == NULL)
        return;
    cudaSetDevice(d->index);
    (void)gf_cuda_ends_settle(d, &none);
    if (d->pooled)
        cudaFreeAsync(memory, gf_cuda_state_of(d)->stream);
    else
        cudaFree(memory);
}

/* ---- rooms ---- */

/*
 * Touches the pages before the GPU is ready: pinning them is quicker then, and reading can begin at
 * once.
 */
int gf_cuda_room_open(struct gf_device *d, struct gf_room *room, size_t bytes, struct gf_error *err)
{
    const size_t grain = bytes >= 2 * HUGE_BYTES ? HUGE_BYTES : PAGE_BYTES;
    const size_t whole = (bytes > 0 ? bytes + grain - 1 : grain) / grain * grain;

    (void)d;
    memset(room, 0, sizeof *room);
    if (posix_memalign(&room->data, grain, whole) != 0) {
        room->data = NULL;
        return gf_fail_memory_bytes(err, bytes, NULL);
    }
    room->bytes = whole;
    if (grain == HUGE_BYTES)
        madvise(room->data, whole, MADV_HUGEPAGE);           /* only a hint, so a failure does not matter */
    if (madvise(room->data, whole, MADV_POPULATE_WRITE) != 0)
        for (size_t at = 0; at < whole; at += PAGE_BYTES)
            ((volatile char *)room->data)[at] = 0;
    return 0;
}

int gf_cuda_room_pin(struct gf_device *d, struct gf_room *room, struct gf_error *err)
{
    if (room->pinned)
        return 0;
    if (gf_cuda_bind(d, err) != 0)
        return -1;
    if (cudaHostRegister(room->data, room->bytes, cudaHostRegisterPortable) != cudaSuccess) {
        (void)cudaGetLastError();
        return gf_fail_memory_bytes(err, room->bytes, "that can be pinned for a GPU");
    }
    room->pinned = true;
    return 0;
}

void gf_cuda_room_close(struct gf_device *d, struct gf_room *room)
{
    if (room->pinned) {
        cudaSetDevice(d->index);
        cudaHostUnregister(room->data);
    }
    free(room->data);
    memset(room, 0, sizeof *room);
}
