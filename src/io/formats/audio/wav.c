/* Reads WAV, RF64 and RIFX with linear samples. libsndfile reads the other encodings. */
#define _GNU_SOURCE
#include "io/bytes.h"
#include "io/channels.h"
#include "io/fit.h"
#include "io/formats/audio/audio_extras.h"
#include "io/formats/audio/second_recording.h"
#include "io/formats/audio/tags.h"
#include "io/formats/audio/uncompressed.h"
#include "io/metadata/audio_loss.h"
#include "io/metadata/riff_chunks.h"

#include <stdlib.h>
#include <string.h>

enum { TAG_PCM = 1, TAG_FLOAT = 3, TAG_EXTENSIBLE = 0xFFFE };

struct wav {
    struct gf_uncompressed uncompressed;
    bool big;                        /* big-endian: RIFX */
    uint64_t riff_size, data_size;   /* sizes in the header and in ds64 */
    uint64_t long_size;              /* size in ds64; 0: none */
    bool opened, noted;              /* `noted`: what follows the samples of a pipe was looked at */
    struct gf_meta tail;             /* it */
};

static const unsigned char usual_guid[14] = { 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71 };

static bool is_riff(const unsigned char *b)
{
    return (memcmp(b, "RIFF", 4) == 0 || memcmp(b, "RIFX", 4) == 0 || memcmp(b, "RF64", 4) == 0
            || memcmp(b, "BW64", 4) == 0)
        && memcmp(b + 8, "WAVE", 4) == 0;
}

/*
 * Returns the encoding in a "fmt " chunk of `size` bytes. The extensible form has it in the first
 * bytes of a GUID.
 */
static uint32_t encoding(const unsigned char *b, size_t size, bool big)
{
    const uint32_t tag = gf_get16(b, big);

    return tag == TAG_EXTENSIBLE && size >= 26 ? gf_get16(b + 24, big) : tag;
}

/*
 * Returns 1 if the samples are linear, or if that is not known within the first 32 KB; 0 if not, -1
 * after an error.
 */
static int is_linear(struct gf_source *s, struct gf_error *err)
{
    const unsigned char *b;
    int64_t size = gf_source_peek(s, 12, &b, err);
    uint64_t at = 12;
    bool big;

    if (size < 12 || !is_riff(b))
        return size < 0 ? -1 : 0;
    big = b[3] == 'X';
    while (at < 32768) {
        uint32_t length, tag;

        size = gf_source_peek(s, (size_t)at + 8 + 26, &b, err);
        if (size < 0)
            return -1;
        if ((uint64_t)size < at + 8 + 16)
            return 1;
        length = gf_get32(b + at + 4, big);
        if (memcmp(b + at, "fmt ", 4) == 0) {
            tag = encoding(b + at + 8, (uint64_t)size < at + 34 || length < 26 ? 16 : 26, big);
            return tag == TAG_PCM || tag == TAG_FLOAT || tag == TAG_EXTENSIBLE;
        }
        at += 8 + (uint64_t)length + (length & 1);
    }
    return 1;
}

static int read_exactly(struct gf_reader *r, void *to, size_t size, struct gf_error *err)
{
    const int64_t got = gf_source_read(r->source, to, size, err);

    if (got < 0)
        return -1;
    return (size_t)got < size ? gf_fail(err, GF_FAILED, "%s: ends before its audio samples begin", r->name) : 0;
}

