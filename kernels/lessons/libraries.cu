/*
 * The lessons on sums, prefix sums and sorting: the same by NVIDIA's libraries, which come with CUDA. CUB
 * queues kernels on a stream, in memory that the caller gives it. Thrust calls CUB, in memory that it
 * allocates itself, and waits; it reports errors as exceptions.
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>

#include <exception>

#define CUB "lesson with CUB"
#define THRUST "lesson with Thrust"

typedef unsigned long long number;

/* ---- CUB ---- */

/*
 * Calls a function of CUB twice, as every program does: without memory it only returns how many bytes it
 * needs, and then it queues its kernels.
 */
template <typename F>
static int call_twice(struct gf_lesson_io *io, size_t room, F function, struct gf_error *err)
{
    size_t bytes = 0;

    if (gf_cuda_check(function((void *)NULL, bytes), CUB, err) != 0)
        return -1;
    if (bytes > room)
        return gf_fail(err, GF_FAILED, "CUB needs more memory than the lesson has");
    return gf_cuda_check(function(io->scratch, bytes), CUB, err);
}

/* The result is a double, so CUB adds in doubles. */
extern "C" int gf_lesson_reduce_cub(struct gf_lesson_io *io, struct gf_error *err)
{
    return call_twice(io, gf_lesson_sum_room(), [io](void *room, size_t &bytes) {
        return cub::DeviceReduce::Sum(room, bytes, (const float *)io->src, (double *)io->dst, io->count,
                                      (cudaStream_t)io->stream);
    }, err);
}

extern "C" int gf_lesson_scan_cub(struct gf_lesson_io *io, struct gf_error *err)
{
    return call_twice(io, gf_lesson_scan_room(io->count), [io](void *room, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(room, bytes, (const number *)io->src, (number *)io->dst, io->count,
                                             (cudaStream_t)io->stream);
    }, err);
}

extern "C" int gf_lesson_sort_cub(struct gf_lesson_io *io, struct gf_error *err)
{
    return call_twice(io, gf_lesson_sort_room(io->count), [io](void *room, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(room, bytes, (const unsigned *)io->src, (unsigned *)io->dst, io->count,
                                              0, 32, (cudaStream_t)io->stream);
    }, err);
}

/* ---- Thrust ---- */

/* Runs a function that calls Thrust, and turns an exception into an error: callers are C. */
template <typename F>
static int call_thrust(F function, struct gf_error *err)
{
    try {
        return function();
    } catch (const std::exception &e) {
        (void)cudaGetLastError();
        return gf_fail(err, GF_FAILED, THRUST ": %s", e.what());
    }
}

/* The sum returns to the host, which sends it back, as the check expects it on the GPU. */
extern "C" int gf_lesson_reduce_thrust(struct gf_lesson_io *io, struct gf_error *err)
{
    return call_thrust([io, err] {
        const cudaStream_t stream = (cudaStream_t)io->stream;
        const float *src = (const float *)io->src;
        const double sum = thrust::reduce(thrust::cuda::par.on(stream), src, src + io->count, 0.0);

        return gf_cuda_check(cudaMemcpyAsync(io->dst, &sum, sizeof sum, cudaMemcpyHostToDevice, stream), THRUST,
                             err) != 0
            || gf_cuda_check(cudaStreamSynchronize(stream), THRUST, err) != 0 ? -1 : 0;
    }, err);
}

extern "C" int gf_lesson_scan_thrust(struct gf_lesson_io *io, struct gf_error *err)
{
    return call_thrust([io] {
        const number *src = (const number *)io->src;

        thrust::inclusive_scan(thrust::cuda::par.on((cudaStream_t)io->stream), src, src + io->count,
                               (number *)io->dst);
        return 0;
    }, err);
}

/* thrust::sort() sorts in place, so the keys are copied first. */
extern "C" int gf_lesson_sort_thrust(struct gf_lesson_io *io, struct gf_error *err)
{
    return call_thrust([io, err] {
        const cudaStream_t stream = (cudaStream_t)io->stream;
        unsigned *dst = (unsigned *)io->dst;

        if (gf_cuda_check(cudaMemcpyAsync(dst, io->src, (size_t)io->count * sizeof *dst, cudaMemcpyDeviceToDevice,
                                          stream), THRUST, err) != 0)
            return -1;
        thrust::sort(thrust::cuda::par.on(stream), dst, dst + io->count);
        return 0;
    }, err);
}
