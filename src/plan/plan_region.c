/* Regions of a signal on disk: their bounds and their parameters. */
#include "plan/plan_region.h"

#include <math.h>

#define MARGIN 3                         /* pixels around a place that an interpolation may touch, and one for rounding */

static int64_t clamp(int64_t v, int64_t low, int64_t high)
{
    return v < low ? low : v > high ? high : v;
}

bool gf_region_possible(const struct gf_step *s)
{
    const struct gf_sample *sample = gf_step_params(s);

    if (s->op == GF_OP_MOVE)
        return true;
    /* what reflects or wraps fetches from far away */
    return s->op == GF_OP_SAMPLE && (sample->use_background || sample->border == GF_CLAMP || sample->border == GF_ZERO);
}

/* The least and the greatest of a + x·dx + y·dy over the corners of a tile. */
static struct gf_span extent(int64_t a, int64_t dx, int64_t dy, struct gf_span columns, struct gf_span rows)
{
    const int64_t x[2] = { columns.start * dx, (columns.end - 1) * dx }, y[2] = { rows.start * dy, (rows.end - 1) * dy };

    return (struct gf_span) { a + (x[0] < x[1] ? x[0] : x[1]) + (y[0] < y[1] ? y[0] : y[1]),
                              a + (x[0] > x[1] ? x[0] : x[1]) + (y[0] > y[1] ? y[0] : y[1]) };
}

static void sample_region(const struct gf_step *s, struct gf_span columns, struct gf_span rows, struct gf_region *r)
{
    const struct gf_sample *p = gf_step_params(s);
    struct gf_span x = extent(p->cx, p->xx, p->xy, columns, rows), y = extent(p->cy, p->yx, p->yy, columns, rows);

    x = (struct gf_span) { clamp((x.start >> GF_SAMPLE_ONE_BITS) - MARGIN, 0, s->in.width - 1),
                           clamp((x.end >> GF_SAMPLE_ONE_BITS) + MARGIN, 0, s->in.width - 1) + 1 };
    y = (struct gf_span) { clamp((y.start >> GF_SAMPLE_ONE_BITS) - MARGIN, 0, s->in.units - 1),
                           clamp((y.end >> GF_SAMPLE_ONE_BITS) + MARGIN, 0, s->in.units - 1) + 1 };
    *r = (struct gf_region) { .x = x.start, .y = y.start, .columns = gf_span_units(x), .rows = gf_span_units(y) };
    r->own.sample = *p;
    r->own.sample.cx += columns.start * p->xx - r->x * (INT64_C(1) << GF_SAMPLE_ONE_BITS);
    r->own.sample.cy += columns.start * p->yx - r->y * (INT64_C(1) << GF_SAMPLE_ONE_BITS);
    r->params = &r->own.sample;
}

static void move_region(const struct gf_step *s, struct gf_span columns, struct gf_span rows, struct gf_region *r)
{
    const struct gf_move *p = gf_step_params(s);
    const struct gf_span x = extent(p->cx, p->xx, p->xy, columns, rows), y = extent(p->cy, p->yx, p->yy, columns, rows);

    *r = (struct gf_region) { .x = x.start, .y = y.start, .columns = x.end - x.start + 1, .rows = y.end - y.start + 1 };
    r->own.move = *p;
    r->own.move.cx += columns.start * p->xx - r->x;
    r->own.move.cy += columns.start * p->yx - r->y;
    r->params = &r->own.move;
}

void gf_region_of(const struct gf_step *s, struct gf_span columns, struct gf_span rows, struct gf_region *r)
{
    if (s->op == GF_OP_SAMPLE)
        sample_region(s, columns, rows, r);
    else
        move_region(s, columns, rows, r);
}

static int64_t padded(int64_t columns)
{
    return gf_round_up(columns, GF_PITCH_SAMPLES);
}

int64_t gf_region_samples(const struct gf_step *s, int64_t rows, bool planar)
{
    const double one = ldexp(1, GF_SAMPLE_ONE_BITS), tile = (double)gf_tile_columns(rows);
    double x[2] = { 1, 1 }, y[2] = { 1, 1 };
    int64_t columns, lines;

    if (s->op == GF_OP_SAMPLE) {
        const struct gf_sample *p = gf_step_params(s);

        x[0] = fabs((double)p->xx) / one, x[1] = fabs((double)p->xy) / one;
        y[0] = fabs((double)p->yx) / one, y[1] = fabs((double)p->yy) / one;
    }
    columns = (int64_t)(tile * x[0] + (double)rows * x[1]) + 2 * MARGIN + 2;
    lines = (int64_t)(tile * y[0] + (double)rows * y[1]) + 2 * MARGIN + 2;
    return padded((columns < s->in.width ? columns : s->in.width) * (planar ? 1 : s->in.channels))
         * (lines < s->in.units ? lines : s->in.units) * (planar ? s->in.channels : 1);
}

struct gf_block gf_region_block(const struct gf_pass_end *store, const struct gf_region *r, void *memory)
{
    const int64_t pitch = padded(r->columns * (store->planar ? 1 : store->format.channels));
    const struct gf_span rows = { 0, r->rows };
    struct gf_block b = store->planar ? gf_block_planar(memory, &store->format, rows, pitch, r->rows)
                                      : gf_block_packed(memory, &store->format, rows);

    b.width = r->columns;
    b.pitch_samples = pitch;
    return b;
}

struct gf_block gf_block_columns(const struct gf_block *b, struct gf_span columns)
{
    struct gf_block part = *b;

    part.data = (char *)b->data + (size_t)(columns.start * (b->planar ? 1 : b->channels)) * gf_type_bytes(b->type);
    part.width = gf_span_units(columns);
    return part;
}
