/* Reads how much audio the headers of a file state. Ogg and MP3 have files of their own. */
#define _GNU_SOURCE
#include "io/formats/audio/stated_length.h"

#include "io/bytes.h"
#include "io/formats/chunks.h"

#include <stdlib.h>
#include <string.h>

#define SSND_HEADER 8                    /* an offset and a block size before the samples */
#define VOC "Creative Voice File"
#define CAF_DATA_HEADER 4                /* an edit count before the samples */

/*
 * Reads COMM: the number of frames, for a file without samples, and the bytes that they need in
 * `linear`, the uncompressed form. The rate is an 80-bit float, which
 * libsndfile reads as some number even if it is infinite, not a number, or less than 1.
 */
static int read_comm(struct gf_stated_length *p, const struct gf_chunks *c, int64_t *linear, struct gf_error *err)
{
    enum { EXPONENT_OF_1 = 0x3FFF, EXPONENT_OF_2_31 = EXPONENT_OF_1 + 31 };
    unsigned char b[18];
    const int64_t got = gf_seekable_read(c->in, c->at, b, sizeof b, err);

    if (got >= 8) {
        p->frames = gf_get32(b + 2, true);
        *linear = p->frames * (int64_t)gf_get16(b, true) * ((gf_get16(b + 6, true) + 7) / 8);
    }
    if (got == sizeof b) {
        const uint32_t exponent = gf_get16(b + 8, true);

        p->bad_rate = exponent < EXPONENT_OF_1 || exponent >= EXPONENT_OF_2_31;
    }
    return got < 0 ? -1 : 0;
}

/* Stores the bytes before the samples of a chunk: those of its header, and in AIFF an offset that it states. */
static int read_header_bytes(const struct gf_chunks *c, int64_t *header, struct gf_error *err)
{
    unsigned char b[4];
    int64_t got;

    *header = c->container == GF_CONTAINER_CAF ? CAF_DATA_HEADER : strcmp(c->id, "SSND") == 0 ? SSND_HEADER : 0;
    if (*header != SSND_HEADER)
        return 0;
    got = gf_seekable_read(c->in, c->at, b, sizeof b, err);
    *header += got == sizeof b ? gf_get32(b, true) : 0;
    return got < 0 ? -1 : 0;
}

/*
 * Sets p->end. libsndfile reads a W64 to the end of the file, and takes the chunks of a second WAV
 * or AIFF for those of the first.
 */
static int find_end(struct gf_stated_length *p, struct gf_chunks *c, struct gf_error *err)
{
    int more = 1;

    if (c->bytes < 0)
        return 0;
    if (c->container == GF_CONTAINER_W64) {
        p->end = c->at + c->bytes;
        return 0;
    }
    while (more == 1)
        more = gf_chunks_next(c, err);
    if (more == 0 && !c->limited && c->bytes >= 0)
        p->end = c->next;
    return more;
}

static int find_in_chunks(struct gf_stated_length *p, struct gf_chunks *c, struct gf_error *err)
{
    bool empty = false;                  /* an AIFF of no frames needs no chunk for them */
    int64_t linear = 0;
    char form[4] = "";
    int more;

    if (gf_seekable_read(c->in, 8, form, sizeof form, err) < 0)
        return -1;
    while ((more = gf_chunks_next(c, err)) == 1) {
        int64_t header;

        if (c->container == GF_CONTAINER_IFF && strcmp(c->id, "COMM") == 0) {
            if (read_comm(p, c, &linear, err) != 0)
                return -1;
            empty = p->frames == 0;
        }
        if (!gf_chunks_is_audio(c))
            continue;
        if (read_header_bytes(c, &header, err) != 0)
            return -1;
        p->frames = 0;
        p->bytes = c->bytes > header ? c->bytes - header : 0;
        p->there = gf_chunks_there(c) > header ? gf_chunks_there(c) - header : 0;
        if (memcmp(form, "AIFF", 4) == 0 && c->bytes >= 0 && linear > p->bytes)
            p->bytes = linear;
        if (c->container == GF_CONTAINER_CAF && p->there < p->bytes)
            gf_stated_length_patch(p, c->at - 8, (uint64_t)gf_chunks_there(c), 8);
        if (c->container == GF_CONTAINER_IFF && linear == p->bytes - 1 && (linear & 1) != 0)
            gf_stated_length_patch(p, c->at - 4, (uint64_t)(c->bytes - 1), 4);       /* it counts the pad byte */
        return find_end(p, c, err);
    }
    p->no_audio = more == 0 && !empty;
    return more;
}

