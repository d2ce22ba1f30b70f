/*
 * Histories: a ring of units for each step that carries state. A unit's position in the signal
 * gives its place.
 */
#include "plan/history.h"

struct gf_block gf_history_part(const struct gf_step *s, void *carry, struct gf_span span)
{
    const int64_t at = span.start % s->history_units, room = s->history_units - at;
    const struct gf_span all = { span.start - at, span.start - at + s->history_units };
    char *memory = (char *)carry + s->history_at;
    const struct gf_block ring = s->planar ? gf_block_planar(memory, &s->out, all, s->pitch_samples, s->history_units)
                                           : gf_block_packed(memory, &s->out, all);

    span.end = gf_span_units(span) > room ? span.start + room : span.end;
    return gf_block_part(&ring, span);
}

struct gf_span gf_history_left(const struct gf_step *s, struct gf_span made)
{
    const int64_t first = made.end - s->history_units;

    return (struct gf_span) { first > made.start ? first : made.start, made.end };
}
