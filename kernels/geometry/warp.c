/*
 * Samples at positions that a perspective, a lens or a map gives, on a CPU. The positions of a piece of a row are
 * computed first; runs of pixels whose neighbors are all in the source then share the loops of sample.
 */
#include "kernels/geometry/warp.h"

#include "kernels/base/block.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"
#include "kernels/geometry/sample_bytes.h"

#include <math.h>
#include <stdio.h>

#define PIECE GF_SAMPLE_PIECE
#define ROWS  GF_SAMPLE_ROWS             /* rows that share what they loaded */

_Static_assert(sizeof(struct gf_warp) <= GF_OP_CHANGED_BYTES, "coarse results change it");

enum part { BACKGROUND, BORDER, INSIDE };

/* Positions of a piece, with the rounding of the interpolation. Only exact ones have coordinates x and y. */
struct piece {
    _Alignas(64) int64_t x[PIECE];
    _Alignas(64) int64_t y[PIECE];
    _Alignas(64) struct gf_sample_places places;
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
    struct limits limits;
    bool bytes;
    bool exact;                          /* fractions have 24 bits */
};

/*
 * Stores a position. Results in 8 bits and nearest pixels need no more than 1/256 of a pixel; others get the
 * coordinates with all bits of their fractions.
 */
GF_INLINE void store_place(struct piece *restrict p, int64_t i, double sx, double sy, int64_t round, bool exact)
{
    if (exact) {
        p->x[i] = gf_warp_fixed(sx);
        p->y[i] = gf_warp_fixed(sy);
    } else {
        p->places.x[i] = (int32_t)((uint64_t)(gf_warp_units(sx) + (round >> 16)) >> 16);
        p->places.y[i] = (int32_t)((uint64_t)(gf_warp_units(sy) + (round >> 16)) >> 16);
    }
}

enum formula { AFFINE, PERSPECTIVE, LENS };

