/* Four pixels as stored words and as floats: how CUDA bodies read and write blocks. */
#ifndef GF_KERNELS_THREAD_PACK_CUH
#define GF_KERNELS_THREAD_PACK_CUH

#include "kernels/base/thread_sample.cuh"

template <int T> struct gf_sample_layout {
    static constexpr int bytes = T == GF_U8 ? 1 : T == GF_U16 || T == GF_S16 ? 2 : T == GF_F64 ? 8 : 4;
};

/* Copies N contiguous words, in the widest pieces that their alignment and N allow. */
template <int N>
static __device__ __forceinline__ bool gf_read_words(const unsigned char *p, unsigned *w)
{
    constexpr int step = N % 4 == 0 ? 16 : N % 2 == 0 ? 8 : 4;

    if ((uintptr_t)p % step)
        return false;
#pragma unroll
    for (int i = 0; i < N; i += step / 4) {
        if (step == 16) {
            uint4 q = *(const uint4 *)(p + 4 * i);
            w[i] = q.x, w[i + 1] = q.y, w[i + 2] = q.z, w[i + 3] = q.w;
        } else if (step == 8) {
            uint2 q = *(const uint2 *)(p + 4 * i);
            w[i] = q.x, w[i + 1] = q.y;
        } else {
            w[i] = *(const unsigned *)(p + 4 * i);
        }
    }
    return true;
}

template <int N>
static __device__ __forceinline__ bool gf_write_words(unsigned char *p, const unsigned *w)
{
    constexpr int step = N % 4 == 0 ? 16 : N % 2 == 0 ? 8 : 4;

    if ((uintptr_t)p % step)
        return false;
#pragma unroll
    for (int i = 0; i < N; i += step / 4) {
        if (step == 16)
            *(uint4 *)(p + 4 * i) = make_uint4(w[i], w[i + 1], w[i + 2], w[i + 3]);
        else if (step == 8)
            *(uint2 *)(p + 4 * i) = make_uint2(w[i], w[i + 1]);
        else
            *(unsigned *)(p + 4 * i) = w[i];
    }
    return true;
}

template <class T> struct gf_four;
template <> struct gf_four<unsigned char> { typedef uchar4 type; };
template <> struct gf_four<unsigned short> { typedef ushort4 type; };
template <> struct gf_four<float> { typedef float4 type; };

/* Four samples that are aligned to their size. */
template <class T, class V>
static __device__ __forceinline__ void gf_read_four(const T *p, V *v)
{
    const typename gf_four<T>::type q = *(const typename gf_four<T>::type *)p;

    v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
}

/* The stored samples of four pixels as words: plane by plane if planar, otherwise in their order. */
template <int T, int C>
struct gf_pixel_quad {
    static constexpr int bytes = gf_sample_layout<T>::bytes;
    static constexpr int words = C * bytes;
    unsigned w[words];

    /* Sets sample k of the 4·C, in stored order, from memory. Samples of 1 or 2 bytes must be 0 before. */
    __device__ __forceinline__ void set(int k, unsigned char const *p)
    {
        if (bytes == 1)
            w[k / 4] |= (unsigned)*p << (k % 4 * 8);
        else if (bytes == 2)
            w[k / 2] |= (unsigned)*(const unsigned short *)p << (k % 2 * 16);
        else if (bytes == 4)
            w[k] = *(const unsigned *)p;
        else
            w[2 * k] = ((const unsigned *)p)[0], w[2 * k + 1] = ((const unsigned *)p)[1];
    }

    __device__ __forceinline__ void read_few(const unsigned char *p, int count, int first)
    {
#pragma unroll
        for (int k = 0; k < (T == GF_PLANES ? 4 : 4 * C); k++)
            if (k < count)
                set(first + k, p + k * bytes);
    }

    /* Columns x to x + pixels (1 to 4) of the row at `row`. */
    __device__ __forceinline__ void read(const struct gf_block_view &v, const unsigned char *row, int64_t x, int pixels)
    {
        constexpr int runs = T == GF_PLANES ? C : 1, n = words / runs;

        if (bytes < 4 && pixels < 4) {
#pragma unroll
            for (int i = 0; i < words; i++)
                w[i] = 0;
        }
#pragma unroll
        for (int r = 0; r < runs; r++) {
            const unsigned char *p = row + (T == GF_PLANES ? x + r * v.plane : x * C) * bytes;

            if (pixels == 4 && gf_read_words<n>(p, w + r * n))
                continue;
            if (bytes < 4 && pixels == 4) {
#pragma unroll
                for (int i = 0; i < n; i++)
                    w[r * n + i] = 0;
            }
            read_few(p, T == GF_PLANES ? pixels : pixels * C, r * n);
        }
    }

