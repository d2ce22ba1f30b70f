/* Reads and writes AU with linear samples. libsndfile reads the other encodings. */
#include "io/bytes.h"
#include "io/fit.h"
#include "io/formats/audio/tags.h"
#include "io/formats/audio/uncompressed.h"

#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES 24

struct au {
    struct gf_uncompressed uncompressed;
    bool opened;
};

/* Returns how an encoding stores samples. `bytes` is 0 if the encoding is not linear. */
static struct gf_pcm sample_layout(uint32_t encoding, bool big)
{
    const int bytes = encoding >= 2 && encoding <= 5 ? (int)encoding - 1 : encoding == 6 ? 4 : encoding == 7 ? 8 : 0;

    return (struct gf_pcm) { .bytes = bytes, .big = big, .real = encoding >= 6 };
}

/*
 * Returns 1 if the file is AU with linear samples, 0 if not, -1 after an error. DEC's files
 * ("dns.") are little-endian.
 */
static int is_linear(struct gf_source *s, struct gf_error *err)
{
    const unsigned char *b;
    const int64_t size = gf_source_peek(s, HEADER_BYTES, &b, err);

    if (size < HEADER_BYTES || (memcmp(b, ".snd", 4) != 0 && memcmp(b, "dns.", 4) != 0))
        return size < 0 ? -1 : 0;
    return sample_layout(gf_get32(b + 12, b[0] == '.'), b[0] == '.').bytes > 0;
}

static int set_format(struct gf_reader *r, const unsigned char *b, bool big, struct gf_error *err)
{
    struct au *a = r->state;
    const uint32_t rate = gf_get32(b + 16, big), channels = gf_get32(b + 20, big);

    if (channels < 1 || channels > GF_MAX_CHANNELS)
        return gf_fail(err, GF_FAILED, "%s: has %u channels; must be 1 to %d", r->name, channels, GF_MAX_CHANNELS);
    if (rate < 1 || rate > INT32_MAX)
        return gf_fail(err, GF_FAILED, "%s: has a sample rate of %u; must be 1 to 2147483647", r->name, rate);
    r->format = (struct gf_format) { .kind = GF_AUDIO, .channels = (int)channels, .width = 1, .rate = (int32_t)rate };
    a->uncompressed.pcm = sample_layout(gf_get32(b + 12, big), big);
    a->uncompressed.unit_bytes = (int64_t)a->uncompressed.pcm.bytes * channels;
    gf_pcm_sound(&a->uncompressed.pcm, &r->format);
    return 0;
}

/* Reads the text between header and samples. Only its first GF_TAGS_BYTES bytes are kept. */
static int read_annotation(struct gf_reader *r, int64_t size, struct gf_error *err)
{
    const int64_t room = size < (int64_t)GF_TAGS_BYTES ? size : (int64_t)GF_TAGS_BYTES;
    unsigned char *bytes = malloc((size_t)room + 1);
    int64_t got = bytes == NULL ? gf_fail_memory(err, r->name)
                                : gf_source_read(r->source, bytes, (size_t)room, err);

    if (got >= 0 && gf_tags_take_lines(&r->meta, bytes, (size_t)got, err) != 0)
        got = -1;
    free(bytes);
    if (got < 0 || (size > got && gf_source_skip(r->source, size - got, err) < 0))
        return -1;
    return got < room ? gf_fail(err, GF_FAILED, "%s: ends before its audio samples begin", r->name) : 0;
}

static int au_next(struct gf_reader *r, struct gf_error *err)
{
    struct au *a = r->state;
    unsigned char b[HEADER_BYTES] = { 0 };
    int64_t offset, size;
    bool big;

    if (a->opened)
        return gf_uncompressed_drain(r, err);
    a->opened = true;
    if (gf_source_read(r->source, b, sizeof b, err) < 0)
        return -1;
    big = b[0] == '.';
    offset = gf_get32(b + 4, big);
    size = gf_get32(b + 8, big);
    if (offset < HEADER_BYTES)
        return gf_fail(err, GF_FAILED, "%s: is damaged: its header says that samples begin at byte %lld, inside the "
                       "header", r->name, (long long)offset);
    if (set_format(r, b, big, err) != 0 || read_annotation(r, offset - HEADER_BYTES, err) != 0)
        return -1;
    return gf_uncompressed_begin(r, size == UINT32_MAX || size == 0 ? GF_UNKNOWN : size, err) != 0 ? -1 : 1;
}

