/* Writes WAV: with true sizes where they are known, with open ones to a pipe where they are not, as RF64 where 32 bits don't hold them. */
#define _GNU_SOURCE
#include "io/formats.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct wav_out {
    int sample_bytes;            /* stored */
    int64_t frame_bytes;
    int64_t start;               /* of the header in the file */
    size_t header_bytes;
    bool announced;              /* a pipe was told how many frames will come */
    bool reserved;               /* room for a ds64 chunk is left */
    int64_t frame;               /* the next one written in order */
    _Atomic int64_t frames;      /* as far as any thread has written */
    bool used;
};

/* A larger file than this gets its sizes in 64 bits; room for the header and a pad byte is left. */
#define MOST_BYTES ((int64_t)UINT32_MAX - 256)

static unsigned char *put(unsigned char *b, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        *b++ = (unsigned char)(value >> (8 * i));
    return b;
}

static unsigned char *put_text(unsigned char *b, const char *text)
{
    size_t length = strlen(text);

    memcpy(b, text, length);
    return b + length;
}

static int wav_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    (void)err;
    gf_fit_audio(w, f);
    return 0;
}

/* Which loudspeakers the channels feed, where their number says so. */
static uint32_t speakers(int channels)
{
    static const uint32_t masks[] = { 0, 0x4, 0x3, 0x7, 0x33, 0x37, 0x3F, 0x13F, 0x63F };

    return channels <= 8 ? masks[channels] : 0;
}

static unsigned char *put_fmt(unsigned char *b, const struct gf_format *f, int sample_bytes)
{
    static const unsigned char guid[] = { 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71 };
    bool is_float = gf_type_is_float(f->type);
    bool extensible = f->channels > 2 || (!is_float && sample_bytes > 2);
    unsigned tag = is_float ? 3 : 1, frame = (unsigned)(sample_bytes * f->channels);

    b = put_text(b, "fmt ");
    b = put(b, extensible ? 40 : is_float ? 18 : 16, 4);
    b = put(b, extensible ? 0xFFFE : tag, 2);
    b = put(b, (unsigned)f->channels, 2);
    b = put(b, (unsigned)f->rate, 4);
    b = put(b, (uint64_t)f->rate * frame, 4);
    b = put(b, frame, 2);
    b = put(b, (unsigned)sample_bytes * 8, 2);
    if (!extensible)
        return is_float ? put(b, 0, 2) : b;
    b = put(b, 22, 2);
    b = put(b, (unsigned)sample_bytes * 8, 2);
    b = put(b, speakers(f->channels), 4);
    b = put(b, tag, 2);
    memcpy(b, guid, sizeof guid);
    return b + sizeof guid;
}

/* The header for so many frames; -1: nobody knows, as behind a live pipe. Its length does not depend on them. */
static size_t header(const struct gf_writer *w, int64_t frames, unsigned char *to)
{
    const struct wav_out *s = w->state;
    const struct gf_format *f = &w->format;
    uint64_t size = frames < 0 ? UINT32_MAX : (uint64_t)(frames * s->frame_bytes);
    bool large = frames >= 0 && s->reserved && (int64_t)size > MOST_BYTES;
    uint64_t riff = size + (size & 1) + s->header_bytes - 8;
    unsigned char *b = to;

    b = put_text(b, large ? "RF64" : "RIFF");
    b = put(b, large || frames < 0 ? UINT32_MAX : riff, 4);
    b = put_text(b, "WAVE");
    if (s->reserved) {
        b = put(put_text(b, large ? "ds64" : "JUNK"), 28, 4);
        b = put(b, large ? riff : 0, 8);
        b = put(b, large ? size : 0, 8);
        b = put(b, large ? (uint64_t)frames : 0, 8);
        b = put(b, 0, 4);
    }
    b = put_fmt(b, f, s->sample_bytes);
    if (gf_type_is_float(f->type)) {
        b = put(put_text(b, "fact"), 4, 4);
        b = put(b, frames < 0 || frames > UINT32_MAX ? UINT32_MAX : (uint64_t)frames, 4);
    }
    b = put_text(b, "data");
    b = put(b, large || frames < 0 ? UINT32_MAX : size, 4);
    return (size_t)(b - to);
}