    __device__ __forceinline__ float get(const struct gf_block_view &v, int pixel, int c) const
    {
        int k = T == GF_PLANES ? 4 * c + pixel : pixel * C + c;

        if (T == GF_U8)
            return gf_sample_quotient(__byte_perm(w[k / 4], 0x4B000000u, 0x7440 | k % 4), v);
        if (T == GF_U16)
            return gf_sample_quotient(__byte_perm(w[k / 2], 0x4B000000u, k % 2 ? 0x7432 : 0x7410), v);
        if (T == GF_S16)
            return __fmul_rn((float)(short)(w[k / 2] >> (k % 2 * 16)), 1.0f / 32768);
        if (T == GF_S32)
            return __fmul_rn(__int2float_rn((int)w[k]), 1.0f / 2147483648.0f);
        if (T == GF_F64)
            return __double2float_rn(__hiloint2double((int)w[2 * k + 1], (int)w[2 * k]));
        return __uint_as_float(w[k]);
    }

    template <int V>
    __device__ __forceinline__ void unpack(const struct gf_block_view &v, float (&out)[4][V]) const
    {
#pragma unroll
        for (int p = 0; p < 4; p++)
#pragma unroll
            for (int c = 0; c < C; c++)
                out[p][c] = get(v, p, c);
    }
};

/* Packs four words of 8-bit levels, or two of 16-bit levels, into one. */
static __device__ __forceinline__ unsigned gf_join4(unsigned a, unsigned b, unsigned c, unsigned d)
{
    return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
}

/* Packs four pixels into words of unsigned integers or floats, laid out as in gf_pixel_quad. */
template <int T, int C, int V>
static __device__ __forceinline__ void gf_pack_quad(const struct gf_block_view &v, const float (&in)[4][V], unsigned *w)
{
#pragma unroll
    for (int i = 0; i < C * gf_sample_layout<T>::bytes; i++) {
        if (T == GF_U8)
            w[i] = gf_join4(gf_sample_level(in[4 * i / C][4 * i % C], v),
                            gf_sample_level(in[(4 * i + 1) / C][(4 * i + 1) % C], v),
                            gf_sample_level(in[(4 * i + 2) / C][(4 * i + 2) % C], v),
                            gf_sample_level(in[(4 * i + 3) / C][(4 * i + 3) % C], v));
        else if (T == GF_U16)
            w[i] = __byte_perm(gf_sample_level(in[2 * i / C][2 * i % C], v),
                               gf_sample_level(in[(2 * i + 1) / C][(2 * i + 1) % C], v), 0x5410);
        else
            w[i] = __float_as_uint(in[i / C][i % C]);
    }
}

template <int T, int C, int V>
static __device__ __forceinline__ void gf_write_quad(const struct gf_block_view &v, unsigned char *row, int64_t x,
                                                     const float (&in)[4][V])
{
    constexpr int n = C * gf_sample_layout<T>::bytes;
    unsigned char *p = row + x * C * gf_sample_layout<T>::bytes;
    unsigned w[n];

    gf_pack_quad<T, C>(v, in, w);
    if (gf_write_words<n>(p, w))
        return;
#pragma unroll
    for (int k = 0; k < 4 * C; k++) {
        if (T == GF_U8)
            p[k] = (unsigned char)(w[k / 4] >> (k % 4 * 8));
        else if (T == GF_U16)
            ((unsigned short *)p)[k] = (unsigned short)(w[k / 2] >> (k % 2 * 16));
        else
            ((unsigned *)p)[k] = w[k];
    }
}

/* Any layout, up to V channels, sample by sample. */
template <int V>
static __device__ __forceinline__ void gf_write_any(const struct gf_block_view &v, unsigned char *row, int64_t x,
                                                    int pixels, const float (&in)[4][V])
{
#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int c = 0; c < V; c++)
            if (p < pixels && c < v.channels)
                gf_sample_put(v, row, gf_sample_index(v, x + p, c), in[p][c]);
}

