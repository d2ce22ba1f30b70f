/*
 * State that the segments of a pass hand on in a GPU's memory. Events keep the streams of several
 * lanes in order.
 */
#include "device/cuda/device_cuda.cuh"

int gf_cuda_carry_take(struct gf_kept_carry *c, const struct gf_job *job, cudaStream_t stream, struct gf_error *err)
{
    if (gf_kept_wait(c, job, err) != 0)
        return -1;
    if (job->index > 0)
        return gf_cuda_check(cudaStreamWaitEvent(stream, (cudaEvent_t)c->left, 0), "state", err);
    if (c->left == NULL
        && gf_cuda_check(cudaEventCreateWithFlags((cudaEvent_t *)&c->left, cudaEventDisableTiming), "event", err) != 0)
        return -1;
    return gf_cuda_check(cudaMemsetAsync(c->memory, 0, job->pass->carry_bytes, stream), "state", err);
}

int gf_cuda_carry_pass(struct gf_kept_carry *c, cudaStream_t stream, struct gf_error *err)
{
    if (gf_cuda_check(cudaEventRecord((cudaEvent_t)c->left, stream), "state", err) != 0)
        return -1;
    gf_order_pass(&c->order);
    return 0;
}

int gf_cuda_carry_copy(void *stream, void *to, const void *from, size_t bytes, struct gf_error *err)
{
    return gf_cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, (cudaStream_t)stream),
                         "state", err);
}
