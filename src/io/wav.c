/* Reads WAV and RF64 of linear samples from files and pipes; other encodings are left to libsndfile. */
#define _GNU_SOURCE
#include "io/formats.h"

#include <stdlib.h>
#include <string.h>

enum { TAG_PCM = 1, TAG_FLOAT = 3, TAG_EXTENSIBLE = 0xFFFE };

struct wav {
    struct gf_source *source;
    int sample_bytes;            /* stored */
    int64_t frame_bytes;         /* stored */
    int64_t data;                /* where the first frame lies */
    int64_t frame;               /* the next one read in order */
    uint64_t riff_size, data_size;   /* as the header and ds64 say */
    bool opened;
};

static uint32_t get16(const unsigned char *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8;
}

static uint32_t get32(const unsigned char *b)
{
    return get16(b) | get16(b + 2) << 16;
}

static uint64_t get64(const unsigned char *b)
{
    return get32(b) | (uint64_t)get32(b + 4) << 32;
}

static bool is_riff(const unsigned char *b)
{
    return (memcmp(b, "RIFF", 4) == 0 || memcmp(b, "RF64", 4) == 0 || memcmp(b, "BW64", 4) == 0)
        && memcmp(b + 8, "WAVE", 4) == 0;
}

/* The encoding of a "fmt " chunk of `size` bytes. Extensible ones have it at the head of a GUID. */
static uint32_t encoding(const unsigned char *b, size_t size)
{
    uint32_t tag = get16(b);

    return tag == TAG_EXTENSIBLE && size >= 26 ? get16(b + 24) : tag;
}

/* Linear samples, or not known yet: ours. The fmt chunk is nearly always within sight. */
static int wav_match(struct gf_source *s, struct gf_error *err)
{
    const unsigned char *b;
    int64_t size = gf_source_peek(s, 12, &b, err);
    uint64_t at = 12;

    if (size < 12 || !is_riff(b))
        return size < 0 ? -1 : 0;
    while (at < 32768) {
        uint32_t length, tag;

        size = gf_source_peek(s, (size_t)at + 8 + 26, &b, err);
        if (size < 0)
            return -1;
        if ((uint64_t)size < at + 8 + 16)
            return 1;
        length = get32(b + at + 4);
        if (memcmp(b + at, "fmt ", 4) == 0) {
            tag = encoding(b + at + 8, (uint64_t)size < at + 34 || length < 26 ? 16 : 26);
            return tag == TAG_PCM || tag == TAG_FLOAT || tag == TAG_EXTENSIBLE;
        }
        at += 8 + (uint64_t)length + (length & 1);
    }
    return 1;
}

static int take(struct gf_reader *r, void *to, size_t size, struct gf_error *err)
{
    struct wav *w = r->state;
    int64_t got = gf_source_read(w->source, to, size, err);

    if (got < 0)
        return -1;
    return (size_t)got < size ? gf_fail(err, GF_FAILED, "%s: ends before its samples begin", r->name) : 0;
}

static int set_format(struct gf_reader *r, const unsigned char *b, size_t size, struct gf_error *err)
{
    struct wav *w = r->state;
    struct gf_format *f = &r->format;
    uint32_t tag = encoding(b, size), channels = get16(b + 2), rate = get32(b + 4);
    uint32_t align = get16(b + 12), bits = get16(b + 14), bytes = (bits + 7) / 8;

    if (channels < 1 || channels > GF_MAX_CHANNELS)
        return gf_fail(err, GF_FAILED, "%s: has %u channels; 1 to %d are read", r->name, channels, GF_MAX_CHANNELS);
    if (rate < 1 || rate > INT32_MAX)
        return gf_fail(err, GF_FAILED, "%s: has a sample rate of %u", r->name, rate);
    if (align % channels == 0 && align / channels > bytes)
        bytes = align / channels;
    if (tag == TAG_PCM && bytes >= 1 && bytes <= 4) {
        f->type = bytes <= 2 ? GF_S16 : GF_S32;
        f->bits = (int)bytes * 8;
    } else if (tag == TAG_FLOAT && (bytes == 4 || bytes == 8)) {
        f->type = bytes == 4 ? GF_F32 : GF_F64;
        f->bits = (int)bytes * 8;
    } else {
        return gf_fail(err, GF_FAILED, "%s: its encoding (%u, %u bits) is not read", r->name, tag, bits);
    }
    f->kind = GF_AUDIO;
    f->channels = (int)channels;
    f->width = 1;
    f->rate = (int32_t)rate;
    w->sample_bytes = (int)bytes;
    w->frame_bytes = (int64_t)bytes * channels;
    return 0;
}