template <int V>
static __device__ __forceinline__ void gf_write_planes(const struct gf_block_view &v, unsigned char *row, int64_t x,
                                                       const float (&in)[4][V])
{
#pragma unroll
    for (int c = 0; c < V; c++) {
        unsigned w[4] = { __float_as_uint(in[0][c]), __float_as_uint(in[1][c]),
                          __float_as_uint(in[2][c]), __float_as_uint(in[3][c]) };
        float *p = (float *)row + x + c * v.plane;

        if (c >= v.channels || gf_write_words<4>((unsigned char *)p, w))
            continue;
        p[0] = in[0][c], p[1] = in[1][c], p[2] = in[2][c], p[3] = in[3][c];
    }
}

/* Stores columns x to x + pixels of the row at `row`. */
template <int V>
static __device__ __forceinline__ void gf_write4(const struct gf_block_view &v, unsigned char *row, int64_t x,
                                                 int pixels, const float (&in)[4][V])
{
    int shape = pixels < 4 ? -1 : v.layout * 8 + v.channels;

    if (pixels == 4 && v.layout == GF_PLANES)
        gf_write_planes(v, row, x, in);
    else if (shape == GF_U8 * 8 + 1)
        gf_write_quad<GF_U8, 1>(v, row, x, in);
    else if (shape == GF_U16 * 8 + 1)
        gf_write_quad<GF_U16, 1>(v, row, x, in);
    else if (shape == GF_F32 * 8 + 1)
        gf_write_quad<GF_F32, 1>(v, row, x, in);
    else if (V == 4 && shape == GF_U8 * 8 + 3)
        gf_write_quad<GF_U8, V == 4 ? 3 : 1>(v, row, x, in);
    else if (V == 4 && shape == GF_U16 * 8 + 3)
        gf_write_quad<GF_U16, V == 4 ? 3 : 1>(v, row, x, in);
    else if (V == 4 && shape == GF_F32 * 8 + 3)
        gf_write_quad<GF_F32, V == 4 ? 3 : 1>(v, row, x, in);
    else if (V == 4 && shape == GF_U8 * 8 + 4)
        gf_write_quad<GF_U8, V == 4 ? 4 : 1>(v, row, x, in);
    else if (V == 4 && shape == GF_U16 * 8 + 4)
        gf_write_quad<GF_U16, V == 4 ? 4 : 1>(v, row, x, in);
    else if (V == 4 && shape == GF_F32 * 8 + 4)
        gf_write_quad<GF_F32, V == 4 ? 4 : 1>(v, row, x, in);
    else
        gf_write_any(v, row, x, pixels, in);
}

template <int T, int C>
static __device__ __forceinline__ void gf_read_quad(const struct gf_block_view &v, const unsigned char *row, int64_t x,
                                                    float (&out)[4][4])
{
    struct gf_pixel_quad<T, C> four;

    four.read(v, row, x, 4);
    four.unpack(v, out);
}

/* Loads columns x to x + pixels of the row at `row`; up to 4 channels. */
static __device__ __forceinline__ void gf_read4(const struct gf_block_view &v, const unsigned char *row,
                                                int64_t x, int pixels,
                                                float (&out)[4][4])
{
    switch (pixels < 4 ? -1 : v.layout * 8 + v.channels) {
    case GF_U8 * 8 + 1: gf_read_quad<GF_U8, 1>(v, row, x, out); return;
    case GF_U8 * 8 + 3: gf_read_quad<GF_U8, 3>(v, row, x, out); return;
    case GF_U8 * 8 + 4: gf_read_quad<GF_U8, 4>(v, row, x, out); return;
    case GF_U16 * 8 + 1: gf_read_quad<GF_U16, 1>(v, row, x, out); return;
    case GF_U16 * 8 + 3: gf_read_quad<GF_U16, 3>(v, row, x, out); return;
    case GF_F32 * 8 + 1: gf_read_quad<GF_F32, 1>(v, row, x, out); return;
    case GF_F32 * 8 + 3: gf_read_quad<GF_F32, 3>(v, row, x, out); return;
    case GF_PLANES * 8 + 1: gf_read_quad<GF_PLANES, 1>(v, row, x, out); return;
    case GF_PLANES * 8 + 3: gf_read_quad<GF_PLANES, 3>(v, row, x, out); return;
    case GF_PLANES * 8 + 4: gf_read_quad<GF_PLANES, 4>(v, row, x, out); return;
    }
#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int c = 0; c < 4; c++)
            if (p < pixels && c < v.channels)
                out[p][c] = gf_sample_get(v, row, gf_sample_index(v, x + p, c));
}

#endif
