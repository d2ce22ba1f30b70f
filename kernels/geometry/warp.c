/*
 * Samples at positions that a perspective, a lens or a map gives, on a CPU. The positions of a piece of a row are
 * computed first; runs of pixels whose neighbors are all in the source then share the loops of sample.
 */
#include "kernels/geometry/warp.h"

#include "kernels/base/block.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"
#include "kernels/geometry/sample_packed.h"

#include <math.h>
#include <stdio.h>

#define PIECE GF_SAMPLE_PIECE
#define ROWS  GF_SAMPLE_ROWS             /* rows that share what they loaded */

_Static_assert(sizeof(struct gf_warp) <= GF_OP_CHANGED_BYTES, "coarse results change it");

enum part { BACKGROUND, BORDER, INSIDE };

/* Positions of a piece, with the rounding of the interpolation, and the least and greatest of them. */
struct piece {
    struct gf_sample_places places;
    int32_t least_x, most_x, least_y, most_y;
    bool inside;                         /* all have all neighbors in the source */
    uint8_t part[PIECE];
};

/* Limits of the parts, in 1/256 of a pixel: from the first to before the last. */
struct limits {
    int32_t touch_x[2], touch_y[2], inside_x[2], inside_y[2];
};

/* A call, and how it computes the runs of a row. */
struct call {
    const struct gf_warp *warp;
    const struct gf_block *map;          /* NULL: none */
    struct gf_sample_job job;
    const struct gf_sample_parts *parts;
    struct limits limits;
    bool exact;                          /* fractions have 24 bits */
};

/*
 * Returns the bits of a double whose last bit is 2^-24 of a pixel: a position within the limits, and `round`, which is
 * an even number of these units. The product with a power of two is exact, so this rounds as gf_warp_units() does.
 */
GF_INLINE uint64_t units_bits(double v, double round)
{
    const double sum = fma(v, 0x1p24, 0x1.8p52 + round);
    uint64_t bits;

    memcpy(&bits, &sum, sizeof bits);
    return bits;
}

/* Returns what is added to positions before they are truncated, in units of 2^-24 of a pixel. */
static double rounding_of(const struct gf_sample_job *j)
{
    return (double)(j->round >> (GF_SAMPLE_ONE_BITS - 24));
}

/* Returns 32 bits of two numbers, from bit `at` on; those of the second one are above the others. */
GF_INLINE uint64_t joined(uint64_t one, uint64_t other, int at)
{
    return (one >> at & UINT32_MAX) | other >> at << 32;
}

/*
 * Stores the coordinates of pixels 2k and 2k + 1 in 1/256 of a pixel, and their fractions if these have 24 bits:
 * results in 8 bits and nearest pixels need no more than 1/256. The bits that only sums of doubles have are above
 * those that are stored. For pairs, no number has to change its place in a vector.
 */
GF_INLINE void store_two(uint64_t one, uint64_t other, bool exact, int64_t k, union gf_sample_coordinates *restrict to,
                         union gf_sample_coordinates *restrict fraction)
{
    to->two[k] = joined(one, other, 16);
    if (exact)
        fraction->two[k] = joined(one, other, 0) & UINT64_C(0x00ffffff00ffffff);
}

enum formula { AFFINE, PERSPECTIVE, LENS };

/* Finds the position of one pixel of the result, as units_bits(). */
GF_INLINE void find_place(enum formula formula, bool near, const double *m, double x, double y, double round,
                          uint64_t *to_x, uint64_t *to_y)
{
    double sx, sy;

    if (formula == LENS)
        gf_warp_lens_place(m, x, y, &sx, &sy);
    else
        gf_warp_matrix_place(m, formula == AFFINE, near, x, y, &sx, &sy);
    *to_x = units_bits(near ? sx : gf_warp_limited(sx), round);
    *to_y = units_bits(near ? sy : gf_warp_limited(sy), round);
}

/*
 * Constant arguments let the compiler make loops without branches. `near` says that no position needs a limit. If n is
 * odd, there is room for one more.
 */
