/* Another rate of frames: weighted sums at places between frames, polyphase. */
#ifndef GF_KERNELS_RESAMPLE_H
#define GF_KERNELS_RESAMPLE_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_RESAMPLE_SUMS 16              /* sums a result is added up in; taps are a multiple of it */
#define GF_RESAMPLE_AHEAD 4              /* weights that a GPU has on their way while it uses one */

/*
 * Frame n of the result lies at n·times/per of the source: `whole` frames and a part of one. It is
 * the sum of `taps` frames from whole - taps/2 + 1 on, zero beyond the signal, weighed by a row of
 * the table: row `rest`, where the part is rest/per; or, where there are fewer rows than that,
 * between the two of `phases` + 1 rows that are nearest. Tap k is added to sum k modulo 16 in turn;
 * then the sums are added by halves: j += j + 8, j + 4, j + 2, j + 1. Planes in, planes out, whose
 * frames lie side by side, and no programs.
 */
struct gf_resample {
    int64_t times, per;                  /* without common factors */
    int taps;
    int phases;                          /* 0: there is a row for each of `per` */
    int64_t table;                       /* rows of `taps` weights, in the pool of tables */
};

/* Which frames are weighed for one of the result, and by which row, or between which two. */
struct gf_resample_place {
    int64_t first;
    int64_t row;
    float share;                         /* of the row behind it; 0 with a row for each place */
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

/* The rows of the table. */
static inline int64_t gf_resample_rows(const struct gf_resample *r)
{
    return r->phases == 0 ? r->per : r->phases + 1;
}

/*
 * Settles on taps and phases for times and per: a low-pass filter that lets 0.4566 of the lower
 * rate pass and stops at half of it, 137 dB below (a sinc in a Kaiser window).
 */
void gf_resample_choose(struct gf_resample *r);
/* Fills the table; each row sums to 1. */
void gf_resample_fill(const struct gf_resample *r, float *rows);
/*
 * For a look between frames, `per` of them for one: those of the source come out as they are, and the others lie on the
 * curve of a filter that lets 0.46 of the rate pass, is half down at half of it, and 80 dB from 0.54 on.
 */
void gf_resample_choose_between(struct gf_resample *r, int per);
void gf_resample_fill_between(const struct gf_resample *r, float *rows);
/* And back: each `times`-th frame, as it is where all are finite. */
void gf_resample_choose_every(struct gf_resample *r, int times);
void gf_resample_fill_every(const struct gf_resample *r, float *rows);
gf_op_scratch gf_resample_scratch_bytes;

extern const struct gf_operation gf_op_resample;
gf_op_body gf_resample_cpu, gf_resample_cuda;

#ifdef __cplusplus
}
#endif
#endif
