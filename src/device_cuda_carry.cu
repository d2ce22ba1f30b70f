/* What the segments of a pass hand on in a GPU's memory: events keep streams of several lanes in order. */
#include "device_cuda.cuh"

int gf_cuda_carry_open(struct gf_device *d, struct gf_carry *carry, size_t bytes, struct gf_error *err)
{
    cudaEvent_t left = NULL;

    if (gf_cuda_alloc(d, bytes, &carry->memory, err) != 0)
        return -1;
    if (gf_cuda_check(cudaEventCreateWithFlags(&left, cudaEventDisableTiming), "event", err) != 0) {
        gf_cuda_carry_close(d, carry);
        return -1;
    }
    carry->left = left;
    return 0;
}

void gf_cuda_carry_close(struct gf_device *d, struct gf_carry *carry)
{
    cudaSetDevice(d->index);
    cudaFree(carry->memory);
    if (carry->left != NULL)
        cudaEventDestroy((cudaEvent_t)carry->left);
    carry->memory = carry->left = NULL;
}

int gf_cuda_carry_take(const struct gf_job *job, cudaStream_t stream, struct gf_error *err)
{
    if (!gf_turn_wait(job->turn, job->index))
        return gf_fail(err, GF_FAILED, "a segment before failed");
    if (job->index == 0)
        return gf_cuda_check(cudaMemsetAsync(job->carry->memory, 0, job->pass->carry_bytes, stream), "state", err);
    return gf_cuda_check(cudaStreamWaitEvent(stream, (cudaEvent_t)job->carry->left, 0), "state", err);
}

int gf_cuda_carry_pass(const struct gf_job *job, cudaStream_t stream, struct gf_error *err)
{
    if (gf_cuda_check(cudaEventRecord((cudaEvent_t)job->carry->left, stream), "state", err) != 0)
        return -1;
    gf_turn_pass(job->turn);
    return 0;
}