static int set_format(struct gf_reader *r, const unsigned char *b, size_t size, struct gf_error *err)
{
    struct wav *w = r->state;
    struct gf_format *f = &r->format;
    const uint32_t tag = encoding(b, size, w->big), channels = gf_get16(b + 2, w->big), rate = gf_get32(b + 4, w->big);
    const uint32_t align = gf_get16(b + 12, w->big), bits = gf_get16(b + 14, w->big);
    uint32_t bytes = (bits + 7) / 8;

    if (channels < 1 || channels > GF_MAX_CHANNELS)
        return gf_fail(err, GF_FAILED, "%s: has %u channels; must be 1 to %d", r->name, channels, GF_MAX_CHANNELS);
    if (rate < 1 || rate > INT32_MAX)
        return gf_fail(err, GF_FAILED, "%s: has a sample rate of %u; must be 1 to 2147483647", r->name, rate);
    if (align % channels == 0 && align / channels > bytes)
        bytes = align / channels;
    if (!(tag == TAG_PCM && bytes >= 1 && bytes <= 4) && !(tag == TAG_FLOAT && (bytes == 4 || bytes == 8)))
        return gf_fail(err, GF_FAILED, "%s: its encoding (%u, %u bits) is not supported; convert it with another "
                       "program", r->name, tag, bits);
    if (gf_get16(b, w->big) == TAG_EXTENSIBLE && size >= 40) {
        struct gf_speaker_layout *l = &r->meta.layout;

        *l = (struct gf_speaker_layout) { .channels = (int)channels, .mask = gf_get32(b + 20, w->big) };
        memcpy(l->guid, w->big ? usual_guid : b + 26, sizeof l->guid);
        l->other = memcmp(l->guid, usual_guid, sizeof l->guid) != 0;
    }
    w->uncompressed.pcm = (struct gf_pcm) { .bytes = (int)bytes, .big = w->big, .offset = bytes == 1,
                                            .real = tag == TAG_FLOAT };
    w->uncompressed.unit_bytes = (int64_t)bytes * channels;
    gf_pcm_sound(&w->uncompressed.pcm, f);
    f->kind = GF_AUDIO;
    f->channels = (int)channels;
    f->width = 1;
    f->rate = (int32_t)rate;
    return 0;
}

/* Reads a LIST chunk of at most GF_TAGS_BYTES bytes. */
static int read_list(struct gf_reader *r, size_t size, struct gf_error *err)
{
    const struct wav *w = r->state;
    unsigned char *bytes = malloc(size + 1);
    int result;

    if (bytes == NULL)
        return gf_fail_memory(err, r->name);
    result = read_exactly(r, bytes, size, err) != 0 ? -1 : gf_tags_take_riff(&r->meta, bytes, size, w->big, err);
    if (result == 0 && !r->source->random)
        result = gf_audio_extras_riff_chunk(&r->meta, "LIST", bytes, size, w->big, true, err);
    free(bytes);
    return result;
}

/*
 * Keeps a chunk of a pipe for a WAV output, or notes that it is lost. Returns how many bytes were
 * read, or -1.
 */
static int64_t keep_chunk(struct gf_reader *r, const char *id, uint32_t size, struct gf_error *err)
{
    const struct wav *w = r->state;
    const bool all = size <= GF_TAGS_BYTES;
    const size_t want = all ? size : GF_EXTRA_HEAD;
    unsigned char *b = malloc(want + 1);
    int result;

    if (b == NULL)
        return gf_fail_memory(err, r->name);
    result = read_exactly(r, b, want, err) != 0 ? -1 : gf_audio_extras_riff_chunk(&r->meta, id, b, want,
                                                                                  w->big, all, err);
    free(b);
    return result != 0 ? -1 : (int64_t)want;
}

/* Warns if a chunk after the samples has more of them. `left` bytes follow its header. */
static void warn_further(const struct gf_reader *r, const unsigned char *id, uint32_t size, int64_t left)
{
    if (memcmp(id, "data", 4) == 0 && size > 0 && left > 0)
        gf_warn(r->notices, "second-data", r->name, "has several chunks of samples; only the first is read");
}

/* Notes chunks after the samples of a pipe, as far as they are in the look-ahead buffer, before it is drained. */
static int note_tail(struct gf_reader *r, struct gf_error *err)
{
    struct wav *w = r->state;
    const unsigned char *b;
    int64_t got, at = w->data_size & 1;

    if (w->noted || r->source->random || w->uncompressed.promised < 0
        || w->uncompressed.unit != w->uncompressed.promised)
        return 0;
    w->noted = true;
    got = gf_source_peek(r->source, GF_SECOND_RECORDING_BYTES, &b, err);
    while (at + 8 <= got) {
        char id[5] = { 0 };
        const uint32_t size = gf_get32(b + at + 4, w->big);
        const size_t left = (size_t)(got - at - 8), there = size < left ? size : left;

        memcpy(id, b + at, 4);
        warn_further(r, b + at, size, got - at - 8);
        if (gf_second_recording_begins(b + at, (size_t)(got - at) < 16 ? (size_t)(got - at) : 16))
            break;                       /* another recording, which has its own warning */
        if (strcmp(id, "LIST") == 0 ? gf_audio_extras_riff_info(&w->tail, b + at + 8, there, w->big, err) != 0
                                    : gf_audio_extras_riff_chunk(&w->tail, id, b + at + 8, there, w->big, false,
                                                                 err) != 0)
            return -1;
        at += 8 + (int64_t)size + (size & 1);
    }
    return got < 0 ? -1 : 0;
}

