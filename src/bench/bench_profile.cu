/* Times work by the GPU's clock, and lists the kernels that it launches. */
#include "bench/bench_profile.h"

#include "device/cuda/device_cuda.cuh"

#include <stdlib.h>
#include <string.h>

int gf_bench_profile_copy(struct gf_device *d, void *to, const void *from, size_t bytes, struct gf_error *err)
{
    cudaStream_t stream;

    return gf_cuda_own_stream(d, &stream, err) != 0
        || gf_cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), "copying", err) != 0 ? -1
            : 0;
}

/* ---- the clock ---- */

static int time_calls(cudaStream_t stream, cudaEvent_t start, cudaEvent_t end, int times, gf_device_call *call,
                      void *argument, double *seconds, struct gf_error *err)
{
    float ms = 0;

    if (gf_cuda_check(cudaEventRecord(start, stream), "clock", err) != 0)
        return -1;
    for (int i = 0; i < times; i++)
        if (call(argument, err) != 0)
            return -1;
    if (gf_cuda_check(cudaEventRecord(end, stream), "clock", err) != 0
        || gf_cuda_check(cudaEventSynchronize(end), "waiting for kernels", err) != 0
        || gf_cuda_check(cudaEventElapsedTime(&ms, start, end), "clock", err) != 0)
        return -1;
    *seconds = ms * 1e-3;
    return 0;
}

int gf_bench_profile_time(struct gf_device *d, int times, gf_device_call *call, void *argument, double *seconds,
                          struct gf_error *err)
{
    cudaEvent_t start = NULL, end = NULL;
    cudaStream_t stream;
    int result = -1;

    if (gf_cuda_own_stream(d, &stream, err) != 0)
        return -1;
    if (gf_cuda_check(cudaEventCreate(&start), "clock", err) == 0 && gf_cuda_check(cudaEventCreate(&end), "clock",
                                                                                   err) == 0)
        result = time_calls(stream, start, end, times, call, argument, seconds, err);
    if (start != NULL)
        cudaEventDestroy(start);
    if (end != NULL)
        cudaEventDestroy(end);
    return result;
}

/* ---- kernels ---- */

/* Captures a call as a graph, which has its launches. Nothing runs. */
static int capture(cudaStream_t stream, cudaGraph_t *graph, gf_device_call *call, void *argument, struct gf_error *err)
{
    int result;
    cudaError_t code;

    *graph = NULL;
    if (gf_cuda_check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed),
                      "listing the kernels of a call", err) != 0)
        return -1;
    result = call(argument, err);
    code = cudaStreamEndCapture(stream, graph);
    if (result != 0) {
        (void)cudaGetLastError();
        return -1;
    }
    return gf_cuda_check(code, "listing the kernels of a call", err);
}

/* Reads how many blocks of other sizes would run at once, with the shared memory of the launch. */
static void read_other_sizes(const struct cudaKernelNodeParams *launch, struct gf_kernel_fact *f)
{
    int least_blocks;

    for (int i = 0; i < GF_BLOCK_SIZES; i++)
        if (gf_block_sizes[i] > f->most_threads
            || cudaOccupancyMaxActiveBlocksPerMultiprocessor(&f->other_fit[i], launch->func, gf_block_sizes[i],
                                                             launch->sharedMemBytes) != cudaSuccess)
            f->other_fit[i] = -1;
    if (cudaOccupancyMaxPotentialBlockSize(&least_blocks, &f->best_threads, (const void *)launch->func,
                                           launch->sharedMemBytes) != cudaSuccess)
        f->best_threads = 0;
}

/* Reads the facts of a launch. Returns 0 if they are not known, as for kernels of libraries. */
static int read_fact(cudaGraphNode_t node, struct gf_kernel_fact *f)
{
    struct cudaKernelNodeParams launch;
    struct cudaFuncAttributes code;
    const char *name = NULL;

    memset(f, 0, sizeof *f);
    if (cudaGraphKernelNodeGetParams(node, &launch) != cudaSuccess
        || cudaFuncGetAttributes(&code, launch.func) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    f->threads = (int)(launch.blockDim.x * launch.blockDim.y * launch.blockDim.z);
    f->blocks = (int64_t)launch.gridDim.x * launch.gridDim.y * launch.gridDim.z;
    f->registers = code.numRegs;
    f->local_bytes = code.localSizeBytes;
    f->shared_bytes = code.sharedSizeBytes;
    f->dynamic_bytes = launch.sharedMemBytes;
    f->most_threads = code.maxThreadsPerBlock;
#if CUDART_VERSION >= 12030
    if (cudaFuncGetName(&name, launch.func) != cudaSuccess)
        name = NULL;
#endif
    gf_bench_kernel_facts_name(name != NULL ? name : "?", f->name, sizeof f->name);
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&f->fit, launch.func, f->threads,
                                                      launch.sharedMemBytes) != cudaSuccess)
        f->fit = 0;
    read_other_sizes(&launch, f);
    (void)cudaGetLastError();
    return 1;
}

static int read_facts(cudaGraph_t graph, struct gf_kernel_fact *facts, int most, struct gf_error *err)
{
    size_t count = 0;
    cudaGraphNode_t *nodes;
    int found = 0;

    if (gf_cuda_check(cudaGraphGetNodes(graph, NULL, &count), "listing the kernels of a call", err) != 0)
        return -1;
    nodes = (cudaGraphNode_t *)calloc(count + 1, sizeof *nodes);
    if (nodes == NULL)
        return gf_fail_memory(err, NULL);
    if (gf_cuda_check(cudaGraphGetNodes(graph, nodes, &count), "listing the kernels of a call", err) != 0)
        found = -1;
    for (size_t i = 0; found >= 0 && i < count && found < most; i++) {
        enum cudaGraphNodeType type;

        if (cudaGraphNodeGetType(nodes[i], &type) == cudaSuccess && type == cudaGraphNodeTypeKernel)
            found += read_fact(nodes[i], &facts[found]);
    }
    free(nodes);
    return found;
}

int gf_bench_profile_kernels(struct gf_device *d, gf_device_call *call, void *argument, struct gf_kernel_fact *facts,
                             int most, struct gf_error *err)
{
    cudaStream_t stream;
    cudaGraph_t graph = NULL;
    int found = -1;

    if (gf_cuda_own_stream(d, &stream, err) != 0)
        return -1;
    if (capture(stream, &graph, call, argument, err) == 0)
        found = read_facts(graph, facts, most, err);
    if (graph != NULL)
        cudaGraphDestroy(graph);
    return found;
}

int gf_bench_profile_multiprocessor(struct gf_device *d, struct gf_multiprocessor *m, struct gf_error *err)
{
    struct cudaDeviceProp p;

    if (gf_cuda_check(cudaGetDeviceProperties(&p, d->index), "reading the properties of the device", err) != 0)
        return -1;
    m->threads = p.maxThreadsPerMultiProcessor;
    m->blocks = p.maxBlocksPerMultiProcessor;
    m->registers = p.regsPerMultiprocessor;
    m->warp = p.warpSize;
    m->shared_bytes = p.sharedMemPerMultiprocessor;
    m->reserved_bytes = p.reservedSharedMemPerBlock;
    return 0;
}
