/*
 * Single samples and pixels, as stored and as floats.
 * The quotient x / one is computed as x·high + x·low, where high + low is 1/one to 48 bits. For
 * 16-bit x and `one`, the exact quotient is further than that error from the middle of two floats,
 * so the sum rounds the same way.
 */
#ifndef GF_KERNELS_THREAD_SAMPLE_CUH
#define GF_KERNELS_THREAD_SAMPLE_CUH

#include "kernels/base/block_view.cuh"

#define GF_MAGIC 8388608.0f             /* 2^23: floats from here on are integers */

/* `bits` is a float of at least 2^23 whose low bits are a stored unsigned sample. */
static __device__ __forceinline__ float gf_sample_quotient(unsigned bits, const struct gf_block_view &v)
{
    float x = __fadd_rn(__uint_as_float(bits), -GF_MAGIC);
    return __fmaf_rn(x, v.high, __fmul_rn(x, v.low));
}

/* Returns the stored unsigned sample in the low bits; the upper bits are undefined. */
static __device__ __forceinline__ unsigned gf_sample_level(float value, const struct gf_block_view &v)
{
    return __float_as_uint(__fadd_rn(__fmul_rn(__saturatef(value), v.one), GF_MAGIC));
}

static __device__ __forceinline__ int gf_sample_signed(float value, const struct gf_block_view &v)
{
    int i = __float2int_rn(__fmul_rn(value, v.one));
    return (int)((unsigned)max(min(i, v.most), v.least) << v.shift);
}

/* Returns sample i after `at`; the layout is known at compile time. */
template <int T>
static __device__ __forceinline__ float gf_sample_get_as(const struct gf_block_view &v, const unsigned char *at,
                                                         int64_t i)
{
    if (T == GF_U8)
        return gf_sample_quotient(0x4B000000u | at[i], v);
    if (T == GF_U16)
        return gf_sample_quotient(0x4B000000u | ((const unsigned short *)at)[i], v);
    if (T == GF_S16)
        return __fmul_rn((float)((const short *)at)[i], 1.0f / 32768);
    if (T == GF_S32)
        return __fmul_rn(__int2float_rn(((const int *)at)[i]), 1.0f / 2147483648.0f);
    return T == GF_F64 ? __double2float_rn(((const double *)at)[i]) : ((const float *)at)[i];
}

/* Returns sample i after `at`, in any layout. */
static __device__ __forceinline__ float gf_sample_get(const struct gf_block_view &v, const unsigned char *at, int64_t i)
{
    switch (v.layout) {
    case GF_U8: return gf_sample_get_as<GF_U8>(v, at, i);
    case GF_U16: return gf_sample_get_as<GF_U16>(v, at, i);
    case GF_S16: return gf_sample_get_as<GF_S16>(v, at, i);
    case GF_S32: return gf_sample_get_as<GF_S32>(v, at, i);
    case GF_F64: return gf_sample_get_as<GF_F64>(v, at, i);
    default: return gf_sample_get_as<GF_F32>(v, at, i);
    }
}

/* Writes sample i after `at`; the layout is known at compile time. */
template <int T>
static __device__ __forceinline__ void gf_sample_put_as(const struct gf_block_view &v, unsigned char *at, int64_t i,
                                                        float value)
{
    if (T == GF_U8)
        at[i] = (unsigned char)gf_sample_level(value, v);
    else if (T == GF_U16)
        ((unsigned short *)at)[i] = (unsigned short)gf_sample_level(value, v);
    else if (T == GF_S16)
        ((short *)at)[i] = (short)gf_sample_signed(value, v);
    else if (T == GF_S32)
        ((int *)at)[i] = gf_sample_signed(value, v);
    else if (T == GF_F64)
        ((double *)at)[i] = (double)value;
    else
        ((float *)at)[i] = value;
}

/* Writes sample i after `at`, in any layout. */
static __device__ __forceinline__ void gf_sample_put(const struct gf_block_view &v, unsigned char *at,
                                                     int64_t i, float value)
{
    switch (v.layout) {
    case GF_U8: return gf_sample_put_as<GF_U8>(v, at, i, value);
    case GF_U16: return gf_sample_put_as<GF_U16>(v, at, i, value);
    case GF_S16: return gf_sample_put_as<GF_S16>(v, at, i, value);
    case GF_S32: return gf_sample_put_as<GF_S32>(v, at, i, value);
    case GF_F64: return gf_sample_put_as<GF_F64>(v, at, i, value);
    default: return gf_sample_put_as<GF_F32>(v, at, i, value);
    }
}

/* Returns channel c of column x of the row at `at`. */
static __device__ __forceinline__ int64_t gf_sample_index(const struct gf_block_view &v, int64_t x, int c)
{
    return v.layout == GF_PLANES ? x + c * v.plane : x * v.channels + c;
}

/* Reads the first four channels of column x, or all if there are fewer. */
template <int T>
static __device__ __forceinline__ void gf_pixel_get_as(const struct gf_block_view &v, const unsigned char *row,
                                                       int64_t x, float (&p)[4])
{
#pragma unroll
    for (int c = 0; c < 4; c++)
        if (c < v.channels)
            p[c] = gf_sample_get_as<T>(v, row, T == GF_PLANES ? x + c * v.plane : x * v.channels + c);
}

/* Like gf_pixel_get_as() in any layout, which is looked up once for all channels. */
static __device__ __forceinline__ void gf_pixel_get(const struct gf_block_view &v, const unsigned char *row, int64_t x,
                                                    float (&p)[4])
{
    switch (v.layout) {
    case GF_U8: return gf_pixel_get_as<GF_U8>(v, row, x, p);
    case GF_U16: return gf_pixel_get_as<GF_U16>(v, row, x, p);
    case GF_S16: return gf_pixel_get_as<GF_S16>(v, row, x, p);
    case GF_S32: return gf_pixel_get_as<GF_S32>(v, row, x, p);
    case GF_F64: return gf_pixel_get_as<GF_F64>(v, row, x, p);
    case GF_PLANES: return gf_pixel_get_as<GF_PLANES>(v, row, x, p);
    default: return gf_pixel_get_as<GF_F32>(v, row, x, p);
    }
}

/* Returns channel c of a signal that is one pixel wide. */
static __device__ __forceinline__ float gf_frame_get(const struct gf_block_view &v, int64_t unit, int c)
{
    return gf_sample_get(v, gf_block_view_row(v, unit), gf_sample_index(v, 0, c));
}

static __device__ __forceinline__ void gf_frame_put(const struct gf_block_view &v, int64_t unit, int c, float value)
{
    gf_sample_put(v, gf_block_view_row(v, unit), gf_sample_index(v, 0, c), value);
}

#endif