static int64_t read_frames(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    return count > 0 && note_tail(r, err) != 0 ? -1 : gf_uncompressed_read(r, units, count, err);
}

/* Ends the recording, whose metadata now is what follows the samples. */
static int end_samples(struct gf_reader *r, struct gf_error *err)
{
    struct wav *w = r->state;

    if (note_tail(r, err) != 0)
        return -1;
    w->tail.limit = r->meta.limit;
    gf_meta_release(&r->meta);
    r->meta = w->tail;
    w->tail = (struct gf_meta) { 0 };
    return gf_uncompressed_drain(r, err);
}

/* Processes a chunk before the samples. Returns how many bytes were read, or -1. */
static int64_t read_chunk(struct gf_reader *r, const char *id, uint32_t size, struct gf_error *err)
{
    struct wav *w = r->state;
    const bool is_fmt = strcmp(id, "fmt ") == 0, is_ds64 = strcmp(id, "ds64") == 0,
               pipe = !r->source->random;
    unsigned char b[40];
    size_t taken;

    if (strcmp(id, "LIST") == 0 && size <= GF_TAGS_BYTES)
        return read_list(r, size, err) != 0 ? -1 : (int64_t)size;
    if (!is_fmt && !is_ds64)
        return pipe ? keep_chunk(r, id, size, err) : 0;
    if (size < (is_fmt ? 16 : 24))
        return gf_fail(err, GF_FAILED, "%s: its \"%s\" chunk is too short", r->name, id);
    taken = size < sizeof b ? size : sizeof b;
    if (read_exactly(r, b, taken, err) != 0 || (is_fmt && set_format(r, b, taken, err) != 0))
        return -1;
    if (is_ds64)
        w->long_size = gf_get_number(b + 8, 8, false);
    return (int64_t)taken;
}

/* Reads chunks up to the samples. */
static int read_chunks(struct gf_reader *r, struct gf_error *err)
{
    struct wav *w = r->state;
    unsigned char b[12];

    if (read_exactly(r, b, 12, err) != 0)
        return -1;
    if (!is_riff(b))
        return gf_fail(err, GF_FAILED, "%s: is not a WAV file", r->name);
    w->big = b[3] == 'X';
    w->riff_size = gf_get32(b + 4, w->big);
    for (;;) {
        char id[5] = { 0 };
        uint32_t size;
        int64_t taken;

        if (read_exactly(r, b, 8, err) != 0)
            return -1;
        memcpy(id, b, 4);
        size = gf_get32(b + 4, w->big);
        if (strcmp(id, "data") == 0) {
            w->data_size = size == UINT32_MAX && w->long_size != 0 ? w->long_size : size;
            break;
        }
        taken = read_chunk(r, id, size, err);
        if (taken < 0 || gf_source_skip(r->source, (int64_t)size + (size & 1) - taken, err) < 0)
            return -1;
    }
    if (w->uncompressed.unit_bytes > 0)
        return 0;
    return gf_fail(err, GF_FAILED, "%s: has samples but no \"fmt \" chunk", r->name);
}

/* Returns true for sizes that programs write when they do not know the length: 0, or about 2 GB, 4 GB or 2^64. */
static bool is_open_ended(uint64_t size)
{
    return size == 0 || (size >= 0x7FFFF000 && size <= 0x80001000) || (size >= 0xFFFFF000 && size <= UINT32_MAX)
        || size == UINT64_MAX;
}

/* Returns true if a data size of 0 is meant: the RIFF size says that chunks follow. */
static bool is_meant_empty(const struct gf_reader *r)
{
    const struct wav *w = r->state;

    return w->data_size == 0 && w->riff_size < 0x7FFFF000
        && (int64_t)w->riff_size + 8 > r->source->position;
}

/*
 * Returns the bytes of samples. On a pipe, an open-ended size means "to the end". A file may have
 * been saved from a pipe, or its recording was interrupted. There it means "to the end" if it exceeds the file, or if
 * it is 0 and something follows that is no chunk.
 */
static int64_t bytes_of_samples(const struct gf_reader *r)
{
    const struct wav *w = r->state;
    const struct gf_source *s = r->source;
    const uint64_t left = s->random && s->size > s->position ? (uint64_t)(s->size - s->position) : 0;
    bool open_ended = is_open_ended(w->data_size) && !is_meant_empty(r);

    if (s->random)
        open_ended = open_ended
                  && (w->data_size > left || (w->data_size == 0 && left > 0));
    if (open_ended)
        return GF_UNKNOWN;
    return w->data_size > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)w->data_size;
}