/* Reads chunks up to the samples. */
static int read_chunks(struct gf_reader *r, struct gf_error *err)
{
    struct wav *w = r->state;
    unsigned char b[40];
    uint64_t long_size = 0;

    if (take(r, b, 12, err) != 0)
        return -1;
    if (!is_riff(b))
        return gf_fail(err, GF_FAILED, "%s: is not a WAV", r->name);
    w->riff_size = get32(b + 4);
    for (;;) {
        char id[5] = { 0 };
        uint32_t size;
        size_t taken = 0;

        if (take(r, b, 8, err) != 0)
            return -1;
        memcpy(id, b, 4);
        size = get32(b + 4);
        if (strcmp(id, "data") == 0) {
            w->data_size = size == UINT32_MAX && long_size != 0 ? long_size : size;
            break;
        }
        if (strcmp(id, "fmt ") == 0 || strcmp(id, "ds64") == 0) {
            bool is_fmt = id[0] == 'f';

            if (size < (is_fmt ? 16 : 24))
                return gf_fail(err, GF_FAILED, "%s: its \"%s\" chunk is too short", r->name, id);
            taken = size < sizeof b ? size : sizeof b;
            if (take(r, b, taken, err) != 0 || (is_fmt && set_format(r, b, taken, err) != 0))
                return -1;
            if (!is_fmt)
                long_size = get64(b + 8);
        }
        if (gf_source_skip(w->source, (int64_t)size + (size & 1) - (int64_t)taken, err) < 0)
            return -1;
    }
    return w->frame_bytes > 0 ? 0 : gf_fail(err, GF_FAILED, "%s: has samples but no \"fmt \" chunk", r->name);
}

/* Sizes that streaming programs write because they don't know better. */
static bool is_open_ended(uint64_t size)
{
    return size == 0 || (size >= 0x7FFFF000 && size <= 0x7FFFFFFF) || size == UINT32_MAX || size == UINT64_MAX;
}

/*
 * On a pipe an open-ended size means "to the end". A file may have been saved from a pipe:
 * there it does where the size can't be meant, being larger than the file, or 0 in a RIFF of no size.
 */
static int64_t count_frames(const struct wav *w)
{
    bool open_ended = is_open_ended(w->data_size);
    uint64_t left = 0;

    if (w->source->random) {
        left = w->source->size > w->data ? (uint64_t)(w->source->size - w->data) : 0;
        open_ended = open_ended
                  && (w->data_size > left || (w->data_size == 0 && left > 0 && is_open_ended(w->riff_size)));
    }
    if (open_ended)
        return w->source->random ? (int64_t)left / w->frame_bytes : GF_UNKNOWN;
    return (int64_t)(w->data_size > INT64_MAX ? INT64_MAX : w->data_size) / w->frame_bytes;
}

/* Whoever fills a pipe is let finish: what follows the samples is read and forgotten. */
static int drain(struct wav *w, struct gf_error *err)
{
    return w->source->random || gf_source_skip(w->source, INT64_MAX, err) >= 0 ? 0 : -1;
}

static int wav_next(struct gf_reader *r, struct gf_error *err)
{
    struct wav *w = r->state;

    if (w->opened)
        return drain(w, err);
    w->opened = true;
    r->format = (struct gf_format) { .kind = GF_AUDIO };
    if (read_chunks(r, err) != 0)
        return -1;
    w->data = w->source->position;
    r->format.units = count_frames(w);
    r->random = w->source->random;
    return 1;
}

