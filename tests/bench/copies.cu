/* What the bus can do: copies up, down, and both ways at once, between pinned memory and a GPU. */
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

/* Bytes a second and direction. */
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
            must(cudaMemcpyAsync(host[LANES + lane], device[LANES + lane], PIECE_BYTES, cudaMemcpyDeviceToHost, streams[LANES + lane]));
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
