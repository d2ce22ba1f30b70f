/* Curves in plain fused arithmetic, so that every device computes the same bits. */
#ifndef GF_KERNELS_CURVE_H
#define GF_KERNELS_CURVE_H

#include "kernels/base/border.h"

#include <math.h>
#include <string.h>

GF_BOTH float gf_float_of_bits(int32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

GF_BOTH int32_t gf_bits_of_float(float f)
{
    int32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/*
 * Computes x^a for x ≥ 0 and a > 0, to about 3e-7 of the result. x = m·2^e with m around 1. log2(m)
 * comes from the series of atanh((m-1)/(m+1)), which converges quickly for |s| ≤ 0.172. The
 * exponent a·e is kept apart from a·log2(m), so that large ones lose no precision.
 */
GF_BOTH float gf_powf(float x, float a)
{
    const float normal = x < 1.17549435e-38f ? x * 16777216.0f : x;
    const int32_t bits = gf_bits_of_float(normal);
    const int32_t above = (bits - 0x3f3504f3) >> 23;         /* m from √½ to √2 */
    const float m = gf_float_of_bits(bits - (int32_t)((uint32_t)above << 23));
    const float e = (float)above - (x < 1.17549435e-38f ? 24.0f : 0.0f);
    const float s = (m - 1.0f) / (m + 1.0f), z = s * s;
    float l, p, t, n, r, y;
    int32_t i, half;

    l = fmaf(z, 0.26230818f, 0.32059889f);                   /* 2/(k·ln 2) for k = 11, 9, 7, 5, 3 */
    l = fmaf(z, l, 0.41219858f);
    l = fmaf(z, l, 0.57707802f);
    l = fmaf(z, l, 0.96179670f);
    l = fmaf(z * s, l, 2.88539008f * s);
    t = a * l;
    p = a * e;
    n = rintf(p + t);
    n = n < -300.0f ? -300.0f : n > 300.0f ? 300.0f : n;
    r = ((p - n) + t) + fmaf(a, e, -p);
    r = r < -1.0f ? -1.0f : r > 1.0f ? 1.0f : r;
    y = fmaf(r, 1.52527338e-5f, 1.54035304e-4f);             /* (ln 2)^k / k! for k = 7 … 1 */
    y = fmaf(r, y, 1.33335581e-3f);
    y = fmaf(r, y, 9.61812911e-3f);
    y = fmaf(r, y, 5.55041087e-2f);
    y = fmaf(r, y, 2.40226507e-1f);
    y = fmaf(r, y, 6.93147181e-1f);
    y = fmaf(r, y, 1.0f);
    i = (int32_t)n;
    half = i / 3;                                            /* three factors cover 2^-300 to 2^300 */
    y = y * gf_float_of_bits((int32_t)((uint32_t)(half + 127) << 23));
    y = y * gf_float_of_bits((int32_t)((uint32_t)(half + 127) << 23));
    y = y * gf_float_of_bits((int32_t)((uint32_t)(i - 2 * half + 127) << 23));
    y = x > 0.0f ? y : 0.0f;
    return x > 3.40282347e38f ? x : y;
}

/* The sRGB curve and its inverse, also for v below 0. */
GF_BOTH float gf_linear_of_srgb(float v)
{
    return v <= 0.04045f ? v * (float)(1 / 12.92) : gf_powf(fmaf(v, (float)(1 / 1.055), (float)(0.055 / 1.055)), 2.4f);
}

GF_BOTH float gf_srgb_of_linear(float v)
{
    return v <= 0.0031308f ? v * 12.92f : fmaf(1.055f, gf_powf(v, (float)(1 / 2.4)), -0.055f);
}

/*
 * The cube root, to about 1e-7 of the result. A third of the exponent gives x^(-1/3) to 4 %, and Newton's method
 * without a division does the rest. Numbers below 1e-37 have the root 0.
 */
GF_BOTH float gf_cube_root(float x)
{
    const float size = fabsf(x);
    float y = gf_float_of_bits(0x54a2fa8c - gf_bits_of_float(size) / 3), root;

    for (int i = 0; i < 3; i++)
        y = y * fmaf(size * y * y * y, -1.0f / 3, 4.0f / 3);
    root = size * y * y;
    root = fmaf(fmaf(-root * root, root, size) * y, y * (1.0f / 3), root);
    root = size < 1e-37f ? 0.0f : size > 3.40282347e38f ? size : root;
    return x < 0.0f ? -root : x != x ? x : root;
}

/* The function f of CIE L*a*b*, which is a line near black, and its inverse. */
GF_BOTH float gf_lab_of_linear(float v)
{
    return v > (float)(216.0 / 24389) ? gf_cube_root(v) : fmaf(v, (float)(841.0 / 108), (float)(4.0 / 29));
}

GF_BOTH float gf_linear_of_lab(float v)
{
    return v > (float)(6.0 / 29) ? v * v * v : (v - (float)(4.0 / 29)) * (float)(108.0 / 841);
}

#endif