/* Reads tags after the samples of a file. Malformed chunks there are ignored. */
static int read_tail_tags(struct gf_reader *r, int64_t at, struct gf_error *err)
{
    enum { MOST_CHUNKS = 1000 };
    const struct wav *w = r->state;
    struct gf_source *s = r->source;
    unsigned char b[8];

    for (int i = 0; i < MOST_CHUNKS && at <= s->size - 8; i++) {
        const int64_t head = gf_source_read_at(s, at, b, 8, err);
        uint32_t size;

        if (head < 8)
            return head < 0 ? -1 : 0;
        size = gf_get32(b + 4, w->big);
        warn_further(r, b, size, s->size - at - 8);
        if (memcmp(b, "LIST", 4) == 0 && size <= GF_TAGS_BYTES && size <= s->size - at - 8) {
            unsigned char *bytes = malloc((size_t)size + 1);
            const int64_t got = bytes == NULL ? gf_fail_memory(err, r->name)
                                              : gf_source_read_at(s, at + 8, bytes, size, err);
            const int result = got < 0 ? -1 : gf_tags_take_riff(&r->meta, bytes, (size_t)got, w->big, err);

            free(bytes);
            if (result != 0)
                return -1;
        }
        at += 8 + (int64_t)size + (size & 1);
    }
    return 0;
}

static int wav_next(struct gf_reader *r, struct gf_error *err)
{
    struct wav *w = r->state;
    const struct gf_seekable in = { .source = r->source, .size = r->source->size };
    int64_t size;

    if (w->opened)
        return end_samples(r, err);
    w->opened = true;
    r->format = (struct gf_format) { .kind = GF_AUDIO };
    if (read_chunks(r, err) != 0)
        return -1;
    size = bytes_of_samples(r);
    if (gf_uncompressed_begin(r, size, err) != 0
        || (r->random && size >= 0 && read_tail_tags(r, w->uncompressed.data + size + (size & 1), err) != 0))
        return -1;
    if (r->random && gf_audio_extras_find(&r->meta, &in, err) != 0)
        return -1;
    return 1;
}

static void wav_close(struct gf_reader *r)
{
    struct wav *w = r->state;

    gf_meta_release(&w->tail);
}

static const struct gf_reader_ops wav_ops = {
    .next = wav_next, .read = read_frames, .read_at = gf_uncompressed_read_at, .close = wav_close,
};

static int wav_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    return gf_uncompressed_open(r, s, o, is_linear(s, err), &wav_ops, sizeof(struct wav), err);
}

struct wav_out {
    struct gf_uncompressed_out uncompressed;
    unsigned char *list;         /* LIST chunk with tags, and other chunks to keep */
    size_t list_bytes;
    bool announced;              /* the header on a pipe states the number of frames */
    bool reserved;               /* the header has room for a ds64 chunk */
};

/*
 * Larger files get 64-bit sizes. The margin is for the header, tags, other chunks and a pad byte.
 */
#define MOST_BYTES ((int64_t)UINT32_MAX - 256 - 2 * (int64_t)GF_TAGS_BYTES)
#define HEADER_BYTES 160         /* most bytes of a header without tags */

static unsigned char *put_text(unsigned char *b, const char *text)
{
    size_t length = strlen(text);

    memcpy(b, text, length);
    return b + length;
}

/*
 * Returns the speaker layout of the input if the number of channels is the same, otherwise the
 * default.
 */
static struct gf_speaker_layout layout_of(const struct gf_writer *w)
{
    const int channels = w->format.channels;
    struct gf_speaker_layout usual = { .channels = channels, .mask = gf_channels_mask(channels) };

    memcpy(usual.guid, usual_guid, sizeof usual.guid);
    return w->layout.channels == channels ? w->layout : usual;
}

