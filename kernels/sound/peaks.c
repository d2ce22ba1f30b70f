/* Peaks between samples on a CPU: windows that lie a period apart are interpolated together. */
#include "kernels/sound/peaks.h"

#include "base/clones.h"

#include <math.h>
#include <string.h>

#define RUN 32                           /* windows that are weighed together */
#define ROWS 3                           /* rows of weights that are used together */
#define HALF (GF_PEAKS_SUMS / 2)
#define HIGHEST 3.40282347e38f

#define UNROLLED _Pragma("GCC unroll 16")        /* otherwise the sums do not stay in registers */

GF_INLINE void add_scaled(float *restrict s, float w, const float *restrict x)
{
    UNROLLED
    for (int m = 0; m < RUN / 2; m++)
        s[m] = fmaf(w, x[m], s[m]);
}

/* Sets element m of row k to x[m·period + k], so that frames that are weighed together are adjacent. */
GF_CLONES
static void lay_out_windows(const float *restrict x, int64_t period, int64_t rows, float *restrict to)
{
    for (int m = 0; m < RUN; m++)
        for (int64_t k = 0; k < rows; k++)
            to[k * RUN + m] = x[m * period + k];
}

/* Sets s[i][j] to sum j + sum j + 8 of half of the windows, from number `first` on, weighted by row i. */
GF_INLINE void sum_up(const float *restrict x, const float *const *w, int taps, int j, int first,
                      float s[ROWS][HALF][RUN])
{
    float a[2][RUN / 2] = { { 0 } }, b[2][RUN / 2] = { { 0 } }, c[2][RUN / 2] = { { 0 } };

    for (int k = j; k < taps; k += GF_PEAKS_SUMS) {
        const float *low = x + k * RUN + first, *high = low + HALF * RUN;

        add_scaled(a[0], w[0][k], low);
        add_scaled(b[0], w[1][k], low);
        add_scaled(c[0], w[2][k], low);
        add_scaled(a[1], w[0][k + HALF], high);
        add_scaled(b[1], w[1][k + HALF], high);
        add_scaled(c[1], w[2][k + HALF], high);
    }
    for (int m = 0; m < RUN / 2; m++) {
        s[0][j][first + m] = a[0][m] + a[1][m];
        s[1][j][first + m] = b[0][m] + b[1][m];
        s[2][j][first + m] = c[0][m] + c[1][m];
    }
}

/* Raises peaks to the values that three rows interpolate. Frame k of the window of peak m is x[k·RUN + m]. */
GF_CLONES
static void raise_peaks(const float *restrict x, const float *const *w, int taps, float *restrict peak)
{
    float s[ROWS][HALF][RUN];

    for (int j = 0; j < HALF; j++) {
        sum_up(x, w, taps, j, 0, s);
        sum_up(x, w, taps, j, RUN / 2, s);
    }
    for (int i = 0; i < ROWS; i++) {
        for (int half = HALF / 2; half > 0; half /= 2)
            for (int j = 0; j < half; j++)
                for (int m = 0; m < RUN; m++)
                    s[i][j][m] += s[i][j + half][m];
        for (int m = 0; m < RUN; m++) {
            const float v = fabsf(s[i][0][m]);

            peak[m] = v > peak[m] && v <= HIGHEST ? v : peak[m];
        }
    }
}

/* Sets frame i of each of RUN periods to the peak there. */
static void peak_of_windows(const struct gf_peaks *p, const float *rows, const float *x, int64_t period, int64_t i,
                            float *to)
{
    float peak[RUN];

    for (int m = 0; m < RUN; m++)
        peak[m] = fabsf(x[(p->taps / 2 - 1) * RUN + m]);
    for (int k = 1; k < p->per; k += ROWS) {
        const float *w[ROWS];

        for (int r = 0; r < ROWS; r++)           /* a row that is used twice changes nothing */
            w[r] = rows + (k + r < p->per ? k + r : k) * p->taps;
        raise_peaks(x, w, p->taps, peak);
    }
    for (int m = 0; m < RUN; m++)
        to[m * period + i] = peak[m];
}

