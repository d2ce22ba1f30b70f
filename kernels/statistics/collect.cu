/* Rows kept as records on a GPU. */
#include "kernels/statistics/collect.h"

#include "kernels/base/cuda_check.cuh"

extern "C" int gf_collect_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                               struct gf_error *err)
{
    const struct gf_collect *k = (const struct gf_collect *)params;
    const size_t row = (size_t)k->width * sizeof(float);
    const float *from = (const float *)io->src.data + (io->dst.span.start - io->src.span.start) * io->src.pitch_samples;

    if (!gf_point_is_identity(io->load) || !io->src.planar)
        return gf_fail(err, GF_FAILED, "internal error: collect needs planes and no load program");
    for (int c = 0; c < k->channels && io->dst.span.end > io->dst.span.start; c++)
        if (gf_cuda_check(cudaMemcpy2DAsync((float *)io->dst.data + c * k->width, row * (size_t)k->channels,
                                            from + c * io->src.plane_samples,
                                            (size_t)io->src.pitch_samples * sizeof(float), row,
                                                (size_t)gf_span_units(io->dst.span),
                                            cudaMemcpyDeviceToDevice, (cudaStream_t)work->stream), "rows", err) != 0)
            return -1;
    return 0;
}
