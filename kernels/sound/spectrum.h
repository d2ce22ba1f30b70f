/* Spectra of a signal over time: audio in, a row of powers for each stretch out. */
#ifndef GF_KERNELS_SPECTRUM_H
#define GF_KERNELS_SPECTRUM_H

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
    /* in the pool of tables: `size` weights, then cos and sin of 2πk/size for the first half of k */
    int64_t table;
    float scale;                         /* scale of a window's power */
};

GF_BOTH int64_t gf_spectrum_first(const struct gf_spectrum *s, int64_t n, int i)
{
    return n * s->stretch + (2 * i + 1) * s->stretch / (2 * s->windows) - s->size / 2;
}

/* Size of the table, and its content (Hann window). */
static inline int64_t gf_spectrum_entries(int size)
{
    return 2 * (int64_t)size;
}
void gf_spectrum_fill(struct gf_spectrum *s, float *table);
extern const struct gf_operation gf_op_spectrum;
gf_op_body gf_spectrum_cpu, gf_spectrum_cuda;

#ifdef __cplusplus
}
#endif
#endif