/*
 * Finds the peaks of n frames, in RUN periods at a time. x begins taps/2 - 1 frames before them, and has room for
 * whole periods.
 */
static void find_peaks(const struct gf_peaks *p, const float *rows, const float *x, int64_t n, float *matrix,
                       float *found, float *to)
{
    for (int64_t at = 0; at < n;) {
        const int64_t left = gf_ceil_div(n - at, RUN), period = left < p->taps ? left : p->taps;
        const int64_t count = n - at < period * RUN ? n - at : period * RUN;

        lay_out_windows(x + at, period, period + p->taps - 1, matrix);
        for (int64_t i = 0; i < period; i++)
            peak_of_windows(p, rows, matrix + i * RUN, period, i, found);
        memcpy(to + at, found, (size_t)count * sizeof *to);
        at += count;
    }
}

GF_CLONES
static void copy_finite(const float *restrict from, int64_t n, float *restrict to)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = fabsf(from[i]) <= HIGHEST ? from[i] : 0.0f;
}

static int64_t room_samples(const struct gf_peaks *p, int64_t units)
{
    return gf_round_up(units, RUN) + p->taps + RUN;
}

/* Copies the frames that the span `out` needs from a plane to room, with zeros outside the signal. */
static void fill_room(const struct gf_peaks *p, const struct gf_block *src, const float *plane, struct gf_span out,
                      float *room)
{
    const int64_t first = out.start - p->taps / 2 + 1, all = room_samples(p, gf_span_units(out));
    const int64_t start = first > src->span.start ? first : src->span.start;
    const int64_t end = first + all < src->span.end ? first + all : src->span.end;

    memset(room, 0, (size_t)all * sizeof *room);
    if (end > start)
        copy_finite(plane + (start - src->span.start), end - start, room + (start - first));
}

static size_t peaks_scratch(const struct gf_io *shape, const void *params)
{
    const struct gf_peaks *p = params;
    const int64_t samples = 3 * p->taps * RUN + room_samples(p, gf_span_units(shape->dst.span));

    return (size_t)samples * sizeof(float);
}

int gf_peaks_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_peaks *p = params;
    const struct gf_span out = io->dst.span;
    const int64_t n = gf_span_units(out);
    float *matrix = work->scratch, *found = matrix + 2 * p->taps * RUN, *room = found + p->taps * RUN;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1 || io->dst.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: peaks need planes and no programs");
    for (int c = 0; c < p->channels && n > 0; c++) {
        const float *from = (const float *)io->src.data + c * io->src.plane_samples;
        float *to = (float *)io->dst.data + c * io->dst.plane_samples;

        memcpy(to, from + (out.start - io->src.span.start), (size_t)n * sizeof *to);
        fill_room(p, &io->src, from, out, room);
        find_peaks(p, work->tables + p->table, room, n, matrix, found, to + p->channels * io->dst.plane_samples);
    }
    return 0;
}

static struct gf_cost peaks_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_peaks *p = params;

    (void)in, (void)out;
    return (struct gf_cost) { 1, p->taps * (p->per - 1) / 2 };      /* half of the channels are copied */
}

static int64_t tables_end(const void *params, const struct gf_format *out)
{
    const struct gf_peaks *p = params;

    (void)out;
    return p->taps % GF_PEAKS_SUMS != 0 ? -1 : gf_op_rows_end(p->table, p->per, p->taps);
}

const struct gf_operation gf_op_peaks = {
    .word = "peaks", .text = "The highest level around each frame, by interpolation.",
    .params_bytes = sizeof(struct gf_peaks),
    .cpu = { .body = gf_peaks_cpu, .scratch_bytes = peaks_scratch, .cost = peaks_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_peaks_cuda), .cost = peaks_cost },
    .tables_end = tables_end,
};