GF_INLINE void fill_formula(enum formula formula, bool near, const double *matrix, double x, double y, int64_t n,
                            double round, bool exact, struct gf_sample_places *restrict p)
{
    double m[9];

    memcpy(m, matrix, sizeof m);
    for (int32_t k = 0; k < (int32_t)(n + 1) / 2; k++) {
        const double even = x + 2 * k;
        uint64_t x0, y0, x1, y1;

        find_place(formula, near, m, even, y, round, &x0, &y0);
        find_place(formula, near, m, even + 1, y, round, &x1, &y1);
        store_two(x0, x1, exact, k, &p->x, &p->fraction_x);
        store_two(y0, y1, exact, k, &p->y, &p->fraction_y);
    }
}

/*
 * True if no position of n pixels can be far away: numerators and w of a matrix are between those of the ends, and
 * so is the distance from the center of a lens, at most.
 */
static bool are_near(enum formula formula, const double *m, double x, double y, int64_t n)
{
    double most = 0, q = 1, w;

    for (int i = 0; i < 2; i++, x += (double)(n - 1)) {
        const double dx = fabs((x - m[0]) * m[2]), dy = fabs((y - m[1]) * m[2]), r = m[3] * m[3] * (dx * dx + dy * dy);
        const double lens = fabs(m[0]) + fabs(m[1])
                            + (dx + dy) * (1 + r * (fabs(m[4]) + r * (fabs(m[5]) + r * fabs(m[6]))));
        const double u = fabs(m[0] * x + m[1] * y + m[2]), v = fabs(m[3] * x + m[4] * y + m[5]);
        const double here = formula == LENS ? lens : u + v;

        w = formula == LENS ? 1 : m[6] * x + m[7] * y + m[8];
        if (!(w > 0) || !(here < INFINITY))
            return false;
        most = here > most ? here : most;
        q = 1 / w > q ? 1 / w : q;
    }
    return most * q < GF_WARP_FAR / 2;
}

static enum formula formula_of(const struct gf_warp *w)
{
    return w->kind == GF_WARP_LENS ? LENS : gf_warp_is_affine(w->m) ? AFFINE : PERSPECTIVE;
}

/* A function for each formula, in which constants decide. */
#define FILL(name, formula, near)                                                                                  \
    GF_CLONES                                                                                                      \
    static void name(const double *m, double x, double y, int64_t n, double round, bool exact,                     \
                     struct gf_sample_places *restrict p)                                                          \
    {                                                                                                              \
        if (exact)                                                                                                 \
            fill_formula(formula, near, m, x, y, n, 0, true, p);                                                   \
        else                                                                                                       \
            fill_formula(formula, near, m, x, y, n, round, false, p);                                              \
    }
FILL(fill_affine, AFFINE, false)
FILL(fill_affine_near, AFFINE, true)
FILL(fill_perspective, PERSPECTIVE, false)
FILL(fill_perspective_near, PERSPECTIVE, true)
FILL(fill_lens, LENS, false)
FILL(fill_lens_near, LENS, true)
#undef FILL

/* Finds the positions of n pixels of row y from column x on. */
static void fill_by_formula(const struct gf_warp *w, double x, double y, int64_t n, double round, bool exact,
                            struct gf_sample_places *p)
{
    static void (*const fill[][2])(const double *, double, double, int64_t, double, bool,
                                   struct gf_sample_places *restrict) = {
        [AFFINE] = { fill_affine, fill_affine_near },
        [PERSPECTIVE] = { fill_perspective, fill_perspective_near },
        [LENS] = { fill_lens, fill_lens_near },
    };
    const enum formula formula = formula_of(w);

    fill[formula][are_near(formula, w->m, x, y, n)](w->m, x, y, n, round, exact, p);
}

/* Stores the coordinate of one pixel in the same way as store_two(). */
GF_INLINE void store_one(double v, double round, bool exact, int64_t i, union gf_sample_coordinates *restrict to,
                         union gf_sample_coordinates *restrict fraction)
{
    const uint64_t bits = units_bits(gf_warp_limited(v), round);

