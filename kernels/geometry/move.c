/*
 * Moves samples on a CPU: whole rows if they stay rows, also backwards; squares in registers or small tiles if rows
 * become columns.
 */
#include "kernels/geometry/move.h"

#include "base/clones.h"
#include "kernels/base/byte_vector.h"
#include "kernels/base/region.h"
#include "kernels/geometry/move_squares.h"

#include <string.h>

#define TILE 32
#define SIDE GF_MOVE_SQUARE

/* A plane of items of one size: packed pixels, or the samples of one channel. */
struct plane {
    char *data;                  /* item 0 of the block's first unit */
    size_t pitch_bytes;
    int64_t start;
};

struct move_job {
    const struct gf_move *m;
    struct plane src, dst;
    int64_t width;
    struct gf_span span;
};

/* ---- rows stay rows ---- */

static void copy_rows(const struct move_job *j, size_t bytes)
{
    for (int64_t y = j->span.start; y < j->span.end; y++)
        memcpy(j->dst.data + (size_t)(y - j->dst.start) * j->dst.pitch_bytes,
               j->src.data + (ptrdiff_t)(j->m->cy + y * j->m->yy - j->src.start) * (ptrdiff_t)j->src.pitch_bytes
                   + (size_t)j->m->cx * bytes,
               (size_t)j->width * bytes);
}

/* Copies n items in the opposite order. They may have any address. */
#define BACKWARDS(type)                                                                      \
    GF_INLINE void backwards_##type(const char *restrict from, int64_t n, char *restrict to) \
    {                                                                                        \
        for (int64_t i = 0; i < n; i++) {                                                    \
            type item;                                                                       \
                                                                                             \
            memcpy(&item, from + (n - 1 - i) * (int64_t)sizeof item, sizeof item);           \
            memcpy(to + i * (int64_t)sizeof item, &item, sizeof item);                       \
        }                                                                                    \
    }
BACKWARDS(uint8_t)
BACKWARDS(uint16_t)
BACKWARDS(uint32_t)
BACKWARDS(uint64_t)
#undef BACKWARDS

/* All items except those at the ends are copied with the byte after them, which the next one overwrites. */
GF_INLINE void backwards_three(const char *restrict from, int64_t n, char *restrict to)
{
    for (int64_t i = 0; i < n; i++, to += 3)
        memcpy(to, from + 3 * (n - 1 - i), i > 0 && i < n - 1 ? 4 : 3);
}

#ifdef GF_HAS_BYTE_VECTORS
#define SIZE ((int)sizeof(gf_byte_vector))

/*
 * Copies the first bytes of a row that has n, in whole vectors, and returns their number. Processors foresee the rows
 * after this one less well than if they went forwards, so the next rows, `from_ahead` and `to_ahead` from these, are
 * requested.
 */
GF_BYTE_VECTORS
static int64_t backwards_bytes(const char *from, int64_t n, int64_t from_ahead, int64_t to_ahead, char *to)
{
    gf_byte_vector v, position;
    int64_t i = 0;

    for (int b = 0; b < SIZE; b++)
        position[b] = (uint8_t)(SIZE - 1 - b);
    for (; i + SIZE <= n; i += SIZE) {
        const char *source = from + n - i - SIZE;

        __builtin_prefetch(source + from_ahead);
        __builtin_prefetch(to + i + to_ahead, 1);
        memcpy(&v, source, sizeof v);
        v = __builtin_shuffle(v, position);
        memcpy(to + i, &v, sizeof v);
    }
    return i;
}

/*
 * Copies the first items of three bytes of a row that has n, as many at a time as there are bytes in a vector, and
 * returns their number. A vector of the result takes its bytes from two of the source, which may overlap.
 */
GF_BYTE_VECTORS
static int64_t backwards_vectors(const char *from, int64_t n, char *to)
{
    static const int low[] = { SIZE, SIZE - 4, 0 }, high[] = { 2 * SIZE, SIZE + 1, SIZE };
    gf_byte_vector position[3];
    int64_t i = 0;

    for (int k = 0; k < 3; k++)
        for (int b = 0; b < SIZE; b++) {
            const int at = k * SIZE + b, source = 3 * (SIZE - 1 - at / 3) + at % 3;

            position[k][b] = (uint8_t)(source < low[k] + SIZE ? source - low[k] : SIZE + source - high[k]);
        }
    for (; i + SIZE <= n; i += SIZE) {
        const char *source = from + 3 * (n - i - SIZE);

        for (int k = 0; k < 3; k++) {
            gf_byte_vector a, b;

            memcpy(&a, source + low[k], sizeof a);
            memcpy(&b, source + high[k], sizeof b);
            a = __builtin_shuffle(a, b, position[k]);
            memcpy(to + 3 * i + k * SIZE, &a, sizeof a);
        }
    }
    return i;
}
#endif

