/* Moves rows and regions of signals on disk between the disk and a lane's host buffers. */
#include "run/spooled.h"

#include "base/clock.h"

int gf_spooled_move(const struct gf_spooled *s, struct gf_lane *lane, struct gf_span span, bool write,
                    struct gf_error *err)
{
    const int planes = s->store->planar ? s->store->format.channels : 1;
    const size_t row = (size_t)s->store->pitch_samples
                       * gf_type_bytes(s->store->planar ? GF_F32 : s->store->format.type);
    const size_t bytes = (size_t)gf_span_units(span) * row;
    const double start = gf_clock_seconds();

    for (int c = 0; c < planes; c++) {
        const size_t at = (size_t)(c * s->units + span.start) * row;
        char *rows = (char *)(write ? lane->out.data : lane->in.data) + (size_t)c * bytes;

        if ((write ? gf_spool_write(s->spool, at, rows, bytes, err) : gf_spool_read(s->spool, at, rows, bytes, err))
            != 0)
            return -1;
    }
    gf_lane_note(lane, write ? GF_WRITING : GF_READING, -1, start, gf_clock_seconds(), (int64_t)bytes * planes);
    return 0;
}

int gf_spooled_fetch(const void *spooled, const struct gf_region *r, const struct gf_block *to, struct gf_error *err)
{
    const struct gf_spooled *s = spooled;
    const size_t sample = gf_type_bytes(to->type);
    const int64_t wide = to->planar ? 1 : to->channels;

    for (int c = 0; c < (to->planar ? to->channels : 1); c++)
        for (int64_t y = 0; y < r->rows; y++) {
            const int64_t from = (c * s->units + r->y + y) * s->store->pitch_samples + r->x * wide;
            char *at = (char *)to->data + (size_t)(c * to->plane_samples + y * to->pitch_samples) * sample;

            if (gf_spool_read(s->spool, (size_t)from * sample, at, (size_t)(r->columns * wide) * sample, err) != 0)
                return -1;
        }
    return 0;
}
