/* Reads how much audio the headers of a file state. */
#define _GNU_SOURCE
#include "io/formats/audio/stated_length.h"

#include "io/bytes.h"
#include "io/formats/audio/mpeg.h"
#include "io/formats/audio/ogg_pages.h"
#include "io/formats/chunks.h"

#include <stdlib.h>
#include <string.h>

/* ---- MP3 ---- */

#define FIRST_BYTES ((size_t)65536)      /* the first frame begins within them, after tags */
#define MP3_TAIL_BYTES ((size_t)65536)
#define FRAMES_IN_STEP 6                 /* so many consecutive valid headers cannot be a coincidence */

/* Returns the offset after ID3v2 tags. */
static int64_t skip_tags(const struct gf_seekable *in, struct gf_error *err)
{
    unsigned char b[10];
    int64_t at = 0, got;

    for (int i = 0; i < 16; i++) {
        got = gf_seekable_read(in, at, b, sizeof b, err);
        if (got < (int64_t)sizeof b || memcmp(b, "ID3", 3) != 0)
            return got < 0 ? -1 : at;
        at += 10 + (b[6] << 21 | b[7] << 14 | b[8] << 7 | b[9]) + ((b[5] & 0x10) != 0 ? 10 : 0);
    }
    return at;
}

/* Returns the end of the audio. ID3v1, APE and Lyrics3 tags may follow it. */
static int64_t find_mp3_end(const struct gf_seekable *in, struct gf_error *err)
{
    unsigned char b[32];
    int64_t end = in->size, got;

    got = gf_seekable_read(in, end - 128, b, 3, err);
    if (got < 0)
        return -1;
    if (got == 3 && memcmp(b, "TAG", 3) == 0)
        end -= 128;
    got = gf_seekable_read(in, end - 9, b, 9, err);
    if (got == 9 && memcmp(b, "LYRICS200", 9) == 0 && (got = gf_seekable_read(in, end - 15, b, 6, err)) == 6) {
        int64_t size = 0;

        for (int i = 0; i < 6 && b[i] >= '0' && b[i] <= '9'; i++)
            size = 10 * size + b[i] - '0';
        end -= size + 15 < end ? size + 15 : 0;
    }
    if (got >= 0)
        got = gf_seekable_read(in, end - 32, b, 32, err);
    if (got == 32 && memcmp(b, "APETAGEX", 8) == 0) {
        const int64_t size = (int64_t)gf_get32(b + 12, false) + ((b[23] & 0x80) != 0 ? 32 : 0);

        end -= size < end ? size : 0;
    }
    return got < 0 ? -1 : end;
}

/* Reads the stated length of a file that has p->there bytes of audio. */
static void read_length_header(struct gf_stated_length *p, const unsigned char *frame, size_t size, int64_t frame_at,
                               const struct gf_mpeg *m)
{
    struct gf_mpeg_length length;

    if (!gf_mpeg_length_header(frame, size, m, &length))
        return;
    p->frames = length.frames * m->samples;
    p->bytes = length.bytes;
    if (p->there < p->bytes && !length.vbri)
        gf_stated_length_patch(p, frame_at + length.bytes_at, (uint64_t)p->there, 4);
}

/*
 * Follows consecutive frame headers from `at` and returns their number. *cut is true if the last
 * frame extends beyond `size`.
 */
static int follow_frames(const unsigned char *b, size_t at, size_t size, bool *cut)
{
    struct gf_mpeg m;
    int count = 0;

    *cut = false;
    while (size - at >= 4 && gf_mpeg_header(b + at, &m) && m.bytes > 0) {
        count++;
        *cut = (size_t)m.bytes > size - at;
        if (*cut)
            break;
        at += (size_t)m.bytes;
    }
    *cut |= at + 4 > size && at < size && b[at] == 0xFF;
    return at + 4 > size || *cut ? count : -count;       /* negative: something else follows */
}

/*
 * Sets p->cut_frame if the last frame before `end` is incomplete. Without a run of frames up to the
 * end, it counts as complete.
 */
static int check_last_frame(struct gf_stated_length *p, const struct gf_seekable *in, int64_t first, int64_t end,
                            struct gf_error *err)
{
    const int64_t from = end - first > (int64_t)MP3_TAIL_BYTES ? end - (int64_t)MP3_TAIL_BYTES : first;
    unsigned char *b = malloc(MP3_TAIL_BYTES);
    int64_t got = b != NULL ? gf_seekable_read(in, from, b, (size_t)(end - from), err)
                                  : gf_fail_memory(err, NULL);

    for (int64_t at = 0; at + 4 <= got; at++) {
        struct gf_mpeg m;
        bool cut;

        if (!gf_mpeg_header(b + at, &m))
            continue;
        if (follow_frames(b, (size_t)at, (size_t)got, &cut) >= (from == first && at == 0 ? 1 : FRAMES_IN_STEP)) {
            p->cut_frame = cut;
            break;
        }
    }
    free(b);
    return got < 0 ? -1 : 0;
}

