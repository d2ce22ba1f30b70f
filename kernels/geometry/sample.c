/* Samples of planes of floats at transformed positions on a CPU. */
#include "kernels/geometry/sample.h"

#include "kernels/base/planar.h"
#include "kernels/geometry/sample_bytes.h"
#include "kernels/geometry/sample_rows.h"

#include <math.h>

#define PIECE GF_SAMPLE_PIECE

GF_CLONES
static void fill_places(struct gf_sample_walk w, int64_t base_row, int64_t pitch, int64_t n, bool coarse,
                        int32_t *restrict at, float *restrict fx, float *restrict fy)
{
    if (coarse)
        gf_sample_places(w, base_row, pitch, 1, n, true, at, fx, fy);
    else
        gf_sample_places(w, base_row, pitch, 1, n, false, at, fx, fy);
}

GF_CLONES
static void linear_piece(const float *restrict p, int64_t pitch, int64_t n, const int32_t *restrict at,
                         const float *restrict fx, const float *restrict fy, float *restrict out)
{
    const float *restrict q = p + pitch;

    for (int64_t i = 0; i < n; i++) {
        const float p00 = p[at[i]], p01 = p[at[i] + 1], p10 = q[at[i]], p11 = q[at[i] + 1];
        const float h0 = fmaf(fx[i], p01 - p00, p00), h1 = fmaf(fx[i], p11 - p10, p10);

        out[i] = fmaf(fy[i], h1 - h0, h0);
    }
}

GF_CLONES
static void nearest_piece(const float *restrict p, int64_t n, const int32_t *restrict at, float *restrict out)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = p[at[i]];
}

GF_CLONES
static void cubic_piece(const float *restrict p, int64_t pitch, int64_t n, const int32_t *restrict at,
                        const float *restrict fx, const float *restrict fy, float *restrict out)
{
    for (int64_t i = 0; i < n; i++) {
        const float *restrict q = p + at[i] - pitch - 1;
        float wx[4], wy[4], sum = 0.0f;

        gf_cubic_weights(fx[i], wx);
        gf_cubic_weights(fy[i], wy);
        for (int k = 0; k < 4; k++, q += pitch)
            sum = fmaf(wy[k], fmaf(wx[3], q[3], fmaf(wx[2], q[2], fmaf(wx[1], q[1], fmaf(wx[0], q[0], 0.0f)))), sum);
        out[i] = sum;
    }
}

void gf_sample_plane_piece(enum gf_interpolation how, const float *p, int64_t pitch, int64_t n, const int32_t *at,
                           const float *fx, const float *fy, float *out)
{
    switch (how) {
    case GF_NEAREST: nearest_piece(p, n, at, out); break;
    case GF_LINEAR: linear_piece(p, pitch, n, at, fx, fy, out); break;
    default: cubic_piece(p, pitch, n, at, fx, fy, out); break;
    }
}

/* Computes at most PIECE pixels [from, to) of a row, with all neighbors inside; every channel. */
static void sample_inside(const struct gf_sample_job *j, struct gf_sample_walk w, int64_t y, int64_t from, int64_t to)
{
    _Alignas(64) int32_t at[PIECE];
    _Alignas(64) float fx[PIECE], fy[PIECE];
    const struct gf_sample_walk here = { w.x + from * w.dx, w.y + from * w.dy, w.dx, w.dy };
    const int64_t n = to - from, one = gf_sample_cell(here.y), other = gf_sample_cell(here.y + (n - 1) * here.dy);
    const int64_t first = one < other ? one : other, pitch = j->src->pitch_samples;

    fill_places(here, first, pitch, n, j->s->coarse, at, fx, fy);
    for (int c = 0; c < j->src->channels; c++)
        gf_sample_plane_piece(j->s->interpolation, gf_plane_at(j->src, c, first), pitch, n, at, fx, fy,
                              gf_plane_at(j->dst, c, y) + from);
}

void gf_sample_plane_border(const struct gf_sample_job *j, struct gf_sample_walk w, int64_t y, int64_t from,
                            int64_t to)
{
    for (int c = 0; c < j->src->channels; c++)
        for (int64_t i = from; i < to; i++)
            gf_plane_at(j->dst, c, y)[i] = gf_sample_anywhere(j, w, c, i);
}

void gf_sample_plane_background(const struct gf_sample_job *j, struct gf_sample_walk w, int64_t y, int64_t from,
                                int64_t to)
{
    (void)w;
    for (int c = 0; c < j->src->channels; c++)
        for (int64_t x = from; x < to; x++)
            gf_plane_at(j->dst, c, y)[x] = j->s->background[c];
}

size_t gf_sample_scratch_bytes(const struct gf_io *io, const void *params)
{
    const int channels = gf_channels_at_work(io);

    if (gf_sample_bytes_fits(io, params))
        return 32 * sizeof(float);
    return (gf_planar_source_samples(io, gf_span_units(io->src.span)) + gf_planar_result_samples(io, channels) + 32)
           * sizeof(float);
}

int gf_sample_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    static const struct gf_sample_parts parts = { sample_inside, gf_sample_plane_border, gf_sample_plane_background };
    const struct gf_sample *s = params;
    const size_t source = gf_planar_source_samples(io, gf_span_units(io->src.span));
    struct gf_block src, dst;
    struct gf_sample_job j;

    if (gf_sample_bytes_fits(io, s)) {
        gf_sample_bytes_run(io, s);
        return 0;
    }
    if (work->scratch_bytes < gf_sample_scratch_bytes(io, s) - 32 * sizeof(float))
        return gf_fail(err, GF_FAILED, "internal error: sample has too little scratch memory");
    src = gf_planar_source(work, io, io->src.span, work->scratch);
    dst = gf_planar_result(io, src.channels, (float *)work->scratch + gf_padded_floats(source));
    j = gf_sample_job_of(s, io, &src, &dst);
    gf_sample_rows(&j, &parts, io->dst.span.start, io->dst.span.end);
    gf_planar_finish(work, io, &dst);
    return 0;
}
