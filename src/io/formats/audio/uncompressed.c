/* Reads and writes linear samples after a header, for all uncompressed formats; writes come from any thread. */
#include "io/formats/audio/uncompressed.h"

#include "io/formats/audio/second_recording.h"
#include "io/formats/audio/sndfile_open.h"
#include "io/salvage.h"

#define MOST_PROMISED (INT64_MAX / 1024)         /* units; larger numbers could overflow sizes */

static int fail_short(const struct gf_reader *r, int64_t units, struct gf_error *err)
{
    const struct gf_uncompressed *l = r->state;

    if (units < l->there)
        return gf_fail(err, GF_FAILED, "%s: has become shorter while it was read", r->name);
    if (r->format.kind == GF_IMAGE)
        return gf_fail_cut(err, "%s: ends after row %lld of %lld", r->name, (long long)units,
                           (long long)r->format.units);
    return gf_salvage_fail_frames(r, l->there >= 0 ? l->there : units, l->promised, err);
}

/* Warns about an incomplete frame at the end of samples without a stated length. */
static void warn_incomplete(const struct gf_reader *r, int64_t bytes)
{
    const struct gf_uncompressed *l = r->state;

    if (bytes > 0 && r->format.kind == GF_AUDIO)
        gf_warn(r->notices, "partial-frame", r->name, "ends inside a frame of %lld bytes; the last %lld byte%s ignored",
                (long long)l->unit_bytes, (long long)bytes, bytes == 1 ? " was" : "s were");
}

int gf_uncompressed_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, int match,
                         const struct gf_reader_ops *ops, size_t state_bytes, struct gf_error *err)
{
    if (match < 0)
        return -1;
    return match == 0 ? gf_sndfile_open_reader(r, s, o, err) : gf_reader_begin(r, s, o, ops, state_bytes, err);
}

int gf_uncompressed_drain(struct gf_reader *r, struct gf_error *err)
{
    const struct gf_uncompressed *l = r->state;

    if (l->promised == GF_UNKNOWN || r->source->random)
        return 0;
    if (r->format.kind == GF_AUDIO && l->unit == l->promised && gf_second_recording_check(r, r->source, 0, err) != 0)
        return -1;
    return gf_source_skip(r->source, INT64_MAX, err) >= 0 ? 0 : -1;
}

int gf_uncompressed_begin(struct gf_reader *r, int64_t size, struct gf_error *err)
{
    struct gf_uncompressed *l = r->state;
    const bool salvage = r->salvage && r->format.kind == GF_AUDIO;
    int64_t left;

    /* fetch() reads stored units into the buffer for packed ones */
    if ((uint64_t)l->unit_bytes > gf_unit_bytes(&r->format))
        return gf_fail(err, GF_FAILED, "%s: a stored row of %lld bytes is larger than its %zu bytes of samples",
                       r->name, (long long)l->unit_bytes, gf_unit_bytes(&r->format));
    l->data = r->source->position;
    l->unit = 0;
    r->random = r->source->random;
    l->promised = size < 0 ? GF_UNKNOWN : size / l->unit_bytes;
    l->there = GF_UNKNOWN;
    r->format.units = salvage && !r->random ? GF_UNKNOWN : l->promised;
    if (!r->random)
        return 0;
    left = (r->source->size > l->data ? r->source->size - l->data : 0) / l->unit_bytes;
    if (size < 0) {
        r->format.units = left;
        warn_incomplete(r, r->source->size > l->data ? (r->source->size - l->data) % l->unit_bytes : 0);
    }
    l->there = left;
    if (l->promised > left && (r->format.kind == GF_IMAGE || (l->promised > MOST_PROMISED && !salvage)))
        return fail_short(r, left, err);
    if (l->promised > left && salvage) {
        if (gf_salvage_frames(r, left, l->promised, err) != 0)
            return -1;
        r->format.units = left;
    }
    return size >= 0 && r->format.kind == GF_AUDIO ? gf_second_recording_check(r, r->source, l->data + size, err) : 0;
}

/*
 * Reads complete units from `start`. Without random access, `start` must be the next unit. Returns
 * fewer at the end, or -1.
 */
static int64_t read_units(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    const struct gf_uncompressed *l = r->state;
    const size_t across = (size_t)r->format.width * (size_t)r->format.channels, samples = (size_t)count * across;
    const size_t size = (size_t)count * (size_t)l->unit_bytes;
    /* at the far end, so that unpacking does not overwrite it */
    unsigned char *stored = (unsigned char *)units + (samples * gf_type_bytes(r->format.type) - size);
    int64_t got;

    if (r->random)
        got = gf_source_read_at(r->source, l->data + start * l->unit_bytes, stored, size, err);
    else
        got = gf_source_read(r->source, stored, size, err);
    if (got < 0)
        return -1;
    if (!r->random && l->promised == GF_UNKNOWN)
        warn_incomplete(r, got % l->unit_bytes);
    got /= l->unit_bytes;
    if (!l->plain || l->pcm.bytes > 1)
        gf_pcm_unpack(&l->pcm, stored, units, (size_t)got * across);
    return got;
}

int64_t gf_uncompressed_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct gf_uncompressed *l = r->state;
    const int64_t most = r->random ? r->format.units : l->promised;
    int64_t got;

    if (most >= 0 && count > most - l->unit)
        count = most - l->unit;
    if (count <= 0)
        return l->more ? 0 : gf_uncompressed_drain(r, err);
    got = read_units(r, l->unit, units, count, err);
    if (got == 0 && most >= 0 && !(r->salvage && r->format.kind == GF_AUDIO))
        return fail_short(r, l->unit, err);
    if (got == 0 && most >= 0 && gf_salvage_frames(r, l->unit, most, err) != 0)
        return -1;
    if (got > 0)
        l->unit += got;
    return got;
}

int gf_uncompressed_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    const int64_t got = read_units(r, start, units, count, err);

    if (got < 0)
        return -1;
    return got < count ? fail_short(r, start + got, err) : 0;
}

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
