/* Reads AU of linear samples from files and pipes; other encodings are left to libsndfile. */
#include "io/bytes.h"
#include "io/format_list.h"
#include "io/formats/tags.h"
#include "io/formats/uncompressed.h"

#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES 24

struct au {
    struct gf_uncompressed uncompressed;
    bool opened;
};

/* How an encoding stores samples; no bytes where it is not linear. */
static struct gf_pcm samples_of(uint32_t encoding, bool big)
{
    const int bytes = encoding >= 2 && encoding <= 5 ? (int)encoding - 1 : encoding == 6 ? 4 : encoding == 7 ? 8 : 0;

    return (struct gf_pcm) { .bytes = bytes, .big = big, .real = encoding >= 6 };
}

/* DEC's are the other way round. */
static int au_match(struct gf_source *s, struct gf_error *err)
{
    const unsigned char *b;
    const int64_t size = gf_source_peek(s, HEADER_BYTES, &b, err);

    if (size < HEADER_BYTES || (memcmp(b, ".snd", 4) != 0 && memcmp(b, "dns.", 4) != 0))
        return size < 0 ? -1 : 0;
    return samples_of(gf_get32(b + 12, b[0] == '.'), b[0] == '.').bytes > 0;
}

static int set_format(struct gf_reader *r, const unsigned char *b, bool big, struct gf_error *err)
{
    struct au *a = r->state;
    const uint32_t rate = gf_get32(b + 16, big), channels = gf_get32(b + 20, big);

    if (channels < 1 || channels > GF_MAX_CHANNELS)
        return gf_fail(err, GF_FAILED, "%s: has %u channels; 1 to %d are read", r->name, channels, GF_MAX_CHANNELS);
    if (rate < 1 || rate > INT32_MAX)
        return gf_fail(err, GF_FAILED, "%s: has a sample rate of %u", r->name, rate);
    r->format = (struct gf_format) { .kind = GF_AUDIO, .channels = (int)channels, .width = 1, .rate = (int32_t)rate };
    a->uncompressed.pcm = samples_of(gf_get32(b + 12, big), big);
    a->uncompressed.unit_bytes = (int64_t)a->uncompressed.pcm.bytes * channels;
    gf_pcm_sound(&a->uncompressed.pcm, &r->format);
    return 0;
}

/* What stands between the header and the samples; where it is very long, its beginning. */
static int take_annotation(struct gf_reader *r, int64_t size, struct gf_error *err)
{
    const struct au *a = r->state;
    const int64_t room = size < (int64_t)GF_TAGS_BYTES ? size : (int64_t)GF_TAGS_BYTES;
    unsigned char *bytes = malloc((size_t)room + 1);
    int64_t got = bytes == NULL ? gf_fail_memory(err, r->name)
                                : gf_source_read(a->uncompressed.source, bytes, (size_t)room, err);

    if (got >= 0 && gf_tags_take_lines(&r->meta, bytes, (size_t)got, err) != 0)
        got = -1;
    free(bytes);
    if (got < 0 || (size > got && gf_source_skip(a->uncompressed.source, size - got, err) < 0))
        return -1;
    return got < room ? gf_fail(err, GF_FAILED, "%s: ends before its samples begin", r->name) : 0;
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
    if (gf_source_read(a->uncompressed.source, b, sizeof b, err) < 0)
        return -1;
    big = b[0] == '.';
    offset = gf_get32(b + 4, big);
    size = gf_get32(b + 8, big);
    if (offset < HEADER_BYTES)
        return gf_fail(err, GF_FAILED, "%s: its samples can't begin at byte %lld", r->name, (long long)offset);
    if (set_format(r, b, big, err) != 0 || take_annotation(r, offset - HEADER_BYTES, err) != 0)
        return -1;
    return gf_uncompressed_begin(r, size == UINT32_MAX || size == 0 ? GF_UNKNOWN : size, err) != 0 ? -1 : 1;
}

static void au_close(struct gf_reader *r)
{
    free(r->state);
}

static const struct gf_reader_ops au_ops = {
    .name = "au", .next = au_next, .read = gf_uncompressed_read, .read_at = gf_uncompressed_read_at, .close = au_close,
};

static int au_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    const int ours = au_match(s, err);
    struct au *a;

    if (ours < 0)
        return -1;
    if (ours == 0)
        return gf_read_sndfile.open(r, s, o, err);
    a = gf_reader_state(r, &au_ops, sizeof *a, err);
    if (a == NULL)
        return -1;
    a->uncompressed.source = s;
    return 0;
}

const struct gf_read_format gf_read_au = {
    .name = "au", .endings = (const char *const[]) { "snd", NULL }, .match = au_match, .open = au_open,
};