static const struct gf_reader_ops au_ops = {
    .next = au_next, .read = gf_uncompressed_read, .read_at = gf_uncompressed_read_at,
};

static int au_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    return gf_uncompressed_open(r, s, o, is_linear(s, err), &au_ops, sizeof(struct au), err);
}

/* ---- writing: the header has the size if it is known and fits into 32 bits ---- */

/*
 * Returns the size field. UINT32_MAX means "to the end of the file": the size is unknown or needs
 * more than 32 bits.
 */
static uint32_t size_field(const struct gf_uncompressed_out *s, int64_t frames)
{
    return frames < 0 || frames >= UINT32_MAX / s->unit_bytes ? UINT32_MAX : (uint32_t)(frames * s->unit_bytes);
}

/*
 * Builds the header. The annotation ends with a zero byte and is padded to a multiple of 8 bytes.
 */
static unsigned char *build_header(struct gf_writer *w, int64_t frames, struct gf_error *err)
{
    struct gf_uncompressed_out *s = w->state;
    const uint32_t bytes = (uint32_t)s->pcm.bytes;
    unsigned char *lines, *b;
    size_t size;

    if (gf_tags_put_lines(w->meta, &lines, &size, err) != 0)
        return NULL;
    s->header_bytes = HEADER_BYTES + (size > 0 ? (size + 8) & ~(size_t)7 : 0);
    b = calloc(1, s->header_bytes);
    if (b != NULL) {
        memcpy(b, ".snd", 4);
        gf_put32(b + 4, (uint32_t)s->header_bytes);
        gf_put32(b + 8, size_field(s, frames));
        gf_put32(b + 12, !s->pcm.real ? bytes + 1 : bytes == 4 ? 6 : 7);
        gf_put32(b + 16, (uint32_t)w->format.rate);
        gf_put32(b + 20, (uint32_t)w->format.channels);
        if (size > 0)
            memcpy(b + HEADER_BYTES, lines, size);
    } else {
        gf_fail_memory(err, w->name);
    }
    free(lines);
    return b;
}

static int au_begin(struct gf_writer *w, struct gf_error *err)
{
    const struct gf_format *f = &w->format;
    struct gf_uncompressed_out *s;
    unsigned char *bytes;
    int result;

    if (w->state != NULL)
        return gf_fail_second_recording(w, err);
    s = w->state = calloc(1, sizeof *s);
    if (s == NULL)
        return gf_fail_memory(err, w->name);
    s->pcm = gf_pcm_of_sound(f);
    s->pcm.big = true;
    s->pcm.offset = false;
    s->unit_bytes = (int64_t)s->pcm.bytes * f->channels;
    s->start = gf_output_position(w->out);
    w->random = gf_output_random(w->out);
    bytes = build_header(w, f->units, err);
    result = bytes == NULL ? -1 : gf_output_hold(w->out, bytes, s->header_bytes, err);
    free(bytes);
    return result;
}

static int au_end(struct gf_writer *w, struct gf_error *err)
{
    struct gf_uncompressed_out *s = w->state;
    const int64_t frames = atomic_load(&s->units);
    unsigned char size[4];

    if (!w->random)
        return 0;
    gf_put32(size, size_field(s, frames));
    gf_output_set_position(w->out, s->start + (int64_t)s->header_bytes + frames * s->unit_bytes);
    return gf_output_write_at(w->out, s->start + 8, size, 4, err);
}

static const struct gf_writer_ops au_writer = {
    .name = "au", .kind = GF_AUDIO, .linear = true, .tag_bytes = SIZE_MAX, .heeds = GF_HEEDS_DEPTH,
    .fit = gf_fit_any_audio, .begin = au_begin, .write = gf_uncompressed_write,
    .write_at = gf_uncompressed_write_at, .end = au_end, .release = gf_writer_free_state,
};

const struct gf_file_format gf_file_format_au = {
    .name = "au", .title = "AU", .endings = { "snd" }, .kinds = 1 << GF_AUDIO, .streams = GF_STREAMS_BOTH,
    .signature = { ".snd", "dns." }, .open = au_open, .hardened = true, .audio = &au_writer,
};
