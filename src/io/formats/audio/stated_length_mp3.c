/*
 * Reads the length in the first frame of an MP3 (Xing, Info, VBRI), and detects an incomplete last
 * frame.
 */
#include "io/bytes.h"
#include "io/formats/audio/mpeg.h"
#include "io/formats/audio/stated_length.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_BYTES ((size_t)65536)      /* the first frame begins within them, after tags */
#define TAIL_BYTES ((size_t)65536)
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
static int64_t find_end(const struct gf_seekable *in, struct gf_error *err)
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
    const int64_t from = end - first > (int64_t)TAIL_BYTES ? end - (int64_t)TAIL_BYTES : first;
    unsigned char *b = malloc(TAIL_BYTES);
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

int gf_stated_length_mp3(struct gf_stated_length *p, const struct gf_seekable *in, struct gf_error *err)
{
    const int64_t tags = skip_tags(in, err), end = tags < 0 ? -1 : find_end(in, err);
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