/* Reads the length in the first frame (Xing, Info, VBRI), and detects an incomplete last frame. */
static int find_in_mp3(struct gf_stated_length *p, const struct gf_seekable *in, struct gf_error *err)
{
    const int64_t tags = skip_tags(in, err), end = tags < 0 ? -1 : find_mp3_end(in, err);
    unsigned char *b = NULL;
    struct gf_mpeg m;
    int64_t got, at = 0;
    int result = -1;

    if (end < 0)
        return -1;
    b = malloc(FIRST_BYTES);
    got = b != NULL ? gf_seekable_read(in, tags, b, FIRST_BYTES, err) : gf_fail_memory(err, NULL);
    while (at + 4 <= got && !gf_mpeg_header(b + at, &m))
        at++;
    if (got >= 0 && (at + 4 > got || tags + at >= end)) {
        result = 0;
    } else if (got >= 0) {
        p->there = end - tags - at;
        read_length_header(p, b + at, (size_t)(got - at), tags + at, &m);
        if (p->bytes == in->size)        /* some encoders count the tags */
            p->bytes = p->patch_bytes = 0;
        p->usable = p->there < p->bytes ? end : 0;
        result = p->bytes > 0 ? 0 : check_last_frame(p, in, tags + at, end, err);
    }
    free(b);
    return result;
}

/* ---- Ogg ---- */

#define PAGE_BYTES 65307                 /* most of an Ogg page */
#define OGG_TAIL_BYTES ((size_t)2 * 65536)

enum { AT_FLAGS = 5, FLAG_LAST = 4, AT_SERIAL = 14, AT_NUMBER = 18 };

/* Returns true if a complete page of the `size` bytes has audio. */
static bool has_audio(const unsigned char *b, size_t size)
{
    for (size_t at = 0, bytes; (bytes = gf_ogg_page_bytes(b + at, size - at)) > 0; at += bytes)
        if (gf_ogg_page_has_audio(b + at))
            return true;
    return false;
}

/*
 * Sets p->no_end and p->bad_start if a page up to the first with audio is damaged or missing. Decoders find the start
 * of the audio there, so they do not miss it; they miss later pages. `b` has room for a page.
 */
static int check_first_pages(struct gf_stated_length *p, const struct gf_seekable *in, unsigned char *b,
                             struct gf_error *err)
{
    uint32_t serial = 0, number = 0;
    int64_t got;

    for (int64_t at = 0; (got = gf_seekable_read(in, at, b, PAGE_BYTES, err)) > 0;) {
        const size_t bytes = memcmp(b, "OggS", 4) == 0 ? gf_ogg_page_bytes(b, (size_t)got) : 0;
        bool right = bytes > 0 && gf_ogg_page_is_right(b, bytes);

        if (at == 0 && right) {
            serial = gf_get32(b + AT_SERIAL, false);
            number = gf_get32(b + AT_NUMBER, false);
        }
        if (right && gf_get32(b + AT_SERIAL, false) == serial)
            right = gf_get32(b + AT_NUMBER, false) == number++;
        p->bad_start = !right && !p->no_end;
        if (!right || gf_ogg_page_has_audio(b))
            break;
        at += (int64_t)bytes;
    }
    p->no_end = p->no_end || p->bad_start;
    return got < 0 ? -1 : 0;
}

/* Checks that an Ogg begins without damage, and ends with a complete page that is marked as last. */
static int find_in_ogg(struct gf_stated_length *p, const struct gf_seekable *in, struct gf_error *err)
{
    unsigned char *tail = malloc(OGG_TAIL_BYTES);
    const int64_t from = in->size > (int64_t)OGG_TAIL_BYTES ? in->size - (int64_t)OGG_TAIL_BYTES : 0;
    int64_t got = tail != NULL ? gf_seekable_read(in, from, tail, OGG_TAIL_BYTES, err)
                                  : gf_fail_memory(err, NULL);

    p->no_end = true;
    for (int64_t at = got - 1; at >= 0; at--) {
        size_t bytes;

        if (tail[at] != 'O' || got - at < 4 || memcmp(tail + at, "OggS", 4) != 0)
            continue;
        bytes = gf_ogg_page_bytes(tail + at, (size_t)(got - at));
        if (bytes > 0 && gf_ogg_page_is_right(tail + at, bytes)) {
            const size_t end = (size_t)at + bytes, left = (size_t)got - end;

            p->usable = from + (int64_t)end;
            p->no_end = (tail[at + AT_FLAGS] & FLAG_LAST) == 0 || (left >= 4 && memcmp(tail + end, "OggS", 4) == 0);
            break;
        }
    }
    p->no_audio = p->no_end && got >= 0 && from == 0 && !has_audio(tail, (size_t)p->usable);
    if (got >= 0 && check_first_pages(p, in, tail, err) != 0)
        got = -1;
    free(tail);
    return got < 0 ? -1 : 0;
}

/* ---- containers with headers ---- */

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
        return find_in_ogg(p, in, err);
    found = gf_chunks_open(&chunks, in, err);
    if (found != 0)
        return found < 0 ? -1 : find_in_chunks(p, &chunks, err);
    return memcmp(b, "fLaC", 4) == 0 ? 0 : find_in_mp3(p, in, err);
}

void gf_stated_length_patch(struct gf_stated_length *p, int64_t at, uint64_t size, int bytes)
{
    p->patch_at = at;
    p->patch_bytes = bytes;
    for (int i = bytes - 1; i >= 0; i--, size >>= 8)
        p->patch[i] = (unsigned char)size;
}

bool gf_stated_length_broken(const struct gf_stated_length *p)
{
    return p->no_end || (p->bytes > 0 && p->there < p->bytes);
}
