/*
 * Calls of the CUDA runtime that fail on request, linked into a gpufilter with --wrap. The library
 * failing_calls.so, which is preloaded, decides; calls of the kind "gpu" are counted there.
 */
#define _GNU_SOURCE
#include "tests/promises/failing_calls.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

enum { OUT_OF_MEMORY = 2, OUT_OF_RESOURCES = 701, UNKNOWN = 999 };       /* of cudaError_t */

/* The layout of dim3, which is passed by value. */
struct extent {
    unsigned x, y, z;
};

typedef bool decision(enum call_kind kind, const char *name, const void *caller);

static decision *decide;
static _Thread_local int last_error;

static void find_decision(void)
{
    void *const found = dlsym(RTLD_DEFAULT, "failing_calls_decide");

    *(void **)&decide = found;
}

/* Returns the error of a call that fails, which cudaGetLastError() then returns too; otherwise 0. */
static int fail(const char *name, const void *caller, int error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, find_decision);
    if (decide == NULL || !decide(CALL_GPU, name, caller))
        return 0;
    last_error = error;
    return error;
}

#define FAILING(name, how, with, error)                                          \
    int __real_##name how;                                                       \
    int __wrap_##name how;                                                       \
    int __wrap_##name how                                                        \
    {                                                                            \
        const int failed = fail(#name, __builtin_return_address(0), error);      \
                                                                                 \
        return failed != 0 ? failed : __real_##name with;                        \
    }

FAILING(cudaMalloc, (void **memory, size_t bytes), (memory, bytes), OUT_OF_MEMORY)
FAILING(cudaMallocFromPoolAsync, (void **memory, size_t bytes, void *pool, void *stream), (memory, bytes, pool, stream),
        OUT_OF_MEMORY)
FAILING(cudaMallocHost, (void **memory, size_t bytes), (memory, bytes), OUT_OF_MEMORY)
FAILING(cudaHostRegister, (void *memory, size_t bytes, unsigned flags), (memory, bytes, flags), OUT_OF_MEMORY)
FAILING(cudaMemcpyAsync, (void *to, const void *from, size_t bytes, int kind, void *stream),
        (to, from, bytes, kind, stream), UNKNOWN)
FAILING(cudaMemsetAsync, (void *to, int value, size_t bytes, void *stream), (to, value, bytes, stream), UNKNOWN)
FAILING(cudaMemset, (void *to, int value, size_t bytes), (to, value, bytes), UNKNOWN)
FAILING(cudaMemcpyToSymbolAsync,
        (const void *symbol, const void *from, size_t bytes, size_t at, int kind, void *stream),
        (symbol, from, bytes, at, kind, stream), UNKNOWN)
FAILING(cudaStreamCreateWithFlags, (void **stream, unsigned flags), (stream, flags), OUT_OF_MEMORY)
FAILING(cudaStreamSynchronize, (void *stream), (stream), UNKNOWN)
FAILING(cudaStreamWaitEvent, (void *stream, void *event, unsigned flags), (stream, event, flags), UNKNOWN)
FAILING(cudaEventCreate, (void **event), (event), OUT_OF_MEMORY)
FAILING(cudaEventCreateWithFlags, (void **event, unsigned flags), (event, flags), OUT_OF_MEMORY)
FAILING(cudaEventRecord, (void *event, void *stream), (event, stream), UNKNOWN)
FAILING(cudaEventSynchronize, (void *event), (event), UNKNOWN)
FAILING(cudaDeviceSynchronize, (void), (), UNKNOWN)
FAILING(cudaSetDevice, (int device), (device), UNKNOWN)
FAILING(cudaInitDevice, (int device, unsigned flags, unsigned more), (device, flags, more), UNKNOWN)
FAILING(cudaCreateTextureObject, (void *object, const void *what, const void *how, const void *view),
        (object, what, how, view), OUT_OF_MEMORY)
FAILING(cudaFuncSetAttribute, (const void *kernel, int attribute, int value), (kernel, attribute, value), UNKNOWN)
FAILING(cudaLaunchKernel,
        (const void *kernel, struct extent grid, struct extent block, void **arguments, size_t shared, void *stream),
        (kernel, grid, block, arguments, shared, stream), OUT_OF_RESOURCES)
FAILING(__cudaLaunchKernel,
        (const void *kernel, struct extent grid, struct extent block, void **arguments, size_t shared, void *stream),
        (kernel, grid, block, arguments, shared, stream), OUT_OF_RESOURCES)

int __real_cudaGetLastError(void);
int __wrap_cudaGetLastError(void);
int __wrap_cudaGetLastError(void)
{
    const int error = last_error;

    last_error = 0;
    return error != 0 ? error : __real_cudaGetLastError();
}