static int find_in_au(struct gf_stated_length *p, const struct gf_seekable *in, const unsigned char *b)
{
    const bool big = b[0] == '.';
    const int64_t offset = gf_get32(b + 4, big), size = gf_get32(b + 8, big);

    if (size != UINT32_MAX && offset <= in->size) {
        p->bytes = size;
        p->there = in->size - offset < size ? in->size - offset : size;
    }
    return 0;
}

/*
 * Sums audio blocks, which have a type and a 24-bit size. SoX states 8 bytes too few, so a short
 * rest is not a block.
 */
static int find_in_voc(struct gf_stated_length *p, const struct gf_seekable *in, int64_t at, struct gf_error *err)
{
    enum { MOST_BLOCKS = 1 << 20, LEAST_REST = 16, SOUND = 1, SOUND_GOES_ON = 2, NEW_SOUND = 9 };
    unsigned char b[64];
    const unsigned char *other;
    int64_t got = 0;
    int sounds = 0;

    for (int i = 0; i < MOST_BLOCKS; i++) {
        int64_t size, left;

        got = gf_seekable_read(in, at, b, sizeof b, err);
        other = i > 0 && got > 0 ? memmem(b, (size_t)got, VOC, sizeof VOC - 1) : NULL;
        if (other != NULL)
            p->end = at + (other - b);
        if (other != NULL || got < 4 || b[0] == 0 || b[0] > NEW_SOUND || (i > 0 && in->size - at <= LEAST_REST))
            break;
        size = b[1] | b[2] << 8 | b[3] << 16;
        at += 4;
        sounds += b[0] == SOUND || b[0] == SOUND_GOES_ON || b[0] == NEW_SOUND;
        left = in->size - at < size ? in->size - at : size;
        at += size;
        size -= b[0] == NEW_SOUND ? 12 : b[0] == SOUND ? 2 : 0;      /* rate, channels and codec */
        left -= b[0] == NEW_SOUND ? 12 : b[0] == SOUND ? 2 : 0;
        p->bytes += size > 0 ? size : 0;
        p->there += left > 0 ? left : 0;
    }
    p->several_blocks = sounds > 1;
    return got < 0 ? -1 : 0;
}

static int find_in_nist(struct gf_stated_length *p, const struct gf_seekable *in, struct gf_error *err)
{
    static const char key[] = "sample_count -i ";
    char text[1025] = "";
    const int64_t got = gf_seekable_read(in, 0, text, sizeof text - 1, err);
    const char *at = got > 0 ? memmem(text, (size_t)got, key, sizeof key - 1) : NULL;

    if (at != NULL)
        p->frames = strtoll(at + sizeof key - 1, NULL, 10);
    if (p->frames < 0 || p->frames > INT64_MAX / 1024)
        p->frames = 0;
    return got < 0 ? -1 : 0;
}

int gf_stated_length_find(struct gf_stated_length *p, const struct gf_seekable *in, struct gf_error *err)
{
    unsigned char b[26] = { 0 };
    struct gf_chunks chunks;
    int found;

    *p = (struct gf_stated_length) { 0 };
    if (gf_seekable_read(in, 0, b, sizeof b, err) < 0)
        return -1;
    if (memcmp(b, ".snd", 4) == 0 || memcmp(b, "dns.", 4) == 0)
        return find_in_au(p, in, b);
    if (memcmp(b, VOC, sizeof VOC - 1) == 0)
        return find_in_voc(p, in, gf_get16(b + 20, false), err);
    if (memcmp(b, "NIST_1A", 7) == 0)
        return find_in_nist(p, in, err);
    if (memcmp(b, "OggS", 4) == 0)
        return gf_stated_length_ogg(p, in, err);
    found = gf_chunks_open(&chunks, in, err);
    if (found != 0)
        return found < 0 ? -1 : find_in_chunks(p, &chunks, err);
    return memcmp(b, "fLaC", 4) == 0 ? 0 : gf_stated_length_mp3(p, in, err);
}

bool gf_stated_length_broken(const struct gf_stated_length *p)
{
    return p->no_end || (p->bytes > 0 && p->there < p->bytes);
}
