/*
 * Samples at transformed positions on a CPU. Each row has parts: background, border, inside,
 * border, background.
 */
#include "kernels/geometry/sample.h"

#include "base/clones.h"
#include "kernels/base/planar.h"

#include <math.h>

#define PIECE 128                        /* pixels whose positions are computed before they are loaded */
#define ROWS 32                          /* rows that share what they loaded */

/* The positions of a row: coordinates of the first pixel, and the step to the next. */
struct walk {
    int64_t x, y, dx, dy;
};

struct sample_job {
    const struct gf_sample *s;
    const struct gf_block *src;
    int64_t columns, rows;               /* of the whole source */
    int64_t round;                       /* added to coordinates before they are truncated */
};

static struct walk walk_of(const struct sample_job *j, int64_t y)
{
    const struct gf_sample *s = j->s;

    return (struct walk) { s->cx + y * s->xy + j->round, s->cy + y * s->yy + j->round, s->xx, s->yx };
}

static int64_t cell(int64_t coordinate)
{
    return coordinate >> GF_SAMPLE_ONE_BITS;
}

/* Returns the fraction that the interpolation uses: 24 bits, or 8 if it was rounded to them. */
GF_INLINE float fraction(uint64_t coordinate, bool coarse)
{
    return coarse ? (float)(int32_t)((coordinate >> 32) & 0xff) * 0x1p-8f
                  : (float)(int32_t)((coordinate >> 16) & 0xffffff) * 0x1p-24f;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    int64_t q = a / b;

    return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}

/* Narrows [*from, *to) to the pixels whose coordinate a + i·d is in cells [low, high). */
static void narrow(int64_t a, int64_t d, int64_t low, int64_t high, int64_t *from, int64_t *to)
{
    const int64_t lo = low * (INT64_C(1) << GF_SAMPLE_ONE_BITS) - a;         /* lo ≤ i·d < hi */
    const int64_t hi = high * (INT64_C(1) << GF_SAMPLE_ONE_BITS) - a;
    int64_t first, end;

    if (d == 0) {
        if (lo > 0 || hi <= 0)
            *to = *from;
        return;
    }
    if (d > 0) {
        first = -floor_divide(-lo, d);                       /* the smallest i with i·d ≥ lo */
        end = -floor_divide(-hi, d);                         /* the smallest i with i·d ≥ hi */
    } else {
        first = floor_divide(-hi, -d) + 1;                   /* the smallest i with i·(-d) > -hi */
        end = floor_divide(-lo, -d) + 1;                     /* the smallest i with i·(-d) > -lo */
    }
    first = first < *from ? *from : first > *to ? *to : first;   /* both may be far outside */
    end = end < first ? first : end > *to ? *to : end;
    *from = first;
    *to = end;
}

/* Returns a source pixel at any position, or its replacement. */
static float fetch(const struct sample_job *j, int c, int64_t x, int64_t y)
{
    const struct gf_sample *s = j->s;
    const bool inside = x >= 0 && x < j->columns && y >= 0 && y < j->rows;

    if (!inside) {
        if (s->use_background)
            return s->background[c];
        x = gf_border_index(s->border, x, j->columns);
        y = gf_border_index(s->border, y, j->rows);
        if (x < 0 || y < 0)
            return 0.0f;
    }
    return gf_plane_at(j->src, c, y)[x];
}

static float linear_at(const struct sample_job *j, int c, int64_t x, int64_t y)
{
    const float fx = fraction((uint64_t)x, j->s->coarse), fy = fraction((uint64_t)y, j->s->coarse);
    const int64_t ix = cell(x), iy = cell(y);
    const float p00 = fetch(j, c, ix, iy), p01 = fetch(j, c, ix + 1, iy);
    const float p10 = fetch(j, c, ix, iy + 1), p11 = fetch(j, c, ix + 1, iy + 1);
    const float h0 = fmaf(fx, p01 - p00, p00), h1 = fmaf(fx, p11 - p10, p10);

    return fmaf(fy, h1 - h0, h0);
}

static float cubic_at(const struct sample_job *j, int c, int64_t x, int64_t y)
{
    const int64_t ix = cell(x) - 1, iy = cell(y) - 1;
    float wx[4], wy[4], sum = 0.0f;

    gf_cubic_weights(fraction((uint64_t)x, false), wx);
    gf_cubic_weights(fraction((uint64_t)y, false), wy);
    for (int k = 0; k < 4; k++) {
        float row = 0.0f;

        for (int i = 0; i < 4; i++)
            row = fmaf(wx[i], fetch(j, c, ix + i, iy + k), row);
        sum = fmaf(wy[k], row, sum);
    }
    return sum;
}

