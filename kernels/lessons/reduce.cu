/*
 * The lesson on sums: a tree in shared memory whose active threads are scattered or adjacent,
 * shuffles within warps, several samples a thread. Samples are multiples of 1/256 below 1, so sums
 * of floats are exact in any order while they are below 65536.
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#define THREADS 256                      /* of a block with a tree of its own */
#define FINISH_THREADS 1024              /* of a block that adds the sums of others, or all samples */
#define FINISH_BLOCKS 64

/*
 * Returns s[0] to thread 0, which has written it, and 0 to the others. Because it is volatile, no other
 * thread reads it: the compiler would let them, and not use what they read, while thread 0 writes.
 */
static __device__ __forceinline__ float sum_of_first(const volatile float *s)
{
    return threadIdx.x == 0 ? s[0] : 0.0f;
}

/* Half of the threads of each warp idle in the first round, three quarters in the second, and so on. */
static __device__ __forceinline__ float tree_divergent(float v)
{
    __shared__ float s[THREADS];

    s[threadIdx.x] = v;
    for (unsigned d = 1; d < THREADS; d *= 2) {
        __syncthreads();
        if (threadIdx.x % (2 * d) == 0)
            s[threadIdx.x] += s[threadIdx.x + d];
    }
    return sum_of_first(s);
}

/* The first threads work, on the same places: neighbors use places that are 2d apart. */
static __device__ __forceinline__ float tree_gaps(float v)
{
    __shared__ float s[THREADS];

    s[threadIdx.x] = v;
    for (unsigned d = 1; d < THREADS; d *= 2) {
        const unsigned at = threadIdx.x * 2 * d;

        __syncthreads();
        if (at < THREADS)
            s[at] += s[at + d];
    }
    return sum_of_first(s);
}

/* Half of the warps idle in the first round; all threads of the others work, on adjacent places. */
static __device__ __forceinline__ float tree_contiguous(float v)
{
    __shared__ float s[THREADS];

    s[threadIdx.x] = v;
    for (unsigned d = THREADS / 2; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
    }
    return sum_of_first(s);
}

/* Within a warp nothing goes through memory, and no warp waits for another. */
template <int N, typename T>
static __device__ __forceinline__ T tree_shuffles(T v)
{
    __shared__ T s[N / 32];

    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < N / 32 ? s[threadIdx.x] : 0;
        for (int d = 16; d > 0; d /= 2)
            v += __shfl_down_sync(0xffffffffu, v, d);
    }
    return v;
}

enum tree { DIVERGENT, GAPS, CONTIGUOUS, SHUFFLES };

/* LOADS samples a thread, one sum a block. */
template <enum tree T, int LOADS>
__global__ void __launch_bounds__(THREADS) sum_blocks(const float *src, int64_t count, double *sums)
{
    const int64_t i = (int64_t)blockIdx.x * LOADS * THREADS + threadIdx.x;
    float v = 0, sum;

    for (int k = 0; k < LOADS; k++)
        v += i + k * THREADS < count ? src[i + k * THREADS] : 0.0f;
    sum = T == DIVERGENT ? tree_divergent(v) : T == GAPS ? tree_gaps(v)
        : T == CONTIGUOUS ? tree_contiguous(v) : tree_shuffles<THREADS>(v);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = (double)sum;
}

/* All blocks that run at once. */
template <typename T>
__global__ void __launch_bounds__(FINISH_THREADS) sum_all(const T *src, int64_t count, double *sum)
{
    T own = 0;
    double all;

    for (int64_t i = (int64_t)blockIdx.x * FINISH_THREADS + threadIdx.x; i < count;
         i += (int64_t)gridDim.x * FINISH_THREADS)
        own += src[i];
    all = tree_shuffles<FINISH_THREADS>((double)own);
    if (threadIdx.x == 0)
        atomicAdd(sum, all);
}

template <enum tree T, int LOADS>
static int launch(struct gf_lesson_io *io, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)io->stream;
    const int64_t blocks = gf_ceil_div(io->count, LOADS * THREADS);
    double *sums = (double *)io->scratch;

    sum_blocks<T, LOADS><<<(unsigned)blocks, THREADS, 0, stream>>>((const float *)io->src, io->count, sums);
    sum_all<<<gf_cuda_grid_size(gf_ceil_div(blocks, FINISH_THREADS), FINISH_BLOCKS), FINISH_THREADS, 0,
              stream>>>((const double *)sums, blocks, (double *)io->dst);
    return gf_cuda_launched("lesson of sums", err);
}

#define STEP(name, tree, loads) \
    extern "C" int gf_lesson_reduce_##name(struct gf_lesson_io *io, struct gf_error *err) \
    { \
        return launch<tree, loads>(io, err); \
    }
STEP(divergent, DIVERGENT, 1)
STEP(gaps, GAPS, 1)
STEP(contiguous, CONTIGUOUS, 1)
STEP(two, CONTIGUOUS, 2)
STEP(shuffles, SHUFFLES, 2)

extern "C" int gf_lesson_reduce_several(struct gf_lesson_io *io, struct gf_error *err)
{
    sum_all<<<gf_lesson_blocks(io->count, FINISH_THREADS), FINISH_THREADS, 0,
              (cudaStream_t)io->stream>>>((const float *)io->src, io->count, (double *)io->dst);
    return gf_cuda_launched("lesson of sums", err);
}