static int wav_begin(struct gf_writer *w, struct gf_error *err)
{
    const struct gf_format *f = &w->format;
    struct wav_out *s = w->state != NULL ? w->state : calloc(1, sizeof *s);
    unsigned char bytes[160];
    int64_t frames = -1;

    w->state = s;
    if (s == NULL)
        return gf_fail(err, GF_FAILED, "%s: out of memory", w->name);
    if (s->used)
        return gf_fail(err, GF_FAILED, "%s: a WAV holds one recording", w->name);
    s->used = true;
    s->sample_bytes = f->bits <= 8 ? 1 : f->type == GF_S32 && f->bits <= 24 ? 3 : (int)gf_type_bytes(f->type);
    s->frame_bytes = (int64_t)s->sample_bytes * f->channels;
    if (s->frame_bytes > UINT16_MAX)
        return gf_fail(err, GF_FAILED, "%s: a WAV can't hold %d channels", w->name, f->channels);
    s->start = gf_out_position(w->out);
    w->random = gf_out_random(w->out);
    if (w->random) {
        frames = f->units < 0 ? 0 : f->units;
        s->reserved = f->units < 0 || f->units > MOST_BYTES / s->frame_bytes;
    } else if (f->units >= 0 && f->units <= MOST_BYTES / s->frame_bytes) {
        frames = f->units;               /* known before the first one: programs behind us like to know it too */
        s->announced = true;
    }
    s->header_bytes = header(w, 0, bytes);
    return gf_out_write(w->out, bytes, header(w, frames, bytes), err);
}

/* The top byte of 16 bits, as offset binary. */
static void narrow8(const int16_t *restrict from, unsigned char *restrict to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (unsigned char)((from[i] >> 8) + 128);
}

/* The upper three bytes of 32 bits. */
static void narrow24(const int32_t *restrict from, unsigned char *restrict to, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t v = (uint32_t)from[i];

        to[3 * i] = (unsigned char)(v >> 8);
        to[3 * i + 1] = (unsigned char)(v >> 16);
        to[3 * i + 2] = (unsigned char)(v >> 24);
    }
}

static int store(struct gf_writer *w, int64_t offset, const void *bytes, size_t size, struct gf_error *err)
{
    const struct wav_out *s = w->state;

    if (w->random)
        return gf_out_write_at(w->out, s->start + (int64_t)s->header_bytes + offset, bytes, size, err);
    return gf_out_write(w->out, bytes, size, err);
}

static int wav_write_at(struct gf_writer *w, int64_t start, const void *units, int64_t count, struct gf_error *err)
{
    enum { BLOCK = 16384 };
    struct wav_out *s = w->state;
    int64_t offset = start * s->frame_bytes, seen = atomic_load(&s->frames);
    size_t left = (size_t)(count * w->format.channels);
    unsigned char chunk[BLOCK * 3];

    while (seen < start + count && !atomic_compare_exchange_weak(&s->frames, &seen, start + count))
        ;
    if ((size_t)s->sample_bytes == gf_type_bytes(w->format.type))
        return store(w, offset, units, left * (size_t)s->sample_bytes, err);
    for (size_t at = 0; left > 0; at += BLOCK) {
        size_t n = left < BLOCK ? left : BLOCK;

        if (s->sample_bytes == 1)
            narrow8((const int16_t *)units + at, chunk, n);
        else
            narrow24((const int32_t *)units + at, chunk, n);
        if (store(w, offset, chunk, n * (size_t)s->sample_bytes, err) != 0)
            return -1;
        offset += (int64_t)n * s->sample_bytes;
        left -= n;
    }
    return 0;
}

static int wav_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    struct wav_out *s = w->state;

    if (wav_write_at(w, s->frame, units, count, err) != 0)
        return -1;
    s->frame += count;
    return 0;
}

static int wav_end(struct gf_writer *w, struct gf_error *err)
{
    struct wav_out *s = w->state;
    int64_t frames = atomic_load(&s->frames), size = frames * s->frame_bytes;
    unsigned char bytes[160];

    if (!w->random)
        return s->announced && (size & 1) != 0 ? store(w, size, "", 1, err) : 0;
    if (!s->reserved && size > MOST_BYTES)
        return gf_fail(err, GF_FAILED, "%s: grew past 4 GB unannounced", w->name);
    if ((size & 1) != 0 && store(w, size, "", 1, err) != 0)
        return -1;
    gf_out_set_position(w->out, s->start + (int64_t)s->header_bytes + size + (size & 1));
    return gf_out_write_at(w->out, s->start, bytes, header(w, frames, bytes), err);
}

static void wav_release(struct gf_writer *w)
{
    free(w->state);
}

const struct gf_writer_ops gf_write_wav = {
    .name = "wav", .kind = GF_AUDIO, .fit = wav_fit, .begin = wav_begin, .write = wav_write,
    .write_at = wav_write_at, .end = wav_end, .release = wav_release,
};
