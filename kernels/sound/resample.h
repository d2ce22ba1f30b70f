/* Changes the rate of frames: weighted sums at positions between frames, polyphase. */
#ifndef GF_KERNELS_RESAMPLE_H
#define GF_KERNELS_RESAMPLE_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_RESAMPLE_SUMS 16              /* partial sums of a result; taps are a multiple of it */
#define GF_RESAMPLE_AHEAD 4              /* weights that a GPU loads in advance */

enum gf_resample_quality { GF_RESAMPLE_BEST, GF_RESAMPLE_GOOD, GF_RESAMPLE_FAST };

/*
 * Frame n of the result is at n·times/per of the source: `whole` frames and a fraction. It is the
 * sum of `taps` frames from whole - taps/2 + 1 on, zero outside the signal, weighted by a row of
 * the table: row `rest` if the fraction is rest/per; or, if the table has fewer rows, an
 * interpolation between the two nearest of its `phases` + 1 rows. Tap k is added to sum k modulo 16
 * in turn; then the sums are added by halves: j += j + 8, j + 4, j + 2, j + 1.
 * Planes in, planes out, with adjacent frames and no programs.
 */
struct gf_resample {
    int64_t times, per;                  /* without common factors */
    int taps;
    int phases;                          /* 0: the table has a row for each of `per` positions */
    int64_t table;                       /* rows of `taps` weights, in the pool of tables */
    enum gf_resample_quality quality;    /* of the low-pass filter that gf_resample_fill() makes */
};

/* The frames for one frame of the result, and the row or the two rows that weight them. */
struct gf_resample_place {
    int64_t first;
    int64_t row;
    float share;                         /* weight of the second row; 0 if each position has its own row */
};

GF_BOTH struct gf_resample_place gf_resample_at(const struct gf_resample *r, int64_t n)
{
    const int64_t part = n % r->per * r->times, rest = part % r->per;
    struct gf_resample_place p;

    p.first = n / r->per * r->times + part / r->per - r->taps / 2 + 1;
    p.row = r->phases == 0 ? rest : rest * r->phases / r->per;
    p.share = r->phases == 0 ? 0.0f : (float)((double)(rest * r->phases % r->per) / (double)r->per);
    return p;
}

/* Returns the rows of the table. */
static inline int64_t gf_resample_rows(const struct gf_resample *r)
{
    return r->phases == 0 ? r->per : r->phases + 1;
}

/*
 * Chooses taps and phases for times, per and quality: a low-pass filter, a sinc in a Kaiser window. Shares of the
 * lower rate:
 *     best  passes up to 0.4566, and stops from 0.5 on by 137 dB
 *     good  passes up to 0.426, and stops from 0.53 on by 100 dB
 *     fast  passes up to 0.376, and stops from 0.555 on by 80 dB
 */
void gf_resample_choose(struct gf_resample *r);
/* Fills the table; each row sums to 1. */
void gf_resample_fill(const struct gf_resample *r, float *rows);
/*
 * These two are for interpolation by `per`. The frames of the source stay unchanged. The others are
 * on the curve of a filter that passes frequencies to 0.46 of the rate, halves those at 0.5, and is
 * at -80 dB from 0.54 on.
 */
void gf_resample_choose_between(struct gf_resample *r, int per);
void gf_resample_fill_between(const struct gf_resample *r, float *rows);
/* The inverse: each `times`-th frame unchanged, if all are finite. */
void gf_resample_choose_every(struct gf_resample *r, int times);
void gf_resample_fill_every(const struct gf_resample *r, float *rows);
extern const struct gf_operation gf_op_resample;
gf_op_body gf_resample_cpu, gf_resample_cuda;

#ifdef __cplusplus
}
#endif
#endif
