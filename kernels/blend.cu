/* Blending on a GPU: four pixels a thread. */
#include "blend.h"
#include "fours.cuh"
#include "views.cuh"

/* What changes the pixels of four columns, where a picture lies beside them. */
struct mix_in {
    struct gf_view beside;
    struct gf_blend p;
    struct gf_span rows;                 /* of the second source, in memory */
    int64_t shift;

    __device__ __forceinline__ void mix(float (&v)[4], const float (&s)[4]) const
    {
        const float own = p.beside_alpha ? gf_pick4(s, p.beside_colours) : 1, below = gf_pick4(v, p.colours), above = own * p.amount;
        const float m = p.beside_alpha ? own : p.beside_colours == 3 ? gf_blend_gray(s[0], s[1], s[2]) : s[0];

#pragma unroll
        for (int c = 0; c < 4; c++) {
            const float other = p.beside_colours == 1 ? s[0] : s[c];

            if (c < p.colours && p.mode != GF_BLEND_MASK)
                v[c] = p.mode == GF_BLEND_COMPARE ? gf_blend_distance(v[c], other, p.amount)
                     : p.alpha ? gf_blend_mixed(p.mode, v[c], below, other, above) : gf_blend_opaque(p.mode, v[c], other, above);
            else if (c == p.colours && p.mode == GF_BLEND_MASK)
                v[c] = below * m;
            else if (c == p.colours && p.alpha && p.mode != GF_BLEND_COMPARE)
                v[c] = gf_blend_alpha(below, above);
        }
    }

    __device__ __forceinline__ void operator()(int64_t x, int64_t y, int pixels, float (&v)[4][4]) const
    {
        const int64_t row = y - shift, column = x - p.x;
        float s[4][4] = { };

        if (row < rows.start || row >= rows.end || column + pixels <= 0 || column >= beside.width)
            return;
        const unsigned char *at = gf_row(beside, row);

        if (pixels == 4 && column >= 0 && column + 4 <= beside.width) {
            gf_read4(beside, at, column, 4, s);
#pragma unroll
            for (int i = 0; i < 4; i++)
                mix(v[i], s[i]);
            return;
        }
#pragma unroll
        for (int i = 0; i < 4; i++) {
            if (i >= pixels || column + i < 0 || column + i >= beside.width)
                continue;
#pragma unroll
            for (int c = 0; c < 4; c++)
                if (c < beside.channels)
                    s[i][c] = gf_get(beside, at, gf_at(beside, column + i, c));
            mix(v[i], s[i]);
        }
    }
};

extern "C" int gf_blend_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_blend *p = (const struct gf_blend *)params;
    struct gf_view src, dst;
    struct gf_views v;
    int result;

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    result = gf_views_open(&v, work, io, io->dst.span, err);
    src = gf_view_of(&v.src);
    dst = gf_view_of(&v.dst);
    if (result == 0 && (src.channels > 4 || dst.channels != src.channels || io->beside.channels > 4))
        result = gf_fail(err, GF_FAILED, "pictures of up to 4 channels can be blended");
    if (result == 0)
        result = gf_fours_launch(&src, &dst, &io->dst, mix_in { gf_view_of(&io->beside), *p, io->beside.span, io->beside_shift }, "blend",
                                 (cudaStream_t)work->stream, err);
    return gf_views_close(&v, work, io, result, err);
}
