/* Memory that kernels borrow for the time of their work on a stream. */
#ifndef GF_KERNELS_BORROW_CUH
#define GF_KERNELS_BORROW_CUH

#include <cuda_runtime.h>

/*
 * Returns gpufilter's own memory pool of a GPU; the first call makes it. The default pool belongs to all of the
 * process, which may be a program that uses the library, so it is neither used nor changed.
 */
cudaError_t gf_cuda_pool(int gpu, cudaMemPool_t *pool);
/* Takes memory from the pool of the current GPU, in the order of the stream; cudaFreeAsync() returns it. */
cudaError_t gf_cuda_borrow(void **memory, size_t bytes, cudaStream_t stream);

#endif