static unsigned char *put_fmt(unsigned char *b, const struct gf_writer *w, int sample_bytes)
{
    const struct gf_format *f = &w->format;
    const struct gf_speaker_layout layout = layout_of(w);
    bool is_float = gf_type_is_float(f->type);
    bool extensible = f->channels > 2 || (!is_float && sample_bytes > 2) || layout.other
                   || (layout.mask != 0 && layout.mask != gf_channels_mask(f->channels));
    unsigned tag = is_float ? 3 : 1, frame = (unsigned)(sample_bytes * f->channels);

    b = put_text(b, "fmt ");
    b = gf_put_number(b, extensible ? 40 : is_float ? 18 : 16, 4, false);
    b = gf_put_number(b, extensible ? 0xFFFE : tag, 2, false);
    b = gf_put_number(b, (unsigned)f->channels, 2, false);
    b = gf_put_number(b, (unsigned)f->rate, 4, false);
    b = gf_put_number(b, (uint64_t)f->rate * frame, 4, false);
    b = gf_put_number(b, frame, 2, false);
    b = gf_put_number(b, (unsigned)sample_bytes * 8, 2, false);
    if (!extensible)
        return is_float ? gf_put_number(b, 0, 2, false) : b;
    b = gf_put_number(b, 22, 2, false);
    b = gf_put_number(b, (unsigned)sample_bytes * 8, 2, false);
    b = gf_put_number(b, layout.mask, 4, false);
    b = gf_put_number(b, tag, 2, false);
    memcpy(b, layout.guid, sizeof layout.guid);
    return b + sizeof layout.guid;
}

/* Returns true if RF64 was requested, whatever the size. */
static const struct gf_writer_ops write_rf64;

static bool is_rf64(const struct gf_writer *w)
{
    return w->ops == &write_rf64;
}

/*
 * Builds the header for so many frames; -1: unknown, as on a live pipe. Its length does not depend
 * on `frames`.
 */
static size_t build_header(const struct gf_writer *w, int64_t frames, unsigned char *to)
{
    const struct wav_out *s = w->state;
    const struct gf_format *f = &w->format;
    const uint64_t size = frames < 0 ? UINT32_MAX : (uint64_t)(frames * s->uncompressed.unit_bytes);
    const bool large = s->reserved && (is_rf64(w) || (frames >= 0 && (int64_t)size > MOST_BYTES));
    const bool open_ended = frames < 0;
    const uint64_t riff = size + (size & 1) + s->uncompressed.header_bytes - 8;
    unsigned char *b = to;

    b = put_text(b, large ? "RF64" : "RIFF");
    b = gf_put_number(b, large || open_ended ? UINT32_MAX : riff, 4, false);
    b = put_text(b, "WAVE");
    if (s->reserved) {
        b = gf_put_number(put_text(b, large ? "ds64" : "JUNK"), 28, 4, false);
        b = gf_put_number(b, large && !open_ended ? riff : 0, 8, false);
        b = gf_put_number(b, large && !open_ended ? size : 0, 8, false);
        b = gf_put_number(b, large && !open_ended ? (uint64_t)frames : 0, 8, false);
        b = gf_put_number(b, 0, 4, false);
    }
    b = put_fmt(b, w, s->uncompressed.pcm.bytes);
    if (gf_type_is_float(f->type)) {
        b = gf_put_number(put_text(b, "fact"), 4, 4, false);
        b = gf_put_number(b, open_ended || frames > UINT32_MAX ? UINT32_MAX : (uint64_t)frames, 4, false);
    }
    if (s->list_bytes > 0)
        memcpy(b, s->list, s->list_bytes);
    b = put_text(b + s->list_bytes, "data");
    b = gf_put_number(b, large || open_ended ? UINT32_MAX : size, 4, false);
    return (size_t)(b - to);
}

/* Writes the header at the current position of the output, or with `again` over the first one. */
static int put_header(struct gf_writer *w, int64_t frames, bool again, struct gf_error *err)
{
    struct wav_out *s = w->state;
    unsigned char *bytes = malloc(HEADER_BYTES + s->list_bytes);
    size_t size;
    int result;

    if (bytes == NULL)
        return gf_fail_memory(err, w->name);
    if (!again)
        s->uncompressed.header_bytes = build_header(w, 0, bytes);
    size = build_header(w, frames, bytes);
    result = again ? gf_output_write_at(w->out, s->uncompressed.start, bytes, size, err)
                   : gf_output_hold(w->out, bytes, size, err);
    free(bytes);
    return result;
}

/* Appends chunks of the input that are still valid to the tags. */
static int put_chunks(struct gf_writer *w, struct gf_error *err)
{
    struct wav_out *s = w->state;
    const struct gf_meta *m = w->meta;
    unsigned char *all;

    if (m == NULL || !gf_audio_loss_keeps_riff(w, m))
        return 0;
    all = realloc(s->list, s->list_bytes + m->riff_bytes);
    if (all == NULL)
        return gf_fail_memory(err, w->name);
    s->list = all;
    s->list_bytes += gf_riff_chunks_settle(m, &w->change, all + s->list_bytes);
    return 0;
}

