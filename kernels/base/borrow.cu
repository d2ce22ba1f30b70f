/* Memory that kernels borrow for the time of their work on a stream: one pool for each GPU. */
#include "kernels/base/borrow.cuh"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#define GPUS 64

static cudaMemPool_t pools[GPUS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Memory stays in the pool between segments and runs, because the driver takes long to map it. */
static cudaError_t make(int gpu, cudaMemPool_t *pool)
{
    struct cudaMemPoolProps of;
    uint64_t all = UINT64_MAX;
    cudaError_t code;

    memset(&of, 0, sizeof of);
    of.allocType = cudaMemAllocationTypePinned;
    of.location.type = cudaMemLocationTypeDevice;
    of.location.id = gpu;
    code = cudaMemPoolCreate(pool, &of);
    return code != cudaSuccess ? code : cudaMemPoolSetAttribute(*pool, cudaMemPoolAttrReleaseThreshold, &all);
}

cudaError_t gf_cuda_pool(int gpu, cudaMemPool_t *pool)
{
    cudaError_t code = cudaSuccess;

    if (gpu < 0 || gpu >= GPUS)
        return cudaErrorInvalidDevice;
    pthread_mutex_lock(&lock);
    if (pools[gpu] == NULL)
        code = make(gpu, &pools[gpu]);
    *pool = pools[gpu];
    pthread_mutex_unlock(&lock);
    return code;
}

cudaError_t gf_cuda_borrow(void **memory, size_t bytes, cudaStream_t stream)
{
    cudaMemPool_t pool;
    int gpu = 0;
    cudaError_t code = cudaGetDevice(&gpu);

    if (code == cudaSuccess)
        code = gf_cuda_pool(gpu, &pool);
    return code != cudaSuccess ? code : cudaMallocFromPoolAsync(memory, bytes, pool, stream);
}