GF_INLINE void backwards_items(const char *restrict from, int64_t n, size_t bytes, char *restrict to)
{
    for (int64_t i = 0; i < n; i++, to += bytes)
        memcpy(to, from + (size_t)(n - 1 - i) * bytes, bytes);
}

GF_CLONES
static void copy_backwards(const void *from, int64_t n, size_t bytes, void *to)
{
    switch (bytes) {
    case 1: backwards_uint8_t(from, n, to); break;
    case 2: backwards_uint16_t(from, n, to); break;
    case 3: backwards_three(from, n, to); break;
    case 4: backwards_uint32_t(from, n, to); break;
    case 6: backwards_items(from, n, 6, to); break;
    case 8: backwards_uint64_t(from, n, to); break;
    case 12: backwards_items(from, n, 12, to); break;
    case 16: backwards_items(from, n, 16, to); break;
    default: backwards_items(from, n, bytes, to); break;
    }
}

/* Copies a row; items of one byte or three go in vectors as far as they fill them. */
static void mirror_row(const char *from, int64_t n, size_t bytes, int64_t from_ahead, int64_t to_ahead, char *to)
{
    int64_t done = 0;

#ifdef GF_HAS_BYTE_VECTORS
    if (bytes == 1 && gf_runs_byte_vectors())
        done = backwards_bytes(from, n, from_ahead, to_ahead, to);
    else if (bytes == 3 && gf_runs_byte_vectors())
        done = backwards_vectors(from, n, to);
#else
    (void)from_ahead;
    (void)to_ahead;
#endif
    copy_backwards(from, n - done, bytes, to + (size_t)done * bytes);
}

static void mirror_rows(const struct move_job *j, size_t bytes)
{
    for (int64_t y = j->span.start; y < j->span.end; y++) {
        const int64_t ahead = y + 1 < j->span.end ? 1 : 0;

        mirror_row(j->src.data
                   + (ptrdiff_t)(j->m->cy + y * j->m->yy - j->src.start) * (ptrdiff_t)j->src.pitch_bytes
                   + (ptrdiff_t)(j->m->cx - j->width + 1) * (ptrdiff_t)bytes, j->width, bytes,
                   ahead * j->m->yy * (int64_t)j->src.pitch_bytes, ahead * (int64_t)j->dst.pitch_bytes,
                   j->dst.data + (size_t)(y - j->dst.start) * j->dst.pitch_bytes);
    }
}

/* ---- rows become columns ---- */

/* Computes the square of the result at (x, y). */
static void turn_square(const struct move_job *j, int64_t x, int64_t y, size_t bytes)
{
    const struct gf_move *m = j->m;
    const ptrdiff_t pitch = (ptrdiff_t)j->src.pitch_bytes, to_pitch = (ptrdiff_t)j->dst.pitch_bytes;
    /* rows of the source are columns of the result; backwards, the last row of the result comes first */
    const int64_t left = m->cx + (m->xy > 0 ? y : -(y + SIDE - 1));
    const char *s = j->src.data + (m->cy + x * m->yx - j->src.start) * pitch + left * (ptrdiff_t)bytes;
    char *d = j->dst.data + (y - j->dst.start + (m->xy > 0 ? 0 : SIDE - 1)) * to_pitch + x * (ptrdiff_t)bytes;

    gf_square_turn(s, m->yx * pitch, d, m->xy * to_pitch, bytes);
}

/* Returns true if the result consists of squares. The last ones may overlap others, which have the same samples. */
static bool turn_squares(const struct move_job *j, size_t bytes)
{
    if (!gf_square_has(bytes) || j->m->xx != 0 || j->width < SIDE || gf_span_units(j->span) < SIDE)
        return false;
    for (int64_t y = j->span.start; y < j->span.end; y += SIDE)
        for (int64_t x = 0; x < j->width; x += SIDE)
            turn_square(j, x + SIDE < j->width ? x : j->width - SIDE,
                        y + SIDE < j->span.end ? y : j->span.end - SIDE, bytes);
    return true;
}

/* `bytes` is a constant in each call that matters, so that a copy is one load and one store. */
GF_INLINE void turn_tile(const struct move_job *j, int64_t x0, int64_t x1, int64_t y0, int64_t y1, size_t bytes)
{
    const struct gf_move *m = j->m;
    const ptrdiff_t pitch = (ptrdiff_t)j->src.pitch_bytes;
    const ptrdiff_t step = m->xx * (ptrdiff_t)bytes + m->yx * pitch;

    for (int64_t y = y0; y < y1; y++) {
        const char *s = j->src.data + (m->cy + x0 * m->yx + y * m->yy - j->src.start) * pitch
                      + (m->cx + x0 * m->xx + y * m->xy) * (ptrdiff_t)bytes;
        char *d = j->dst.data + (size_t)(y - j->dst.start) * j->dst.pitch_bytes + (size_t)x0 * bytes;

        for (int64_t x = x0; x < x1; x++, s += step, d += bytes)
            memcpy(d, s, bytes);
    }
}

