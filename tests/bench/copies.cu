/* Measures copies between pinned memory and a GPU: up, down, and both at once. */
#include <algorithm>
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

#include "copies.h"

#define PIECE_BYTES (16u << 20)
#define PIECES 256
#define LANES 4
#define LOOKS 5

static void must(cudaError_t code)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "copies: %s\n", cudaGetErrorString(code));
    exit(1);
}

/* Returns bytes per second in each direction. */
static double look(cudaStream_t *streams, char **host, char **device, bool up, bool down)
{
    cudaEvent_t start, end;
    float ms;

    must(cudaEventCreate(&start));
    must(cudaEventCreate(&end));
    must(cudaDeviceSynchronize());
    must(cudaEventRecord(start, 0));
    for (int i = 0; i < 2 * LANES; i++)
        must(cudaStreamWaitEvent(streams[i], start, 0));
    for (int i = 0; i < PIECES; i++) {
        const int lane = i % LANES;

        if (up)
            must(cudaMemcpyAsync(device[lane], host[lane], PIECE_BYTES, cudaMemcpyHostToDevice, streams[lane]));
        if (down)
            must(cudaMemcpyAsync(host[LANES + lane], device[LANES + lane], PIECE_BYTES, cudaMemcpyDeviceToHost,
                                 streams[LANES + lane]));
    }
    for (int i = 0; i < 2 * LANES; i++) {
        cudaEvent_t done;

        must(cudaEventCreate(&done));
        must(cudaEventRecord(done, streams[i]));
        must(cudaStreamWaitEvent(0, done, 0));
        must(cudaEventDestroy(done));
    }
    must(cudaEventRecord(end, 0));
    must(cudaEventSynchronize(end));
    must(cudaEventElapsedTime(&ms, start, end));
    return (double)PIECE_BYTES * PIECES / (1e-3 * ms);
}

static double median(double *of)
{
    std::sort(of, of + LOOKS);
    return of[LOOKS / 2];
}

void bench_copies(int gpu, struct bench_copies *c)
{
    cudaStream_t streams[2 * LANES];
    char *host[2 * LANES], *device[2 * LANES];
    double up[LOOKS], down[LOOKS], both[LOOKS];

    must(cudaSetDevice(gpu));
    for (int i = 0; i < 2 * LANES; i++) {
        must(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
        must(cudaHostAlloc((void **)&host[i], PIECE_BYTES, cudaHostAllocPortable));
        must(cudaMalloc((void **)&device[i], PIECE_BYTES));
    }
    for (int k = 0; k < LOOKS; k++) {
        up[k] = look(streams, host, device, true, false);
        down[k] = look(streams, host, device, false, true);
        both[k] = look(streams, host, device, true, true);
    }
    for (int i = 0; i < 2 * LANES; i++) {
        must(cudaStreamDestroy(streams[i]));
        must(cudaFreeHost(host[i]));
        must(cudaFree(device[i]));
    }
    c->up = median(up);
    c->down = median(down);
    c->both = median(both);
}

__global__ void touch(char *to, const char *from, size_t bytes)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < bytes / 16; i += (size_t)gridDim.x * blockDim.x)
        ((uint4 *)to)[i] = ((const uint4 *)from)[i];
}

/* Queues a segment of a chain of one step: upload, kernel, download. */
static void segment(cudaStream_t stream, char *host, char *device)
{
    must(cudaMemcpyAsync(device, host, PIECE_BYTES, cudaMemcpyHostToDevice, stream));
    touch<<<528, 256, 0, stream>>>(device + PIECE_BYTES, device, PIECE_BYTES);
    must(cudaGetLastError());
    must(cudaMemcpyAsync(host + PIECE_BYTES, device + PIECE_BYTES, PIECE_BYTES, cudaMemcpyDeviceToHost, stream));
}

static double run_segments(cudaStream_t *streams, char **host, char **device, cudaGraphExec_t *graphs)
{
    cudaEvent_t start, end;
    float ms;

    must(cudaEventCreate(&start));
    must(cudaEventCreate(&end));
    must(cudaDeviceSynchronize());
    must(cudaEventRecord(start, streams[0]));
    for (int i = 0; i < PIECES; i++) {
        const int lane = i % LANES;

        if (graphs != NULL)
            must(cudaGraphLaunch(graphs[lane], streams[lane]));
        else
            segment(streams[lane], host[lane], device[lane]);
    }
    for (int i = 1; i < LANES; i++) {
        must(cudaEventRecord(end, streams[i]));
        must(cudaStreamWaitEvent(streams[0], end, 0));
    }
    must(cudaEventRecord(end, streams[0]));
    must(cudaEventSynchronize(end));
    must(cudaEventElapsedTime(&ms, start, end));
    return 1e-3 * ms;
}

void bench_graphs(int gpu, double *calls, double *graphs)
{
    cudaStream_t streams[LANES];
    cudaGraphExec_t made[LANES];
    char *host[LANES], *device[LANES];
    double call[LOOKS], graph[LOOKS];

    must(cudaSetDevice(gpu));
    for (int i = 0; i < LANES; i++) {
        cudaGraph_t g;

        must(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
        must(cudaHostAlloc((void **)&host[i], 2 * PIECE_BYTES, cudaHostAllocPortable));
        must(cudaMalloc((void **)&device[i], 2 * PIECE_BYTES));
        must(cudaStreamBeginCapture(streams[i], cudaStreamCaptureModeThreadLocal));
        segment(streams[i], host[i], device[i]);
        must(cudaStreamEndCapture(streams[i], &g));
        must(cudaGraphInstantiate(&made[i], g, 0));
        must(cudaGraphDestroy(g));
    }
    for (int k = 0; k < LOOKS; k++) {
        call[k] = run_segments(streams, host, device, NULL);
        graph[k] = run_segments(streams, host, device, made);
    }
    for (int i = 0; i < LANES; i++) {
        must(cudaGraphExecDestroy(made[i]));
        must(cudaStreamDestroy(streams[i]));
        must(cudaFreeHost(host[i]));
        must(cudaFree(device[i]));
    }
    *calls = median(call);
    *graphs = median(graph);
}
