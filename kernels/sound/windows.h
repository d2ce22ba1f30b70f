/* Spectra of overlapping windows, and the signal that they add up to again. */
#ifndef GF_KERNELS_WINDOWS_H
#define GF_KERNELS_WINDOWS_H

#include "kernels/base/fft.h"
#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_WINDOWS_OVERLAP 4             /* windows that cover a frame */
#define GF_WINDOWS_LEAST 128
#define GF_WINDOWS_MOST 16384

/*
 * Blocks of a signal have `step` = size/4 frames. gf_op_analyze makes 4 channels of each one: block b has the spectrum
 * of the window of `size` frames that ends with block b, weighted by the table; outside the signal is silence. It has
 * size/2 values (GF_FFT_FILTER: frequencies (k + 1/2)·rate/size), in the order in which transforms store them. Value
 * number i of block b is in frame b·step + i % step: its real part in channel i/step of the four, its imaginary part
 * in channel 2 + i/step. The result is `size` frames longer, so that each frame has four windows; a block that is not
 * whole at the end is zero.
 * gf_op_synthesize is its inverse: windows are weighted again, and added in their order. Planes in, planes out, with
 * adjacent frames and no programs.
 */
struct gf_windows {
    int size;
    int64_t table;                       /* an even place in the pool of tables: `size` weights, then turns */
};

static inline int gf_windows_step(const struct gf_windows *w)
{
    return w->size / GF_WINDOWS_OVERLAP;
}

/* Floats of the table, and its content; `tree` has room for `size` doubles. */
static inline int64_t gf_windows_entries(const struct gf_windows *w)
{
    return w->size + gf_fft_turns_floats(w->size / 2);
}
int64_t gf_windows_tables_end(const struct gf_windows *w);       /* -1: the parameters make no sense */
void gf_windows_fill(const struct gf_windows *w, double *tree, float *table);
/* Sets order[k] to where the value of frequency k + 1/2 is stored, for size/2 values. */
void gf_windows_order(const struct gf_windows *w, int *order);
/* Computes the powers of a window that begins at x, in the order of storing; `room` has `size` floats. */
void gf_windows_powers(const struct gf_windows *w, const float *table, const float *x, float *room, float *power);

extern const struct gf_operation gf_op_analyze, gf_op_synthesize;
gf_op_body gf_analyze_cpu, gf_analyze_cuda, gf_synthesize_cpu, gf_synthesize_cuda;

#ifdef __cplusplus
}
#endif
#endif
