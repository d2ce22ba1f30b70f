/* A kernel that does nothing but multiply and add floats. */
#include "bench/roofline/gpu_arithmetic.h"

#include "device/cuda/device_cuda.cuh"

#define THREADS 256
#define BLOCKS_EACH 16                   /* per multiprocessor: all that run at once, and as many after them */
#define CHAINS 8                         /* independent, so that no instruction waits for the one before */
#define TURNS 4096

/* No sum is negative, so nothing is stored; the compiler does not know that. Values stay near 2. */
static __global__ void __launch_bounds__(THREADS) multiply_adds(float *to, float a, float b, int turns)
{
    float v[CHAINS], sum = 0;

    for (int k = 0; k < CHAINS; k++)
        v[k] = (float)(threadIdx.x + k);
    for (int t = 0; t < turns; t += 16)
#pragma unroll
        for (int i = 0; i < 16; i++)
#pragma unroll
            for (int k = 0; k < CHAINS; k++)
                v[k] = fmaf(v[k], a, b);
    for (int k = 0; k < CHAINS; k++)
        sum += v[k];
    if (sum < 0)
        to[threadIdx.x] = sum;
}

extern "C" int gf_gpu_arithmetic_size(struct gf_multiply_adds *m, struct gf_error *err)
{
    int processors = 0;

    if (gf_cuda_check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, m->device->index),
                      "reading the properties of the device", err) != 0)
        return -1;
    m->blocks = processors * BLOCKS_EACH;
    m->flop = 2.0 * m->blocks * THREADS * CHAINS * TURNS;
    return 0;
}

extern "C" int gf_gpu_arithmetic_run(void *argument, struct gf_error *err)
{
    const struct gf_multiply_adds *m = (const struct gf_multiply_adds *)argument;
    cudaStream_t stream;

    if (gf_cuda_own_stream(m->device, &stream, err) != 0)
        return -1;
    multiply_adds<<<(unsigned)m->blocks, THREADS, 0, stream>>>((float *)m->memory, 0.5f, 1.0f, TURNS);
    return gf_cuda_launched("multiply-adds", err);
}
