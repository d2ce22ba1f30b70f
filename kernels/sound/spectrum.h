/* Spectra of a signal over time: audio in, a row of powers for each stretch out. */
#ifndef GF_KERNELS_SPECTRUM_H
#define GF_KERNELS_SPECTRUM_H

#include "kernels/base/fft.h"
#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_SPECTRUM_LEAST 64
#define GF_SPECTRUM_MOST 8192

/*
 * Row n of the result covers frames [n·stretch, (n + 1)·stretch). Column k of channel c is the
 * mean, over `windows` windows, of the power at k·rate/size Hz, scaled so that a full-scale sine
 * has 1 (and a constant has 4 in column 0). Window i has `size` frames, a power of two, weighted by
 * the table, around frame n·stretch + (2i + 1)·stretch/(2·windows); outside the signal is silence.
 * Powers are added window by window. Planes in, planes out, with adjacent frames and no programs.
 */
struct gf_spectrum {
    int64_t stretch;
    int size, windows;
    /*
     * In the pool of tables: `size` weights, then cos and sin of 2πk/size for k up to the half, then
     * the turns of a transform of gf_spectrum_points() points. An even place.
     */
    int64_t table;
    float scale;                         /* scale of a window's power */
};

GF_BOTH int64_t gf_spectrum_first(const struct gf_spectrum *s, int64_t n, int i)
{
    return n * s->stretch + (2 * i + 1) * s->stretch / (2 * s->windows) - s->size / 2;
}

/* Two frames are a point; a window that is too short for a transform is continued with zeros. */
GF_BOTH int gf_spectrum_points(const struct gf_spectrum *s)
{
    return s->size / 2 < GF_FFT_LEAST_POINTS ? GF_FFT_LEAST_POINTS : s->size / 2;
}

/* Returns the number of the value that belongs to column k: its bits in reverse. */
GF_BOTH int gf_spectrum_value(const struct gf_spectrum *s, int k)
{
    const int points = gf_spectrum_points(s);
    int value = 0;

    k = k * (2 * points / s->size) % points;
    for (int bit = 1; bit < points; bit *= 2, k /= 2)
        value = 2 * value + k % 2;
    return value;
}

/*
 * Returns the power of column k, four times as large: a and b are the values of columns k and size/2 - k, and w is
 * exp(2πik/size). Even frames are the real parts of points and odd ones the imaginary parts.
 */
GF_BOTH float gf_spectrum_power(float ar, float ai, float br, float bi, float wr, float wi)
{
    const float even_r = ar + br, even_i = ai - bi, odd_r = ai + bi, odd_i = br - ar;
    const float re = fmaf(-wi, odd_i, fmaf(wr, odd_r, even_r)), im = fmaf(wi, odd_r, fmaf(wr, odd_i, even_i));

    return fmaf(re, re, im * im);
}

/* Size of the table, and its content (Hann window). */
static inline int64_t gf_spectrum_entries(const struct gf_spectrum *s)
{
    return s->size + s->size + 2 + gf_fft_turns_floats(gf_spectrum_points(s));
}
void gf_spectrum_fill(struct gf_spectrum *s, float *table);
extern const struct gf_operation gf_op_spectrum;
gf_op_body gf_spectrum_cpu, gf_spectrum_cuda;

#ifdef __cplusplus
}
#endif
#endif
