/* Regions of a signal on disk: their size, and their layout in memory. */
#include "plan/plan_region.h"

static int64_t padded(int64_t columns)
{
    return gf_round_up(columns, GF_PITCH_SAMPLES);
}

bool gf_region_possible(const struct gf_step *s)
{
    struct gf_region r;

    return gf_step_op(s)->region != NULL && gf_step_op(s)->region(gf_step_params(s), &s->in, (struct gf_span) { 0, 1 },
                                                                  (struct gf_span) { 0, 1 }, &r);
}

int64_t gf_region_samples(const struct gf_step *s, int64_t rows, bool planar)
{
    int64_t columns, lines;

    gf_step_op(s)->region_size(gf_step_params(s), gf_tile_columns(rows), rows, &columns, &lines);
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
