/* Writes WAV. A pipe of unknown length gets open-ended sizes; more than 32 bits make it RF64. */
#define _GNU_SOURCE
#include "io/formats/audio/wav.h"

#include "io/bytes.h"
#include "io/channels.h"
#include "io/fit.h"
#include "io/formats/audio/tags.h"
#include "io/formats/audio/uncompressed.h"
#include "io/metadata/audio_loss.h"
#include "io/metadata/riff_chunks.h"

#include <stdlib.h>
#include <string.h>

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

static unsigned char *put_le(unsigned char *b, uint64_t value, int bytes)
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

/*
 * Returns the speaker layout of the input if the number of channels is the same, otherwise the
 * default.
 */
static struct gf_speaker_layout layout_of(const struct gf_writer *w)
{
    const int channels = w->format.channels;
    struct gf_speaker_layout usual = { .channels = channels, .mask = gf_channels_mask(channels) };

    memcpy(usual.guid, gf_wav_guid, sizeof usual.guid);
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
    b = put_le(b, extensible ? 40 : is_float ? 18 : 16, 4);
    b = put_le(b, extensible ? 0xFFFE : tag, 2);
    b = put_le(b, (unsigned)f->channels, 2);
    b = put_le(b, (unsigned)f->rate, 4);
    b = put_le(b, (uint64_t)f->rate * frame, 4);
    b = put_le(b, frame, 2);
    b = put_le(b, (unsigned)sample_bytes * 8, 2);
    if (!extensible)
        return is_float ? put_le(b, 0, 2) : b;
    b = put_le(b, 22, 2);
    b = put_le(b, (unsigned)sample_bytes * 8, 2);
    b = put_le(b, layout.mask, 4);
    b = put_le(b, tag, 2);
    memcpy(b, layout.guid, sizeof layout.guid);
    return b + sizeof layout.guid;
}

/* Returns true if RF64 was requested, whatever the size. */
static bool is_rf64(const struct gf_writer *w)
{
    return w->ops == &gf_write_rf64;
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
    b = put_le(b, large || open_ended ? UINT32_MAX : riff, 4);
    b = put_text(b, "WAVE");
    if (s->reserved) {
        b = put_le(put_text(b, large ? "ds64" : "JUNK"), 28, 4);
        b = put_le(b, large && !open_ended ? riff : 0, 8);
        b = put_le(b, large && !open_ended ? size : 0, 8);
        b = put_le(b, large && !open_ended ? (uint64_t)frames : 0, 8);
        b = put_le(b, 0, 4);
    }
    b = put_fmt(b, w, s->uncompressed.pcm.bytes);
    if (gf_type_is_float(f->type)) {
        b = put_le(put_text(b, "fact"), 4, 4);
        b = put_le(b, open_ended || frames > UINT32_MAX ? UINT32_MAX : (uint64_t)frames, 4);
    }
    if (s->list_bytes > 0)
        memcpy(b, s->list, s->list_bytes);
    b = put_text(b + s->list_bytes, "data");
    b = put_le(b, large || open_ended ? UINT32_MAX : size, 4);
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
    const struct gf_writer_ops gf_write_##word = { \
        .name = #word, .kind = GF_AUDIO, .linear = true, .riff = true, .tag_bytes = SIZE_MAX, \
        .heeds = GF_HEEDS_DEPTH, .fit = gf_fit_any_audio, .begin = wav_begin, .write = gf_uncompressed_write, \
        .write_at = gf_uncompressed_write_at, .end = wav_end, .release = wav_release, \
    }

WAV_WRITER(wav);
WAV_WRITER(rf64);