/* Offset binary to the top of 16 bits. A block is copied away before its place is overwritten. */
static void widen8(const unsigned char *from, int16_t *to, size_t count)
{
    unsigned char chunk[2048];

    for (size_t at = 0; at < count; at += sizeof chunk) {
        size_t n = count - at < sizeof chunk ? count - at : sizeof chunk;

        memcpy(chunk, from + at, n);
        for (size_t i = 0; i < n; i++)
            to[at + i] = (int16_t)((chunk[i] - 128) * 256);
    }
}

/* Three bytes to the top of 32 bits. */
static void widen24(const unsigned char *from, int32_t *to, size_t count)
{
    enum { BLOCK = 1024 };
    unsigned char chunk[BLOCK * 3];

    for (size_t at = 0; at < count; at += BLOCK) {
        size_t n = count - at < BLOCK ? count - at : BLOCK;

        memcpy(chunk, from + at * 3, n * 3);
        for (size_t i = 0; i < n; i++)
            to[at + i] = (int32_t)((uint32_t)chunk[3 * i] << 8 | (uint32_t)chunk[3 * i + 1] << 16
                                   | (uint32_t)chunk[3 * i + 2] << 24);
    }
}

/* Whole frames from `start`, which is the next one where the source has an order. Fewer at the end; -1. */
static int64_t fetch(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    struct wav *w = r->state;
    size_t samples = (size_t)count * (size_t)r->format.channels;
    size_t spare = samples * (gf_type_bytes(r->format.type) - (size_t)w->sample_bytes);
    unsigned char *stored = (unsigned char *)units + spare;   /* narrow samples arrive at the far end */
    size_t size = samples * (size_t)w->sample_bytes;
    int64_t got;

    if (r->random)
        got = gf_source_read_at(w->source, w->data + start * w->frame_bytes, stored, size, err);
    else
        got = gf_source_read(w->source, stored, size, err);
    if (got < 0)
        return -1;
    got /= w->frame_bytes;
    if (w->sample_bytes == 1)
        widen8(stored, units, (size_t)(got * r->format.channels));
    else if (w->sample_bytes == 3)
        widen24(stored, units, (size_t)(got * r->format.channels));
    return got;
}

static int fail_short(const struct gf_reader *r, int64_t frames, struct gf_error *err)
{
    return gf_fail(err, GF_FAILED, "%s: ends after frame %lld of %lld", r->name, (long long)frames,
                   (long long)r->format.units);
}

/* What is whole before a cut is handed over; the next call tells of the cut. */
static int64_t wav_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct wav *w = r->state;
    int64_t got, known = r->format.units;

    if (known >= 0 && count > known - w->frame)
        count = known - w->frame;
    if (count <= 0)
        return drain(w, err);
    got = fetch(r, w->frame, units, count, err);
    if (got == 0 && known >= 0)
        return fail_short(r, w->frame, err);
    if (got > 0)
        w->frame += got;
    return got;
}

static int wav_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    int64_t got = fetch(r, start, units, count, err);

    if (got < 0)
        return -1;
    return got < count ? fail_short(r, start + got, err) : 0;
}

static void wav_close(struct gf_reader *r)
{
    free(r->state);
}

static const struct gf_reader_ops wav_ops = {
    .name = "wav", .next = wav_next, .read = wav_read, .read_at = wav_read_at, .close = wav_close,
};

static int wav_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    struct wav *w;
    int ours = wav_match(s, err);

    if (ours < 0)
        return -1;
    if (ours == 0)
        return gf_read_sndfile.open(r, s, o, err);
    w = calloc(1, sizeof *w);
    if (w == NULL)
        return gf_fail(err, GF_FAILED, "%s: out of memory", r->name);
    w->source = s;
    r->ops = &wav_ops;
    r->state = w;
    return 0;
}

const struct gf_read_format gf_read_wav = {
    .name = "wav", .endings = (const char *const[]) { "wave", "rf64", "bwf", NULL },
    .match = wav_match, .open = wav_open,
};
