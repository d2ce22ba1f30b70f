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

/* Returns log2((1 + s) / (1 - s)), a series that converges quickly for |s| ≤ 0.172: numbers from √½ to √2. */
GF_BOTH float gf_log2_of_ratio(float s)
{
    const float z = s * s;
    float l = fmaf(z, 0.26230818f, 0.32059889f);             /* 2/(k·ln 2) for k = 11, 9, 7, 5, 3 */

    l = fmaf(z, l, 0.41219858f);
    l = fmaf(z, l, 0.57707802f);
    l = fmaf(z, l, 0.96179670f);
    return fmaf(z * s, l, 2.88539008f * s);
}

/* Returns 2^r for |r| ≤ 1. */
GF_BOTH float gf_exp2_of_fraction(float r)
{
    float y = fmaf(r, 1.52527338e-5f, 1.54035304e-4f);       /* (ln 2)^k / k! for k = 7 … 1 */

    y = fmaf(r, y, 1.33335581e-3f);
    y = fmaf(r, y, 9.61812911e-3f);
    y = fmaf(r, y, 5.55041087e-2f);
    y = fmaf(r, y, 2.40226507e-1f);
    y = fmaf(r, y, 6.93147181e-1f);
    return fmaf(r, y, 1.0f);
}

/*
 * Computes x^a for x ≥ 0 and a > 0, to about 3e-7 of the result. x = m·2^e with m around 1. The
 * exponent a·e is kept apart from a·log2(m), so that large ones lose no precision.
 */
GF_BOTH float gf_powf(float x, float a)
{
    const float normal = x < 1.17549435e-38f ? x * 16777216.0f : x;
    const int32_t bits = gf_bits_of_float(normal);
    const int32_t above = (bits - 0x3f3504f3) >> 23;         /* m from √½ to √2 */
    const float m = gf_float_of_bits(bits - (int32_t)((uint32_t)above << 23));
    const float e = (float)above - (x < 1.17549435e-38f ? 24.0f : 0.0f);
    float p, t, n, r, y;
    int32_t i, half;

    t = a * gf_log2_of_ratio((m - 1.0f) / (m + 1.0f));
    p = a * e;
    n = rintf(p + t);
    n = n < -300.0f ? -300.0f : n > 300.0f ? 300.0f : n;
    r = ((p - n) + t) + fmaf(a, e, -p);
    r = r < -1.0f ? -1.0f : r > 1.0f ? 1.0f : r;
    y = gf_exp2_of_fraction(r);
    i = (int32_t)n;
    half = i / 3;                                            /* three factors cover 2^-300 to 2^300 */
    y = y * gf_float_of_bits((int32_t)((uint32_t)(half + 127) << 23));
    y = y * gf_float_of_bits((int32_t)((uint32_t)(half + 127) << 23));
    y = y * gf_float_of_bits((int32_t)((uint32_t)(i - 2 * half + 127) << 23));
    y = x > 0.0f ? y : 0.0f;
    return x > 3.40282347e38f ? x : y;
}

/*
 * The ends of gf_powf(), without cases for extremes: x = (1 + s)/(1 - s)·2^e, and 2^t·2^(a·e). With t = a times
 * gf_log2_of_ratio(s) between them, they give the same bits if both x and x^a are 2^-125 to 2^125.
 */
GF_BOTH float gf_power_split(float x, float *e)
{
    const int32_t bits = gf_bits_of_float(x), above = (bits - 0x3f3504f3) >> 23;
    const float m = gf_float_of_bits(bits - (int32_t)((uint32_t)above << 23));

    *e = (float)above;
    return (m - 1.0f) / (m + 1.0f);
}

GF_BOTH float gf_power_join(float t, float e, float a)
{
    const float p = a * e, magic = 12582912.0f;
    const float sum = (p + t) + magic, n = sum - magic;      /* no fraction is left next to 1.5 · 2^23 */
    const float y = gf_exp2_of_fraction(((p - n) + t) + fmaf(a, e, -p));

    /* the low bits of the sum are n; 2^n has the exponent n + 127 */
    return y * gf_float_of_bits((int32_t)((uint32_t)(gf_bits_of_float(sum) + 127) << 23));
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
 * The root of x from 1e-37 up, to about 1e-7 of the result. A third of the exponent gives y = x^(-1/3) to 4 %, three
 * steps of Newton's method without a division do the rest, and the root is x·y² with another step.
 */
GF_BOTH float gf_cube_root_seed(float x)
{
    return gf_float_of_bits(0x54a2fa8c - gf_bits_of_float(x) / 3);
}

GF_BOTH float gf_cube_root_step(float x, float y)
{
    return y * fmaf(x * y * y * y, -1.0f / 3, 4.0f / 3);
}

GF_BOTH float gf_cube_root_end(float x, float y)
{
    const float root = x * y * y;

    return fmaf(fmaf(-root * root, root, x) * y, y * (1.0f / 3), root);
}

/* The cube root. Numbers below 1e-37 have the root 0. */
GF_BOTH float gf_cube_root(float x)
{
    const float size = fabsf(x);
    float y = gf_cube_root_seed(size), root;

    for (int i = 0; i < 3; i++)
        y = gf_cube_root_step(size, y);
    root = gf_cube_root_end(size, y);
    root = size < 1e-37f ? 0.0f : size > 3.40282347e38f ? size : root;
    return x < 0.0f ? -root : x != x ? x : root;
}

/* The function f of CIE L*a*b*, which is a line near black, and its inverse. */
#define GF_LAB_LINE_END ((float)(216.0 / 24389))

GF_BOTH float gf_lab_line(float v)
{
    return fmaf(v, (float)(841.0 / 108), (float)(4.0 / 29));
}

GF_BOTH float gf_lab_of_linear(float v)
{
    return v > GF_LAB_LINE_END ? gf_cube_root(v) : gf_lab_line(v);
}

GF_BOTH float gf_linear_of_lab(float v)
{
    return v > (float)(6.0 / 29) ? v * v * v : (v - (float)(4.0 / 29)) * (float)(108.0 / 841);
}

#endif