    to->one[i] = (int32_t)(bits >> 16);
    if (exact)
        fraction->one[i] = (int32_t)(bits & 0xffffff);
}

GF_CLONES
static void fill_map(const void *row, enum gf_type type, int channels, int64_t n, double round, bool exact,
                     struct gf_sample_places *restrict p)
{
    for (int64_t i = 0; i < n; i++) {
        store_one(gf_warp_map_level(row, type, i * channels), round, exact, i, &p->x, &p->fraction_x);
        store_one(gf_warp_map_level(row, type, i * channels + 1), round, exact, i, &p->y, &p->fraction_y);
    }
}

/*
 * Stores a coordinate that is a float: the nearest pixel, and the distance from it, which is exact. Its rounding to
 * 2^-24 is that of doubles, because pixels are even numbers of these units. Returns false if it is not within the
 * limits; what is stored then has no meaning.
 */
GF_INLINE int32_t store_float(float v, int32_t round, bool exact, int64_t i, union gf_sample_coordinates *restrict to,
                              union gf_sample_coordinates *restrict fraction)
{
    const float sum = v + 0x1.8p23f, distance = v - (sum - 0x1.8p23f);       /* the last bit of the sum is 1 */
    const int32_t near = fabsf(v) < (float)GF_WARP_FAR, units = (int32_t)rintf(near ? distance * 0x1p24f : 0.0f);
    uint32_t bits;

    memcpy(&bits, &sum, sizeof bits);
    to->one[i] = (int32_t)((bits - 0x4b400000) << 8) + ((units + round) >> 16);
    if (exact)
        fraction->one[i] = units & 0xffffff;
    return near;
}

/* Returns false if a position is not within the limits. A constant number of channels lets the compiler vectorize. */
GF_INLINE bool load_float_map(const float *restrict row, int channels, int64_t n, int32_t round, bool exact,
                              struct gf_sample_places *restrict p)
{
    int32_t near = 1;

    for (int64_t i = 0; i < n; i++)
        near &= store_float(row[i * channels], round, exact, i, &p->x, &p->fraction_x)
                & store_float(row[i * channels + 1], round, exact, i, &p->y, &p->fraction_y);
    return near;
}

GF_CLONES
static bool fill_float_map(const float *row, int channels, int64_t n, int32_t round, bool exact,
                           struct gf_sample_places *restrict p)
{
    if (channels == 2 && exact)
        return load_float_map(row, 2, n, round, true, p);
    if (channels == 2)
        return load_float_map(row, 2, n, round, false, p);
    if (channels == 3 && exact)
        return load_float_map(row, 3, n, round, true, p);
    if (channels == 3)
        return load_float_map(row, 3, n, round, false, p);
    return load_float_map(row, channels, n, round, exact, p);
}

/* Finds the least and greatest coordinates. */
GF_CLONES
static void find_extent(struct piece *restrict p, int64_t n)
{
    int32_t least_x = INT32_MAX, most_x = INT32_MIN, least_y = INT32_MAX, most_y = INT32_MIN;

    for (int64_t i = 0; i < n; i++) {
        const int32_t x = p->places.x.one[i], y = p->places.y.one[i];

        least_x = x < least_x ? x : least_x, most_x = x > most_x ? x : most_x;
        least_y = y < least_y ? y : least_y, most_y = y > most_y ? y : most_y;
    }
    p->least_x = least_x, p->most_x = most_x, p->least_y = least_y, p->most_y = most_y;
}

/* True if all pixels have all neighbors in the source. */
static bool all_inside(const struct piece *p, const struct limits *l)
{
    return p->least_x >= l->inside_x[0] && p->most_x < l->inside_x[1] && p->least_y >= l->inside_y[0]
        && p->most_y < l->inside_y[1];
}

/* Finds the part of each pixel. */
GF_CLONES
static void mark_parts(struct piece *restrict p, struct limits l, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const int32_t x = p->places.x.one[i], y = p->places.y.one[i];
        const int32_t touches = (x >= l.touch_x[0]) & (x < l.touch_x[1]) & (y >= l.touch_y[0]) & (y < l.touch_y[1]);
        const int32_t inside = (x >= l.inside_x[0]) & (x < l.inside_x[1]) & (y >= l.inside_y[0])
                               & (y < l.inside_y[1]);

        p->part[i] = (uint8_t)(touches + inside);
    }
}

