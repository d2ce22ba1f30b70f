/* Samples at transformed positions on a CPU. */
#include "kernels/geometry/sample.h"

#include "kernels/base/planar.h"
#include "kernels/geometry/sample_packed.h"

size_t gf_sample_scratch_bytes(const struct gf_io *io, const void *params)
{
    const int channels = gf_channels_at_work(io);

    if (gf_sample_packed_parts(io, params) != NULL)
        return 32 * sizeof(float);
    return (gf_planar_source_samples(io, gf_span_units(io->src.span)) + gf_planar_result_samples(io, channels) + 32)
           * sizeof(float);
}

int gf_sample_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_sample *s = params;
    const struct gf_sample_parts *packed = gf_sample_packed_parts(io, s);
    const size_t source = gf_planar_source_samples(io, gf_span_units(io->src.span));
    struct gf_block src, dst;
    struct gf_sample_job j;

    if (packed != NULL) {
        j = gf_sample_packed_job(io, s);
        gf_sample_rows(&j, packed, io->dst.span.start, io->dst.span.end);
        return 0;
    }
    if (work->scratch_bytes < gf_sample_scratch_bytes(io, s) - 32 * sizeof(float))
        return gf_fail(err, GF_FAILED, "internal error: sample has too little scratch memory");
    src = gf_planar_source(work, io, io->src.span, work->scratch);
    dst = gf_planar_result(io, src.channels, (float *)work->scratch + gf_padded_floats(source));
    j = gf_sample_job_of(s, io, &src, &dst);
    gf_sample_rows(&j, &gf_sample_plane_parts, io->dst.span.start, io->dst.span.end);
    gf_planar_finish(work, io, &dst);
    return 0;
}