/* Constant arguments let the compiler make loops without branches. `near` says that no position needs a limit. */
GF_INLINE void fill_formula(enum formula formula, bool near, const double *matrix, double x, double y, int64_t n,
                            int64_t round, bool exact, struct piece *restrict p)
{
    double m[9];

    memcpy(m, matrix, sizeof m);
    for (int32_t i = 0; i < (int32_t)n; i++) {
        double sx, sy;

        if (formula == LENS)
            gf_warp_lens_place(m, x + i, y, &sx, &sy);
        else
            gf_warp_matrix_place(m, formula == AFFINE, near, x + i, y, &sx, &sy);
        store_place(p, i, near ? sx : gf_warp_limited(sx), near ? sy : gf_warp_limited(sy), round, exact);
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

GF_CLONES
static void fill_exact(enum formula formula, const double *m, double x, double y, int64_t n, struct piece *restrict p)
{
    switch (formula) {
    case AFFINE: fill_formula(AFFINE, false, m, x, y, n, 0, true, p); break;
    case PERSPECTIVE: fill_formula(PERSPECTIVE, false, m, x, y, n, 0, true, p); break;
    default: fill_formula(LENS, false, m, x, y, n, 0, true, p); break;
    }
}

GF_CLONES
static void fill_coarse(enum formula formula, bool near, const double *m, double x, double y, int64_t n, int64_t round,
                        struct piece *restrict p)
{
    if (!near) {
        switch (formula) {
        case AFFINE: fill_formula(AFFINE, false, m, x, y, n, round, false, p); break;
        case PERSPECTIVE: fill_formula(PERSPECTIVE, false, m, x, y, n, round, false, p); break;
        default: fill_formula(LENS, false, m, x, y, n, round, false, p); break;
        }
        return;
    }
    switch (formula) {
    case AFFINE: fill_formula(AFFINE, true, m, x, y, n, round, false, p); break;
    case PERSPECTIVE: fill_formula(PERSPECTIVE, true, m, x, y, n, round, false, p); break;
    default: fill_formula(LENS, true, m, x, y, n, round, false, p); break;
    }
}

/* A constant type and number of channels lets the compiler vectorize. */
GF_INLINE void load_map(const void *row, enum gf_type type, int channels, int64_t x, int64_t n, int64_t round,
                        bool exact, struct piece *restrict p)
{
    for (int64_t i = 0; i < n; i++)
        store_place(p, i, gf_warp_limited(gf_warp_map_level(row, type, (x + i) * channels)),
                    gf_warp_limited(gf_warp_map_level(row, type, (x + i) * channels + 1)), round, exact);
}

GF_CLONES
static void fill_map(const void *row, enum gf_type type, int channels, int64_t x, int64_t n, int64_t round, bool exact,
                     struct piece *restrict p)
{
    if (exact)
        load_map(row, type, channels, x, n, round, true, p);
    else if (type == GF_F32 && channels == 2)
        load_map(row, GF_F32, 2, x, n, round, false, p);
    else if (type == GF_F32 && channels == 3)
        load_map(row, GF_F32, 3, x, n, round, false, p);
    else
        load_map(row, type, channels, x, n, round, false, p);
}

/* Splits exact coordinates into cells and fractions. */
GF_CLONES
static void split_exact(struct piece *restrict p, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        p->places.x[i] = (int32_t)((uint64_t)p->x[i] >> 32);
        p->places.y[i] = (int32_t)((uint64_t)p->y[i] >> 32);
        p->places.fx[i] = gf_sample_fraction((uint64_t)p->x[i], false);
        p->places.fy[i] = gf_sample_fraction((uint64_t)p->y[i], false);
    }
}

GF_CLONES
static void split_coarse(struct gf_sample_places *restrict p, int64_t from, int64_t n)
{
    for (int64_t i = from; i < from + n; i++) {
        p->fx[i] = (float)(p->x[i] & 255) * 0x1p-8f;
        p->fy[i] = (float)(p->y[i] & 255) * 0x1p-8f;
    }
}

/* True if all pixels have all neighbors in the source. */
GF_CLONES
static bool all_inside(const struct gf_sample_places *restrict p, struct limits l, int64_t n)
{
    int32_t inside = 1;

    for (int64_t i = 0; i < n; i++)
        inside &= (p->x[i] >= l.inside_x[0]) & (p->x[i] < l.inside_x[1]) & (p->y[i] >= l.inside_y[0])
                  & (p->y[i] < l.inside_y[1]);
    return inside;
}

/* Finds the part of each pixel. */
GF_CLONES
static void mark_parts(struct piece *restrict p, struct limits l, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const int32_t x = p->places.x[i], y = p->places.y[i];
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

GF_CLONES
static void fill_offsets(struct gf_sample_places *restrict p, int64_t from, int64_t n, int32_t first, int32_t pitch,
                         int32_t step)
{
    for (int64_t i = from; i < from + n; i++)
        p->at[i] = ((p->y[i] >> 8) - first) * pitch + (p->x[i] >> 8) * step;
}

/* Computes pixels one by one. */
static void sample_border(const struct call *c, const struct piece *p, int64_t x, int64_t y, int64_t at, int64_t n)
{
    for (int64_t i = at; i < at + n; i++) {
        const struct gf_sample_walk w = { c->exact ? p->x[i] : p->places.x[i] * (INT64_C(1) << 32),
                                          c->exact ? p->y[i] : p->places.y[i] * (INT64_C(1) << 32), 0, 0 };

        (c->bytes ? gf_sample_bytes_border : gf_sample_plane_border)(&c->job, w, y, x + i, x + i + 1);
    }
}

/* Computes pixels whose neighbors are all in the source: `n` from `at` on of a piece that begins at column x. */
static void sample_inside(const struct call *c, struct piece *p, int64_t x, int64_t y, int64_t at, int64_t n)
{
    const struct gf_sample_job *j = &c->job;
    const struct gf_span rows = warp_rows_of(p->places.y + at, n);
    const int64_t pitch = j->src->pitch_samples;

    if ((gf_span_units(rows) + 4) * pitch > INT32_MAX) {         /* offsets do not reach so far */
        sample_border(c, p, x, y, at, n);
        return;
    }
    if (!c->exact && !c->bytes)
        split_coarse(&p->places, at, n);
    fill_offsets(&p->places, at, n, (int32_t)rows.start, (int32_t)pitch, c->bytes ? j->src->channels : 1);
    if (c->bytes) {
        gf_sample_bytes_piece(j, &p->places, at, n, rows.start, x + at, y);
        return;
    }
    for (int i = 0; i < j->src->channels; i++)
        gf_sample_plane_piece(j->s->interpolation, gf_plane_at(j->src, i, rows.start), pitch, n, p->places.at + at,
                              p->places.fx + at, p->places.fy + at, gf_plane_at(j->dst, i, y) + x + at);
}

static void find_places(const struct call *c, struct piece *p, int64_t x, int64_t y, int64_t n)
{
    const struct gf_block *map = c->map;
    const enum formula formula = formula_of(c->warp);
    const double *m = c->warp->m, column = (double)x, row = (double)y;

    if (map != NULL)
        fill_map((const char *)map->data + (size_t)((y - map->span.start) * map->pitch_samples)
                 * gf_type_bytes(map->type), map->type, map->channels, x, n, c->job.round, c->exact, p);
    else if (c->exact)
        fill_exact(formula, m, column, row, n, p);
    else
        fill_coarse(formula, are_near(formula, m, column, row, n), m, column, row, n, c->job.round, p);
    if (c->exact)
        split_exact(p, n);
}

/* Computes n pixels of row y from column x on. */
static void warp_piece(const struct call *c, int64_t x, int64_t y, int64_t n)
{
    const struct gf_sample_walk none = { 0, 0, 0, 0 };
    struct piece p;
    int64_t end;

    find_places(c, &p, x, y, n);
    if (all_inside(&p.places, c->limits, n)) {
        sample_inside(c, &p, x, y, 0, n);
        return;
    }
    mark_parts(&p, c->limits, n);
    for (int64_t i = 0; i < n; i = end) {
        for (end = i + 1; end < n && p.part[end] == p.part[i]; end++)
            ;
        if (p.part[i] == INSIDE)
            sample_inside(c, &p, x, y, i, end - i);
        else if (p.part[i] == BORDER)
            sample_border(c, &p, x, y, i, end - i);
        else
            (c->bytes ? gf_sample_bytes_background : gf_sample_plane_background)(&c->job, none, y, x + i, x + end);
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
    c->exact = c->warp->interpolation == GF_CUBIC || (c->warp->interpolation == GF_LINEAR && !c->warp->coarse);
    for (int64_t top = rows.start; top < rows.end; top += ROWS)
        for (int64_t x = 0; x < io->dst.width; x += PIECE)
            for (int64_t y = top; y < top + ROWS && y < rows.end; y++)
                warp_piece(c, x, y, x + PIECE < io->dst.width ? PIECE : io->dst.width - x);
}

static size_t warp_scratch_bytes(const struct gf_io *io, const void *params)
{
    const struct gf_sample s = gf_warp_sampling(params);

    return gf_sample_scratch_bytes(io, &s);
}

int gf_warp_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_sample s = gf_warp_sampling(params);
    struct call c = { .warp = params, .bytes = gf_sample_bytes_fits(io, &s) };
    const size_t source = gf_planar_source_samples(io, gf_span_units(io->src.span));
    struct gf_block src, dst;

    if (c.warp->kind == GF_WARP_MAP && io->beside.data == NULL)
        return gf_fail(err, GF_FAILED, "internal error: warp has no map");
    if (c.bytes) {
        c.job = gf_sample_bytes_job(io, &s);
        warp_rows(&c, io);
        return 0;
    }
    if (work->scratch_bytes < gf_sample_scratch_bytes(io, &s) - 32 * sizeof(float))
        return gf_fail(err, GF_FAILED, "internal error: warp has too little scratch memory");
    src = gf_planar_source(work, io, io->src.span, work->scratch);
    dst = gf_planar_result(io, src.channels, (float *)work->scratch + gf_padded_floats(source));
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
    struct gf_io io = { .src = gf_block_packed(NULL, f, (struct gf_span) { 0, 0 }) };
    struct gf_sample s = gf_warp_sampling(params);

    io.dst = io.src;
    s.coarse = s.interpolation == GF_LINEAR;
    return gf_sample_bytes_fits(&io, &s);
}

static int least_rows(const void *params, const struct gf_format *out)
{
    (void)params;
    (void)out;
    return ROWS;
}

static struct gf_cost warp_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    static const double light[] = { [GF_NEAREST] = 3.5, [GF_LINEAR] = 4.5, [GF_CUBIC] = 15 };
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