/* Finds the rows of the source that n pixels begin in. */
GF_CLONES
static struct gf_span warp_rows_of(const int32_t *y, int64_t n)
{
    int32_t low = y[0], high = y[0];

    for (int64_t i = 1; i < n; i++) {
        low = y[i] < low ? y[i] : low;
        high = y[i] > high ? y[i] : high;
    }
    return (struct gf_span) { low >> 8, (high >> 8) + 1 };
}

/* Returns coordinate i as a fixed-point number. */
static int64_t fixed_of(const union gf_sample_coordinates *coordinate, const union gf_sample_coordinates *fraction,
                        bool exact, int64_t i)
{
    return exact ? (coordinate->one[i] >> 8) * (INT64_C(1) << GF_SAMPLE_ONE_BITS)
                   + fraction->one[i] * (INT64_C(1) << (GF_SAMPLE_ONE_BITS - 24))
                 : coordinate->one[i] * (INT64_C(1) << (GF_SAMPLE_ONE_BITS - 8));
}

/* Computes pixels one by one. */
static void sample_border(const struct call *c, const struct piece *p, int64_t x, int64_t y, int64_t at, int64_t n)
{
    const struct gf_sample_places *s = &p->places;

    for (int64_t i = at; i < at + n; i++) {
        const struct gf_sample_walk w = { fixed_of(&s->x, &s->fraction_x, c->exact, i),
                                          fixed_of(&s->y, &s->fraction_y, c->exact, i), 0, 0 };

        c->parts->border(&c->job, w, y, x + i, x + i + 1);
    }
}

/*
 * Computes pixels whose neighbors are all in the source: `n` from `at` on of a piece that begins at column x. They
 * begin in `rows` of the source.
 */
static void sample_inside(const struct call *c, const struct piece *p, struct gf_span rows, int64_t x, int64_t y,
                          int64_t at, int64_t n)
{
    if ((gf_span_units(rows) + 4) * c->job.src->pitch_samples > INT32_MAX)       /* offsets do not reach so far */
        sample_border(c, p, x, y, at, n);
    else
        c->parts->places(&c->job, &p->places, at, n, rows.start, x + at, y);
}

/* Returns position x of row y of the map. */
static const char *map_at(const struct gf_block *map, int64_t x, int64_t y)
{
    return (const char *)map->data + (size_t)((y - map->span.start) * map->pitch_samples + x * map->channels)
           * gf_type_bytes(map->type);
}

static void find_places(const struct call *c, struct piece *p, int64_t x, int64_t y, int64_t n)
{
    const struct gf_block *map = c->map;
    const double round = rounding_of(&c->job);

    if (map == NULL) {
        fill_by_formula(c->warp, (double)x, (double)y, n, round, c->exact, &p->places);
        return;
    }
    if (y + 1 < map->span.end)
        gf_sample_fetch(map_at(map, x, y + 1), map_at(map, x + n, y + 1), false);
    if (map->type != GF_F32 || !fill_float_map((const float *)(const void *)map_at(map, x, y), map->channels, n,
                                               (int32_t)round, c->exact, &p->places))
        fill_map(map_at(map, x, y), map->type, map->channels, n, round, c->exact, &p->places);
}

/* Asks for the rows of the source under the positions of a piece. The upper ones are there already, most often. */
static void fetch_source(const struct gf_block *src, const struct gf_sample_places *p, int64_t n)
{
    const int64_t sample = (int64_t)gf_type_bytes(src->type), pitch = src->pitch_samples * sample;
    const int64_t pixel = (src->planar ? 1 : src->channels) * sample, step = GF_SAMPLE_CACHE_LINE / pixel;
    const char *from = (const char *)src->data + (1 - src->span.start) * pitch;

    for (int64_t i = 0; i < n - 1; i += step)
        __builtin_prefetch(from + (p->y.one[i] >> 8) * pitch + (p->x.one[i] >> 8) * pixel);
    __builtin_prefetch(from + (p->y.one[n - 1] >> 8) * pitch + (p->x.one[n - 1] >> 8) * pixel);
}

