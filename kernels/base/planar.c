/*
 * Whole blocks as planar floats, for C bodies whose blocks are stored in another layout or have a
 * program.
 */
#include "kernels/base/planar.h"

#include "kernels/base/program_run.h"

static bool is_plain(const struct gf_block *b, const struct gf_point *p)
{
    return b->planar && gf_point_is_identity(p);
}

size_t gf_planar_source_samples(const struct gf_io *io, int64_t units)
{
    return is_plain(&io->src, io->load) ? 0 : (size_t)(units * io->src.width * gf_channels_at_work(io));
}

struct gf_block gf_planar_source(const struct gf_work *work, const struct gf_io *io, struct gf_span part,
                                 float *scratch)
{
    struct gf_block src = gf_block_part(&io->src, part), planar = src;
    struct gf_io convert = { .src = src, .load = io->load, .src_units = io->src_units };

    if (is_plain(&io->src, io->load))
        return src;
    planar.data = scratch;
    planar.planar = true;
    planar.type = GF_F32;
    planar.channels = gf_channels_at_work(io);
    planar.pitch_samples = src.width;
    planar.plane_samples = src.width * gf_span_units(part);
    convert.dst = planar;
    gf_point_apply(work, &convert);
    return planar;
}

size_t gf_planar_result_samples(const struct gf_io *io, int channels)
{
    return is_plain(&io->dst, io->store) ? 0 : (size_t)(gf_span_units(io->dst.span) * io->dst.width * channels);
}

size_t gf_planar_scratch_bytes(const struct gf_io *io, struct gf_span part)
{
    return (gf_planar_source_samples(io, gf_span_units(part)) + gf_planar_result_samples(io, gf_channels_at_work(io)))
           * sizeof(float);
}

size_t gf_planar_scratch(const struct gf_io *io, const void *params)
{
    (void)params;
    return gf_planar_scratch_bytes(io, io->dst.span);
}

struct gf_block gf_planar_result(const struct gf_io *io, int channels, float *scratch)
{
    struct gf_block planar = io->dst;

    if (is_plain(&io->dst, io->store))
        return io->dst;
    planar.data = scratch;
    planar.planar = true;
    planar.type = GF_F32;
    planar.channels = channels;
    planar.pitch_samples = io->dst.width;
    planar.plane_samples = io->dst.width * gf_span_units(io->dst.span);
    return planar;
}

void gf_planar_finish(const struct gf_work *work, const struct gf_io *io, const struct gf_block *result)
{
    struct gf_io convert = { .src = *result, .dst = io->dst, .load = io->store, .src_units = io->src_units };

    if (!is_plain(&io->dst, io->store))
        gf_point_apply(work, &convert);
}
