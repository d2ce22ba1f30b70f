/* What the segments of a pass hand on in a GPU's memory: events keep streams of several lanes in order. */
#include "device/cuda/device_cuda.cuh"

int gf_cuda_carry_take(struct gf_kept_carry *c, const struct gf_job *job, cudaStream_t stream, struct gf_error *err)
{
    if (gf_kept_wait(c, job, err) != 0)
        return -1;
    if (job->index > 0)
        return gf_cuda_check(cudaStreamWaitEvent(stream, (cudaEvent_t)c->left, 0), "state", err);
    if (c->left == NULL && gf_cuda_check(cudaEventCreateWithFlags((cudaEvent_t *)&c->left, cudaEventDisableTiming), "event", err) != 0)
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

/* Units of `from` to `to`, plane by plane; both hold the same span. */
static int copy_units(const struct gf_block *to, const struct gf_block *from, cudaStream_t stream, struct gf_error *err)
{
    const size_t sample = gf_type_bytes(from->type), bytes = (size_t)(gf_span_units(from->span) * from->pitch_samples) * sample;

    for (int c = 0; c < (from->planar ? from->channels : 1); c++)
        if (gf_cuda_check(cudaMemcpyAsync((char *)to->data + (size_t)(c * to->plane_samples) * sample,
                                          (const char *)from->data + (size_t)(c * from->plane_samples) * sample, bytes,
                                          cudaMemcpyDeviceToDevice, stream), "state", err) != 0)
            return -1;
    return 0;
}

int gf_cuda_carry_recall(const struct gf_kept_carry *c, const struct gf_step *s, const struct gf_block *all, struct gf_span made,
                         cudaStream_t stream, struct gf_error *err)
{
    struct gf_span seen = { all->span.start, made.start };

    while (seen.start < seen.end) {
        const struct gf_block from = gf_history_part(s, c->memory, seen), to = gf_block_part(all, from.span);

        if (copy_units(&to, &from, stream, err) != 0)
            return -1;
        seen.start = from.span.end;
    }
    return 0;
}

int gf_cuda_carry_remember(const struct gf_kept_carry *c, const struct gf_step *s, const struct gf_block *all, struct gf_span made,
                           cudaStream_t stream, struct gf_error *err)
{
    struct gf_span left = gf_history_left(s, made);

    while (left.start < left.end) {
        const struct gf_block to = gf_history_part(s, c->memory, left), from = gf_block_part(all, to.span);

        if (copy_units(&to, &from, stream, err) != 0)
            return -1;
        left.start = to.span.end;
    }
    return 0;
}