/*
 * Finds the positions of n pixels of row y from column x on, and asks for what they read and write while those before
 * them are computed: rows are far from each other, so a processor does not foresee the next one.
 */
static void prepare_piece(const struct call *c, struct piece *p, int64_t x, int64_t y, int64_t n)
{
    find_places(c, p, x, y, n);
    find_extent(p, n);
    p->inside = all_inside(p, &c->limits);
    if (p->inside)
        fetch_source(c->job.src, &p->places, n);
    if (!c->job.dst->planar)
        gf_sample_fetch(gf_sample_pixel_at(c->job.dst, x, y), gf_sample_pixel_at(c->job.dst, x + n, y), true);
}

/* Computes these pixels. */
static void finish_piece(const struct call *c, struct piece *p, int64_t x, int64_t y, int64_t n)
{
    const struct gf_sample_walk none = { 0, 0, 0, 0 };
    int64_t end;

    if (p->inside) {
        sample_inside(c, p, (struct gf_span) { p->least_y >> 8, (p->most_y >> 8) + 1 }, x, y, 0, n);
        return;
    }
    mark_parts(p, c->limits, n);
    for (int64_t i = 0; i < n; i = end) {
        for (end = i + 1; end < n && p->part[end] == p->part[i]; end++)
            ;
        if (p->part[i] == INSIDE)
            sample_inside(c, p, warp_rows_of(p->places.y.one + i, end - i), x, y, i, end - i);
        else if (p->part[i] == BORDER)
            sample_border(c, p, x, y, i, end - i);
        else
            c->parts->background(&c->job, none, y, x + i, x + end);
    }
}

/* Computes n columns from x on. */
static void warp_columns(const struct call *c, int64_t x, int64_t n, struct gf_span rows)
{
    struct piece p[2];

    prepare_piece(c, &p[0], x, rows.start, n);
    for (int64_t y = rows.start; y < rows.end; y++) {
        const int64_t now = (y - rows.start) & 1;

        if (y + 1 < rows.end)
            prepare_piece(c, &p[1 - now], x, y + 1, n);
        finish_piece(c, &p[now], x, y, n);
    }
}

/* Sets limits in 1/256 of a pixel. Without a background every pixel touches the source. */
static void set_limits(int32_t *touch, int32_t *inside, const struct gf_sample_job *j, int64_t length, int64_t spare)
{
    const int64_t b = gf_sample_before[j->s->interpolation], a = gf_sample_after[j->s->interpolation];

    touch[0] = j->s->use_background ? (int32_t)(-a * 256) : INT32_MIN;
    touch[1] = j->s->use_background ? (int32_t)((length + b) * 256) : INT32_MAX;
    inside[0] = (int32_t)(b * 256);
    inside[1] = length - a - spare > b ? (int32_t)((length - a - spare) * 256) : inside[0];
}

/* Computes the rows of the result, some at a time, which read about the same part of the source. */
static void warp_rows(struct call *c, const struct gf_io *io)
{
    const struct gf_span rows = io->dst.span;

    set_limits(c->limits.touch_x, c->limits.inside_x, &c->job, c->job.columns, c->job.spare);
    set_limits(c->limits.touch_y, c->limits.inside_y, &c->job, c->job.rows, 0);
    c->map = c->warp->kind == GF_WARP_MAP ? &io->beside : NULL;
    c->exact = gf_sample_is_exact(c->job.s);
    for (int64_t top = rows.start; top < rows.end; top += ROWS)
        for (int64_t x = 0; x < io->dst.width; x += PIECE)
            warp_columns(c, x, x + PIECE < io->dst.width ? PIECE : io->dst.width - x,
                         (struct gf_span) { top, top + ROWS < rows.end ? top + ROWS : rows.end });
}

static size_t warp_scratch_bytes(const struct gf_io *io, const void *params)
{
    const struct gf_sample s = gf_warp_sampling(params);

    return gf_sample_scratch_bytes(io, &s);
}

