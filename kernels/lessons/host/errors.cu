/*
 * The lesson on errors: the same launches with checks of several kinds, and, in a process of its
 * own, launches that fail.
 */
#include "kernels/lessons/apart.h"

#include "kernels/lessons/mix.cuh"
#include "kernels/lessons/steps.h"

#include <stdio.h>

#define THREADS 256
#define TOO_MANY_THREADS 4096            /* in a block; 1024 are allowed */
#define OFTEN 16
#define DELAY_CYCLES 100000000           /* 50 ms or so */
#define WHAT "lesson of errors"
#define LESSON "errors"
#define WRONG 1                          /* what a process of its own does; otherwise it is one without errors */

/* ---- checks ---- */

/* Does a check after launch `k`. */
typedef cudaError_t checking(cudaStream_t stream, int k);

static int launch_all(struct gf_lesson_io *io, checking *check, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)io->stream;

    for (int k = 0; k < io->value; k++) {
        gf_mix_launch(io, k == 0 ? io->src : io->dst);
        if (check != NULL && gf_cuda_check(check(stream, k), WHAT, err) != 0)
            return -1;
    }
    return gf_cuda_launched(WHAT, err);
}

static cudaError_t read_error(cudaStream_t stream, int k)
{
    (void)stream;
    (void)k;
    return cudaGetLastError();
}

/* "Not ready" is an answer, not an error. */
static cudaError_t ask_stream(cudaStream_t stream, int k)
{
    const cudaError_t code = cudaStreamQuery(stream);

    return code == cudaErrorNotReady ? read_error(stream, k) : code;
}

static cudaError_t wait_for_stream(cudaStream_t stream, int k)
{
    const cudaError_t code = read_error(stream, k);

    return code != cudaSuccess ? code : cudaStreamSynchronize(stream);
}

static cudaError_t wait_sometimes(cudaStream_t stream, int k)
{
    return k % OFTEN == OFTEN - 1 ? wait_for_stream(stream, k) : read_error(stream, k);
}

extern "C" int gf_lesson_errors_unchecked(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch_all(io, NULL, err);
}

extern "C" int gf_lesson_errors_read(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch_all(io, read_error, err);
}

extern "C" int gf_lesson_errors_asked(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch_all(io, ask_stream, err);
}

extern "C" int gf_lesson_errors_some(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch_all(io, wait_sometimes, err);
}

extern "C" int gf_lesson_errors_waited(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch_all(io, wait_for_stream, err);
}

/* ---- errors made on purpose ---- */

static __global__ void do_nothing()
{
}

/* Waits, so that the host can go on meanwhile, and then writes to an address at which there is no memory. */
static __global__ void write_outside(unsigned *where, long long cycles)
{
    const long long start = clock64();

    while (clock64() - start < cycles)
        ;
    *where = 1;
}

static const char *text(cudaError_t code)
{
    return code == cudaSuccess ? "no error" : cudaGetErrorString(code);
}

static cudaError_t launch_nothing(int threads)
{
    do_nothing<<<1, threads>>>();
    return cudaGetLastError();
}

static void show_wrong_launch(void)
{
    const cudaError_t first = launch_nothing(TOO_MANY_THREADS), second = launch_nothing(THREADS);

    printf("an error of the launch itself, %d threads in a block: cudaGetLastError() returns '%s' at once. The next "
           "launch: '%s', so the program can go on\n", TOO_MANY_THREADS, text(first), text(second));
}

/* Returns true if the error appears as it should. */
static bool show_wrong_kernel(void)
{
    cudaError_t launched, recorded, waited, copied, again;
    cudaEvent_t event = NULL;
    void *memory = NULL;

    cudaEventCreate(&event);
    write_outside<<<1, 1>>>((unsigned *)16, DELAY_CYCLES);
    launched = cudaGetLastError();
    recorded = cudaEventRecord(event, 0);
    waited = cudaDeviceSynchronize();
    (void)cudaGetLastError();            /* would clear an error of the launch itself */
    copied = cudaMalloc(&memory, THREADS);
    again = launch_nothing(THREADS);
    printf("an error inside a kernel, a write outside of any memory: the launch returns '%s', the next call '%s', and "
           "only the wait '%s'\n", text(launched), text(recorded), text(waited));
    if (waited == cudaSuccess || copied == cudaSuccess || again == cudaSuccess)
        return false;
    printf("after that, every call fails, though cudaGetLastError() was called: cudaMalloc() returns '%s', a correct "
           "launch '%s'. The error is sticky, because nobody knows what the kernel has overwritten; only a new process "
           "helps\n",
           text(copied), text(again));
    return true;
}

extern "C" int gf_lesson_errors_make(struct gf_lesson_io *io, struct gf_error *err)
{
    if (gf_cuda_check(cudaSetDevice(io->value), WHAT, err) != 0)
        return -1;
    if (io->count == WRONG) {
        show_wrong_launch();
        if (!show_wrong_kernel())
            return gf_fail(err, GF_FAILED, "a write outside of any memory was not found");
    } else {
        const cudaError_t launched = launch_nothing(THREADS), waited = cudaDeviceSynchronize();

        printf("a new process: a correct launch returns '%s', the wait '%s'\n", text(launched), text(waited));
    }
    return 0;
}

/* This process goes on, because the errors happen in others. */
extern "C" int gf_lesson_errors_tell(struct gf_lesson_io *io, struct gf_error *err)
{
    int device = 0;

    if (gf_cuda_check(cudaGetDevice(&device), WHAT, err) != 0
        || gf_apart_start(io->report, LESSON, WRONG, device, err) != 0
        || gf_apart_start(io->report, LESSON, !WRONG, device, err) != 0)
        return -1;
    gf_lesson_say(io->report, "gpufilter checks each call and each launch, and waits only where it needs a result. "
                  "After an error it names the failed work, removes the incomplete output, and ends: its inputs are as "
                  "they were");
    return 0;
}
