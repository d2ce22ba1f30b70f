/* Blending on a GPU: four pixels at a time. */
#include "kernels/pixel/blend.h"

#include "kernels/base/grid_pixel_quads.cuh"
#include "kernels/base/program_buffers.cuh"

#include <algorithm>

/* Changes the pixels of four columns where the second image overlaps them. */
struct mix_in {
    static constexpr bool both = true;
    struct gf_block_view beside;
    struct gf_blend p;
    struct gf_span rows;                 /* rows of the second source in memory */
    int64_t shift;

    /* Blends one pixel of C channels, or of as many as the call says. */
    template <enum gf_blend_mode M, int C, int V>
    __device__ __forceinline__ void mix(float (&v)[V], const float (&s)[4]) const
    {
        const int colours = C == 0 ? p.colours : C == 4 ? 3 : C;
        const bool alpha = C == 0 ? p.alpha : C == 4;
        const float own = p.beside_alpha ? gf_pick4(s, p.beside_colours) : 1, above = own * p.amount;
        float below = 1;

#pragma unroll
        for (int c = 0; c < V; c++)
            below = alpha && c == colours ? v[c] : below;
#pragma unroll
        for (int c = 0; c < V; c++) {
            const float other = p.beside_colours == 1 ? s[0] : s[c];

            if (c < colours)
                v[c] = M == GF_BLEND_COMPARE ? gf_blend_distance(v[c], other, p.amount)
                     : M == GF_BLEND_QUOTIENT ? gf_blend_quotient(v[c], other, p.amount)
                     : alpha ? gf_blend_mixed(M, v[c], below, other, above) : gf_blend_opaque(M, v[c], other, above);
            else if (c == colours && alpha && M < GF_BLEND_COMPARE)
                v[c] = gf_blend_alpha(below, above);
        }
    }

    template <enum gf_blend_mode M, int C, int N, int V>
    __device__ __forceinline__ void mix_all(float (&v)[N][V], const float (&s)[N][4]) const
    {
#pragma unroll
        for (int i = 0; i < N; i++)
            mix<M, C>(v[i], s[i]);
    }

    template <int N, int V>
    __device__ __forceinline__ void mask(float (&v)[N][V], const float (&s)[N][4]) const
    {
#pragma unroll
        for (int i = 0; i < N; i++) {
            const float m = p.beside_alpha ? gf_pick4(s[i], p.beside_colours)
                          : p.beside_colours == 3 ? gf_luma(s[i][0], s[i][1], s[i][2]) : s[i][0];

#pragma unroll
            for (int c = 0; c < V; c++)
                v[i][c] = c == p.colours ? v[i][c] * m : v[i][c];
        }
    }

#define MIX(NAME, name) case GF_BLEND_##NAME: mix_all<GF_BLEND_##NAME, C>(v, s); break;
    template <int C, int N, int V>
    __device__ __forceinline__ void change(float (&v)[N][V], const float (&s)[N][4]) const
    {
        switch (p.mode) {
        GF_BLEND_MODES(MIX)
        case GF_BLEND_COMPARE: mix_all<GF_BLEND_COMPARE, C>(v, s); break;
        case GF_BLEND_QUOTIENT: mix_all<GF_BLEND_QUOTIENT, C>(v, s); break;
        default: mask(v, s);
        }
    }

    /* Blends four complete pixels, in words if both images have the same layout. */
    template <int T, int C>
    __device__ __forceinline__ void read_whole(const unsigned char *row, int64_t column, float (&s)[4][4]) const
    {
        if (beside.layout == T && beside.channels == C) {
            struct gf_pixel_quad<T, C> four;

            four.read(beside, row, column, 4);
            four.unpack(beside, s);
        } else {
            gf_read4(beside, row, column, 4, s);
        }
    }

    /*
     * The part of the second image for a group of pixels: its row, the column for the first pixel,
     * and the pixels [from, to) that overlap it.
     */
    struct place {
        const unsigned char *row;
        int64_t column;
        int from, to;
    };

    __device__ __forceinline__ struct place begin(int64_t x, int64_t y, int pixels) const
    {
        const int64_t row = y - shift, column = x - p.x, left = beside.width - column;
        const bool there = row >= rows.start && row < rows.end;

        return { gf_block_view_row(beside, there ? row : beside.start), column,
                 (int)(column < -pixels ? pixels : column < 0 ? -column : 0),
                 (int)(!there || left < 0 ? 0 : left < pixels ? left : pixels) };
    }