int gf_warp_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_sample s = gf_warp_sampling(params);
    struct call c = { .warp = params, .parts = gf_sample_packed_parts(io, &s) };
    const size_t source = gf_planar_source_samples(io, gf_span_units(io->src.span));
    struct gf_block src, dst;

    if (c.warp->kind == GF_WARP_MAP && io->beside.data == NULL)
        return gf_fail(err, GF_FAILED, "internal error: warp has no map");
    if (c.parts != NULL) {
        c.job = gf_sample_packed_job(io, &s);
        warp_rows(&c, io);
        return 0;
    }
    if (work->scratch_bytes < gf_sample_scratch_bytes(io, &s) - 32 * sizeof(float))
        return gf_fail(err, GF_FAILED, "internal error: warp has too little scratch memory");
    src = gf_planar_source(work, io, io->src.span, work->scratch);
    dst = gf_planar_result(io, src.channels, (float *)work->scratch + gf_padded_floats(source));
    c.parts = &gf_sample_plane_parts;
    c.job = gf_sample_job_of(&s, io, &src, &dst);
    warp_rows(&c, io);
    gf_planar_finish(work, io, &dst);
    return 0;
}

static void to_bytes(const void *params, const struct gf_op_source *source, union gf_op_changed *changed)
{
    struct gf_warp *w = (void *)changed;

    (void)source;
    *w = *(const struct gf_warp *)params;
    w->coarse = w->interpolation == GF_LINEAR;
}

static void describe_warp(const void *params, bool cuda, char *text, size_t room)
{
    static const char *const words[] = { [GF_NEAREST] = "nearest", [GF_LINEAR] = "linear", [GF_CUBIC] = "cubic" };
    static const char *const kinds[] = { [GF_WARP_MATRIX] = "by a matrix", [GF_WARP_LENS] = "by a lens",
                                         [GF_WARP_MAP] = "by a map" };
    const struct gf_warp *w = params;

    (void)cuda;
    snprintf(text, room, ", %s, %s", kinds[w->kind], words[w->interpolation]);
}

static bool at_once(const void *params, const struct gf_format *f)
{
    const struct gf_sample s = gf_warp_sampling(params);

    return gf_sample_packed_at_once(&s, f);
}

static int least_rows(const void *params, const struct gf_format *out)
{
    (void)params;
    (void)out;
    return ROWS;
}

static struct gf_cost warp_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    static const double light[] = { [GF_NEAREST] = 2, [GF_LINEAR] = 2.5, [GF_CUBIC] = 6.5 };
    const struct gf_warp *w = params;

    (void)in, (void)out;
    return (struct gf_cost) { .light = light[w->interpolation] };
}

/* Metadata follows only an affine map. */
static void warp_map(const void *params, struct gf_affine *to_source)
{
    const struct gf_warp *w = params;
    const double *m = w->m;

    if (w->kind != GF_WARP_MATRIX || !gf_warp_is_affine(m)) {
        *to_source = gf_affine_identity();
        to_source->unknown = true;
        return;
    }
    *to_source = (struct gf_affine) { .xx = m[0], .xy = m[1], .cx = m[2], .yx = m[3], .yy = m[4], .cy = m[5] };
    to_source->cx += .5 * (1 - m[0] - m[1]);
    to_source->cy += .5 * (1 - m[3] - m[4]);
}

const struct gf_operation gf_op_warp = {
    .word = "warp", .text = "Values at positions that a perspective, a lens or a second image gives.",
    .params_bytes = sizeof(struct gf_warp),
    .beside_is_map = true,
    .cpu = { .body = gf_warp_cpu, .scratch_bytes = warp_scratch_bytes, .cost = warp_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_warp_cuda), GF_OP_READS_AND_STORES, .scratch_bytes = gf_gpu_scratch_programs,
              .light = 2 },                  /* that of sample, which makes the same loads */
    .describe = describe_warp,
    .map = warp_map,
    .to_bytes = to_bytes,
    .least_units = least_rows,
    .at_once = at_once,
};
