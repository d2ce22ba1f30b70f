/* Writes linear samples after a header, in order or from any thread. */
#include "io/formats/audio/uncompressed.h"

int gf_uncompressed_store(struct gf_writer *w, int64_t offset, const void *bytes, size_t size, struct gf_error *err)
{
    const struct gf_uncompressed_out *s = w->state;

    if (w->random)
        return gf_output_write_at(w->out, s->start + (int64_t)s->header_bytes + offset, bytes, size, err);
    return gf_output_write(w->out, bytes, size, err);
}

int gf_uncompressed_write_at(struct gf_writer *w, int64_t start, const void *units, int64_t count, struct gf_error *err)
{
    enum { BLOCK = 16384 };
    struct gf_uncompressed_out *s = w->state;
    const size_t bytes = (size_t)s->pcm.bytes, packed = gf_type_bytes(w->format.type);
    int64_t offset = start * s->unit_bytes, seen = atomic_load(&s->units);
    size_t left = (size_t)count * (size_t)w->format.width * (size_t)w->format.channels;
    unsigned char chunk[BLOCK * 8];

    while (seen < start + count && !atomic_compare_exchange_weak(&s->units, &seen, start + count))
        ;
    if (gf_pcm_is_packed(&s->pcm, w->format.type))
        return gf_uncompressed_store(w, offset, units, left * bytes, err);
    for (size_t at = 0; left > 0; at += BLOCK) {
        const size_t n = left < BLOCK ? left : BLOCK;

        gf_pcm_pack(&s->pcm, (const char *)units + at * packed, chunk, n);
        if (gf_uncompressed_store(w, offset, chunk, n * bytes, err) != 0)
            return -1;
        offset += (int64_t)(n * bytes);
        left -= n;
    }
    return 0;
}

int gf_uncompressed_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    struct gf_uncompressed_out *s = w->state;

    if (gf_uncompressed_write_at(w, s->unit, units, count, err) != 0)
        return -1;
    s->unit += count;
    return 0;
}