    /* All words of a group at a time. */
    template <enum gf_blend_mode M, int T, int C, int W>
    __device__ __forceinline__ void mix_words(const struct gf_block_view &src, const struct gf_block_view &dst,
                                              const unsigned (&other)[W],
                                              unsigned (&w)[W]) const
    {
        constexpr int words = gf_pixel_quad<T, C>::words;

#pragma unroll
        for (int i = 0; i < W; i += words) {
            struct gf_pixel_quad<T, C> four, above;
            float v[4][C == 1 ? 1 : 4] = { }, s[4][4] = { };

#pragma unroll
            for (int k = 0; k < words; k++)
                four.w[k] = w[i + k], above.w[k] = other[i + k];
            four.unpack(src, v);
            above.unpack(beside, s);
            mix_all<M, C>(v, s);
            gf_pack_quad<T, C>(dst, v, w + i);
        }
    }

    /* Returns true if a mode has few instructions. */
    bool is_short() const
    {
        return p.mode == GF_BLEND_NORMAL || p.mode == GF_BLEND_COMPARE || p.mode == GF_BLEND_DIFFERENCE;
    }

    /*
     * Finds where a second image of the same layout shares the signal's alignment; rows of the
     * signal begin at `from`.
     */
    template <int T, int C>
    void bound(uintptr_t from, struct gf_pixel_quads_task &t) const
    {
        const int64_t end = std::min(t.first + t.rows, rows.end + shift);
        uintptr_t other;

        if (beside.layout != T || beside.channels != C || !gf_pixel_quads_alike<T>(beside, beside.start, &other)
            || (other - (uintptr_t)p.x * C * gf_sample_layout<T>::bytes - from) % 16 != 0)
            t.rows = 0;
        else
            t.rows = end - std::max(t.first, rows.start + shift);
        t.first = std::max(t.first, rows.start + shift);
        t.left = std::max(t.left, p.x);
        t.right = std::min(t.right, p.x + beside.width);
    }

    template <int T, int C, int W>
    __device__ __forceinline__ void make_words(const struct gf_block_view &src, const struct gf_block_view &dst,
                                               int64_t x, int64_t y,
                                               unsigned (&w)[W]) const
    {
        constexpr int bytes = gf_sample_layout<T>::bytes;
        unsigned other[W];

        gf_read_words<W>(beside.data + (y - shift - beside.start) * beside.pitch * bytes
                         + (x - p.x) * C * bytes, other);
        if (p.mode == GF_BLEND_NORMAL)
            mix_words<GF_BLEND_NORMAL, T, C>(src, dst, other, w);
        else if (p.mode == GF_BLEND_COMPARE)
            mix_words<GF_BLEND_COMPARE, T, C>(src, dst, other, w);
        else
            mix_words<GF_BLEND_DIFFERENCE, T, C>(src, dst, other, w);
    }

    template <int T, int C, int N, int V>
    __device__ __forceinline__ void make(const struct place &at, int from, int, int pixels, float (&v)[N][V]) const
    {
        if (at.from >= from + pixels || at.to <= from)
            return;
        if constexpr (N == 4)
            if (from >= at.from && from + 4 <= at.to) {
                float s[4][4] = { };

                read_whole<T, C>(at.row, at.column + from, s);
                change<C>(v, s);
                return;
            }
        /* at the ends of rows, a pixel at a time: the first pixel, which moves to the end */
#pragma unroll 1
        for (int i = from; i < from + N; i++) {
            float one[1][V], s[1][4];

#pragma unroll
            for (int c = 0; c < V; c++)
                one[0][c] = v[0][c];
            if (i >= at.from && i < at.to) {
                const float4 q = gf_get_pixel(beside, at.row, at.column + i);

                s[0][0] = q.x, s[0][1] = q.y, s[0][2] = q.z, s[0][3] = q.w;
                change<C>(one, s);
            }
#pragma unroll
            for (int k = 0; k < N; k++)
#pragma unroll
                for (int c = 0; c < V; c++)
                    v[k][c] = k + 1 < N ? v[k + 1 < N ? k + 1 : 0][c] : one[0][c];
        }
    }
};

extern "C" int gf_blend_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                             struct gf_error *err)
{
    const struct gf_blend *p = (const struct gf_blend *)params;

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    return gf_program_buffers_run(work, io, io->dst.span, err, [&](const struct gf_io &plain) {
        const struct gf_pixel_quads_task t = gf_pixel_quads_of_call(&plain);

        if (t.src.channels > 4 || t.dst.channels != t.src.channels || io->beside.channels > 4)
            return gf_fail(err, GF_FAILED, "the GPU blends at most 4 channels;; use --device cpu");
        return gf_pixel_quads_launch(t, mix_in { gf_block_view_of(&io->beside), *p, io->beside.span, io->beside_shift },
                                     p->colours + p->alpha == t.src.channels && p->alpha == (t.src.channels == 4),
                                     "blend", (cudaStream_t)work->stream, err);
    });
}