/* Computes pixels [from, to) one by one, near borders. */
static void sample_slowly(const struct sample_job *j, struct walk w, int c, int64_t from, int64_t to, float *out)
{
    for (int64_t i = from; i < to; i++) {
        const int64_t x = w.x + i * w.dx, y = w.y + i * w.dy;

        switch (j->s->interpolation) {
        case GF_NEAREST: out[i] = fetch(j, c, cell(x), cell(y)); break;
        case GF_LINEAR: out[i] = linear_at(j, c, x, y); break;
        default: out[i] = cubic_at(j, c, x, y); break;
        }
    }
}

/* Positions of n ≤ PIECE pixels with all neighbors inside: offsets from `base`, and fractions. */
GF_INLINE void places(struct walk w, int64_t base_row, int64_t pitch, int64_t n, bool coarse,
                      int32_t *restrict at, float *restrict fx, float *restrict fy)
{
    const int32_t step = (int32_t)pitch;
    const int64_t y0 = w.y - base_row * (INT64_C(1) << GF_SAMPLE_ONE_BITS);

    for (int32_t i = 0; i < (int32_t)n; i++) {
        const uint64_t x = (uint64_t)(w.x + i * w.dx), y = (uint64_t)(y0 + i * w.dy);

        at[i] = (int32_t)(y >> GF_SAMPLE_ONE_BITS) * step + (int32_t)(x >> GF_SAMPLE_ONE_BITS);
        fx[i] = fraction(x, coarse);
        fy[i] = fraction(y, coarse);
    }
}

GF_CLONES
static void fill_places(struct walk w, int64_t base_row, int64_t pitch, int64_t n, bool coarse,
                        int32_t *restrict at, float *restrict fx, float *restrict fy)
{
    if (coarse)
        places(w, base_row, pitch, n, true, at, fx, fy);
    else
        places(w, base_row, pitch, n, false, at, fx, fy);
}

GF_CLONES
static void linear_piece(const float *restrict p, int64_t pitch, int64_t n, const int32_t *restrict at,
                         const float *restrict fx, const float *restrict fy, float *restrict out)
{
    const float *restrict q = p + pitch;

    for (int64_t i = 0; i < n; i++) {
        const float p00 = p[at[i]], p01 = p[at[i] + 1], p10 = q[at[i]], p11 = q[at[i] + 1];
        const float h0 = fmaf(fx[i], p01 - p00, p00), h1 = fmaf(fx[i], p11 - p10, p10);

        out[i] = fmaf(fy[i], h1 - h0, h0);
    }
}

GF_CLONES
static void nearest_piece(const float *restrict p, int64_t n, const int32_t *restrict at, float *restrict out)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = p[at[i]];
}

GF_CLONES
static void cubic_piece(const float *restrict p, int64_t pitch, int64_t n, const int32_t *restrict at,
                        const float *restrict fx, const float *restrict fy, float *restrict out)
{
    for (int64_t i = 0; i < n; i++) {
        const float *restrict q = p + at[i] - pitch - 1;
        float wx[4], wy[4], sum = 0.0f;

        gf_cubic_weights(fx[i], wx);
        gf_cubic_weights(fy[i], wy);
        for (int k = 0; k < 4; k++, q += pitch)
            sum = fmaf(wy[k], fmaf(wx[3], q[3], fmaf(wx[2], q[2], fmaf(wx[1], q[1], fmaf(wx[0], q[0], 0.0f)))), sum);
        out[i] = sum;
    }
}

/* Computes at most PIECE pixels [from, to) of a row, with all neighbors inside; every channel. */
static void sample_inside(const struct sample_job *j, struct walk w, int64_t from, int64_t to, float *const *out)
{
    _Alignas(64) int32_t at[PIECE];
    _Alignas(64) float fx[PIECE], fy[PIECE];
    const struct walk here = { w.x + from * w.dx, w.y + from * w.dy, w.dx, w.dy };
    const int64_t n = to - from, one = cell(here.y), other = cell(here.y + (n - 1) * here.dy);
    const int64_t first = one < other ? one : other, pitch = j->src->pitch_samples;

    fill_places(here, first, pitch, n, j->s->coarse, at, fx, fy);
    for (int c = 0; c < j->src->channels; c++) {
        const float *p = gf_plane_at(j->src, c, first);

        switch (j->s->interpolation) {
        case GF_NEAREST: nearest_piece(p, n, at, out[c] + from); break;
        case GF_LINEAR: linear_piece(p, pitch, n, at, fx, fy, out[c] + from); break;
        default: cubic_piece(p, pitch, n, at, fx, fy, out[c] + from); break;
        }
    }
}

/*
 * Parts of a row: [touch[0], touch[1]) may read the source, [inside[0], inside[1]) reads only the
 * source.
 */