static int wav_begin(struct gf_writer *w, struct gf_error *err)
{
    const struct gf_format *f = &w->format;
    struct wav_out *s;
    int64_t frames = -1;

    if (w->state != NULL)
        return gf_fail_second_recording(w, err);
    s = w->state = calloc(1, sizeof *s);
    if (s == NULL)
        return gf_fail_memory(err, w->name);
    s->uncompressed.pcm = gf_pcm_of_sound(f);
    s->uncompressed.unit_bytes = (int64_t)s->uncompressed.pcm.bytes * f->channels;
    if (s->uncompressed.unit_bytes > UINT16_MAX)
        return gf_fail(err, GF_FAILED, "%s: WAV does not support %d channels", w->name, f->channels);
    if (gf_tags_put_riff(w->meta, &s->list, &s->list_bytes, err) != 0)
        return -1;
    if (put_chunks(w, err) != 0)
        return -1;
    s->uncompressed.start = gf_output_position(w->out);
    s->reserved = is_rf64(w);
    w->random = gf_output_random(w->out);
    if (w->random) {
        frames = f->units < 0 ? -1 : f->units;       /* so a recording that is interrupted can be read */
        s->reserved |= f->units < 0 || f->units > MOST_BYTES / s->uncompressed.unit_bytes;
    } else if (f->units >= 0 && (s->reserved || f->units <= MOST_BYTES / s->uncompressed.unit_bytes)) {
        /* the length is known in advance: state it, for the program that reads the pipe */
        frames = f->units;
        s->announced = true;
    }
    return put_header(w, frames, false, err);
}

static int wav_end(struct gf_writer *w, struct gf_error *err)
{
    struct wav_out *s = w->state;
    const int64_t frames = atomic_load(&s->uncompressed.units), size = frames * s->uncompressed.unit_bytes;

    if (!w->random)
        return s->announced && (size & 1) != 0 ? gf_uncompressed_store(w, size, "", 1, err) : 0;
    if (!s->reserved && size > MOST_BYTES)
        return gf_fail(err, GF_FAILED, "%s: is larger than 4 GB, the limit of WAV; try .rf64", w->name);
    if ((size & 1) != 0 && gf_uncompressed_store(w, size, "", 1, err) != 0)
        return -1;
    gf_output_set_position(w->out, s->uncompressed.start + (int64_t)s->uncompressed.header_bytes + size + (size & 1));
    return put_header(w, frames, true, err);
}

static void wav_release(struct gf_writer *w)
{
    struct wav_out *s = w->state;

    if (s != NULL)
        free(s->list);
    free(s);
}

#define WAV_WRITER(word) \
    static const struct gf_writer_ops write_##word = { \
        .name = #word, .kind = GF_AUDIO, .linear = true, .riff = true, .tag_bytes = SIZE_MAX, \
        .heeds = GF_HEEDS_DEPTH, .fit = gf_fit_any_audio, .begin = wav_begin, .write = gf_uncompressed_write, \
        .write_at = gf_uncompressed_write_at, .end = wav_end, .release = wav_release, \
    }

WAV_WRITER(wav);
WAV_WRITER(rf64);

const struct gf_file_format gf_file_format_wav = {
    .name = "wav", .title = "WAV", .endings = { "wave", "bwf" }, .kinds = 1 << GF_AUDIO, .streams = GF_STREAMS_BOTH,
    .signature = { "RIFF****WAVE", "RIFX****WAVE", "RF64****WAVE", "BW64****WAVE" }, .open = wav_open, .hardened = true,
    .audio = &write_wav, .usual = GF_USUAL_AUDIO,
    .notes = { "WAV, RF64", "integers, floats; bext, iXML and cues are kept from WAV to WAV",
               "bext, iXML and cues in other formats, or if samples move in time; tags that WAV cannot store",
               "files that are cut short, without --salvage" },
};

const struct gf_file_format gf_file_format_rf64 = {
    .name = "rf64", .title = "RF64", .kinds = 1 << GF_AUDIO, .streams = GF_STREAMS_BOTH, .open = wav_open,
    .hardened = true, .audio = &write_rf64,
};