static void turn(const struct move_job *j, size_t bytes)
{
    for (int64_t y = j->span.start; y < j->span.end; y += TILE)
        for (int64_t x = 0; x < j->width; x += TILE) {
            const int64_t x1 = x + TILE < j->width ? x + TILE : j->width;
            const int64_t y1 = y + TILE < j->span.end ? y + TILE : j->span.end;

            switch (bytes) {
            case 1: turn_tile(j, x, x1, y, y1, 1); break;
            case 2: turn_tile(j, x, x1, y, y1, 2); break;
            case 3: turn_tile(j, x, x1, y, y1, 3); break;
            case 4: turn_tile(j, x, x1, y, y1, 4); break;
            case 6: turn_tile(j, x, x1, y, y1, 6); break;
            case 8: turn_tile(j, x, x1, y, y1, 8); break;
            case 12: turn_tile(j, x, x1, y, y1, 12); break;
            case 16: turn_tile(j, x, x1, y, y1, 16); break;
            default: turn_tile(j, x, x1, y, y1, bytes); break;
            }
        }
}

static struct plane plane_of(const struct gf_block *b, int c)
{
    const size_t sample = gf_type_bytes(b->type);

    return (struct plane) { (char *)b->data + (size_t)(b->planar ? c * b->plane_samples : 0) * sample,
                            (size_t)b->pitch_samples * sample, b->span.start };
}

int gf_move_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_move *m = params;
    const size_t bytes = gf_type_bytes(io->src.type) * (size_t)(io->src.planar ? 1 : io->src.channels);
    const int planes = io->src.planar ? io->src.channels : 1;

    (void)work;
    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || io->src.planar != io->dst.planar)
        return gf_fail(err, GF_FAILED, "internal error: move cannot change samples");
    for (int c = 0; c < planes; c++) {
        const struct move_job j = { m, plane_of(&io->src, c), plane_of(&io->dst, c), io->dst.width, io->dst.span };

        if (m->xx == 1 && m->yx == 0)
            copy_rows(&j, bytes);
        else if (m->xx == -1 && m->yx == 0)
            mirror_rows(&j, bytes);
        else if (!turn_squares(&j, bytes))
            turn(&j, bytes);
    }
    return 0;
}

_Static_assert(sizeof(struct gf_move) <= GF_OP_CHANGED_BYTES, "regions change them");

static bool region(const void *params, const struct gf_format *in, struct gf_span columns, struct gf_span rows,
                   struct gf_region *r)
{
    const struct gf_move *p = params;
    const struct gf_span x = gf_region_extent(p->cx, p->xx, p->xy, columns, rows);
    const struct gf_span y = gf_region_extent(p->cy, p->yx, p->yy, columns, rows);
    struct gf_move *changed = (void *)&r->params;

    (void)in;
    *r = (struct gf_region) { .x = x.start, .y = y.start, .columns = x.end - x.start + 1, .rows = y.end - y.start + 1 };
    *changed = *p;
    changed->cx += columns.start * p->xx - r->x;
    changed->cy += columns.start * p->yx - r->y;
    return true;
}

static void region_size(const void *params, int64_t tile_columns, int64_t tile_rows, int64_t *columns, int64_t *rows)
{
    (void)params;
    *columns = *rows = tile_columns + tile_rows + 2 * GF_REGION_MARGIN + 2;
}

/* Whole rows are fast; a turn to columns reads its source across rows. Bytes are small enough to stay in a cache. */
static struct gf_cost move_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_move *m = params;

    (void)in;
    if (out->type == GF_U8)
        return (struct gf_cost) { .light = m->yx != 0 ? 1 : 0.7 };
    return (struct gf_cost) { .light = m->yx != 0 ? 4 : m->xx < 0 ? 1.8 : 0.7 };
}

/* The parameters map the first pixel of the result; positions are half a pixel from its center. */
static void move_map(const void *params, struct gf_affine *to_source)
{
    const struct gf_move *m = params;

    *to_source = (struct gf_affine) { .xx = m->xx, .xy = m->xy, .yx = m->yx, .yy = m->yy };
    to_source->cx = (double)m->cx + .5 * (1 - m->xx - m->xy);
    to_source->cy = (double)m->cy + .5 * (1 - m->yx - m->yy);
}

const struct gf_operation gf_op_move = {
    .word = "move", .text = "Moves samples to other positions, unchanged.",
    .params_bytes = sizeof(struct gf_move),
    .moves = true, .keeps_layout = true,
    .cpu = { .body = gf_move_cpu, .reads = GF_READS_PACKED, .cost = move_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_move_cuda), .reads = GF_READS_PACKED },
    .region = region,
    .region_size = region_size,
    .map = move_map,
};