struct reach {
    int64_t touch[2], inside[2];
};

static struct reach reach_of(const struct sample_job *j, struct walk w, int64_t width)
{
    static const int64_t before[] = { [GF_NEAREST] = 0, [GF_LINEAR] = 0, [GF_CUBIC] = 1 };
    static const int64_t after[] = { [GF_NEAREST] = 0, [GF_LINEAR] = 1, [GF_CUBIC] = 2 };
    const int64_t b = before[j->s->interpolation], a = after[j->s->interpolation];
    struct reach r = { { 0, width }, { 0, 0 } };

    if (j->s->use_background) {                              /* outside these, everything is background */
        narrow(w.x, w.dx, -a, j->columns + b, &r.touch[0], &r.touch[1]);
        narrow(w.y, w.dy, -a, j->rows + b, &r.touch[0], &r.touch[1]);
    }
    r.inside[0] = r.touch[0];
    r.inside[1] = r.touch[1];
    narrow(w.x, w.dx, b, j->columns - a, &r.inside[0], &r.inside[1]);
    narrow(w.y, w.dy, b, j->rows - a, &r.inside[0], &r.inside[1]);
    return r;
}

static void fill(float *out, int64_t from, int64_t to, float value)
{
    for (int64_t x = from; x < to; x++)
        out[x] = value;
}

/* Computes pixels that are not inside: background, and pixels near the border. */
static void sample_outside(const struct sample_job *j, struct walk w, const struct reach *r, int64_t width,
                           float *const *out)
{
    for (int c = 0; c < j->src->channels; c++) {
        fill(out[c], 0, r->touch[0], j->s->background[c]);
        sample_slowly(j, w, c, r->touch[0], r->inside[0], out[c]);
        sample_slowly(j, w, c, r->inside[1], r->touch[1], out[c]);
        fill(out[c], r->touch[1], width, j->s->background[c]);
    }
}

/*
 * Computes a few rows and a few columns at a time: neighboring rows read the same source while it
 * is in the first-level cache. The columns begin at multiples of PIECE for any rows.
 */
static void sample_rows(const struct sample_job *j, const struct gf_block *dst, int64_t from, int64_t to)
{
    struct reach reach[ROWS];
    float *out[GF_POINT_MATRIX_MAX];

    for (int64_t y = from; y < to; y++) {
        for (int c = 0; c < j->src->channels; c++)
            out[c] = gf_plane_at(dst, c, y);
        reach[y - from] = reach_of(j, walk_of(j, y), dst->width);
        sample_outside(j, walk_of(j, y), &reach[y - from], dst->width, out);
    }
    for (int64_t x = 0; x < dst->width; x += PIECE)
        for (int64_t y = from; y < to; y++) {
            const struct reach *r = &reach[y - from];
            const int64_t first = x > r->inside[0] ? x : r->inside[0];
            const int64_t end = x + PIECE < r->inside[1] ? x + PIECE : r->inside[1];

            for (int c = 0; c < j->src->channels; c++)
                out[c] = gf_plane_at(dst, c, y);
            if (first < end)
                sample_inside(j, walk_of(j, y), first, end, out);
        }
}

size_t gf_sample_scratch_bytes(const struct gf_io *io, const void *params)
{
    const int channels = io->load ? io->load->out : io->src.channels;

    (void)params;
    return (gf_planar_source_samples(io, gf_span_units(io->src.span)) + gf_planar_result_samples(io, channels) + 32)
           * sizeof(float);
}

int gf_sample_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_sample *s = params;
    const size_t source = gf_planar_source_samples(io, gf_span_units(io->src.span));
    struct gf_block src, dst;
    struct sample_job j = { .s = s, .columns = io->src.width, .rows = io->src_units };

    if (work->scratch_bytes < gf_sample_scratch_bytes(io, s) - 32 * sizeof(float))
        return gf_fail(err, GF_FAILED, "internal error: sample has too little scratch memory");
    src = gf_planar_source(work, io, io->src.span, work->scratch);
    dst = gf_planar_result(io, src.channels, (float *)work->scratch + gf_padded_floats(source));
    j.src = &src;
    if (s->interpolation == GF_NEAREST)
        j.round = INT64_C(1) << (GF_SAMPLE_ONE_BITS - 1);
    else if (s->interpolation == GF_LINEAR && s->coarse)
        j.round = INT64_C(1) << (GF_SAMPLE_ONE_BITS - 9);
    for (int64_t y = io->dst.span.start; y < io->dst.span.end; y += ROWS)
        sample_rows(&j, &dst, y, y + ROWS < io->dst.span.end ? y + ROWS : io->dst.span.end);
    gf_planar_finish(work, io, &dst);
    return 0;
}
