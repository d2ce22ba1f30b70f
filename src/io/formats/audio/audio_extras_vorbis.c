/*
 * Finds data in FLAC blocks and Ogg comment packets (Vorbis, Opus, FLAC) that would be lost: tags,
 * cover art, cue sheets.
 */
#define _GNU_SOURCE
#include "io/bytes.h"
#include "io/formats/audio/audio_extras.h"
#include "io/formats/audio/ogg_pages.h"
#include "io/formats/audio/tags.h"
#include "io/metadata/meta_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_COMMENTS ((size_t)32 << 20) /* bytes of comments that are read; they may contain cover art */

/*
 * Recognizes CHAPTER001=00:00:00.000 and CHAPTER001NAME=... *counts is true for the first form, so
 * that each chapter counts once.
 */
static bool is_chapter(const char *key, size_t size, bool *counts)
{
    size_t n = 7;

    if (size < 8 || strncasecmp(key, "CHAPTER", 7) != 0 || !isdigit((unsigned char)key[7]))
        return false;
    while (n < size && isdigit((unsigned char)key[n]))
        n++;
    *counts = n == size;
    return true;
}

static bool key_is(const char *key, size_t size, const char *word)
{
    return size == strlen(word) && strncasecmp(key, word, size) == 0;
}

/* Adds one comment, KEY=VALUE. `seen` has a bit for each tag of gf_tags that appeared before. */
static int add_comment(struct gf_meta *m, const char *text, size_t size, unsigned *seen, struct gf_error *err)
{
    const char *equals = memchr(text, '=', size);
    const size_t key = equals != NULL ? (size_t)(equals - text) : 0;
    const struct gf_tag *tag = gf_tags_by_word(text, key);
    bool counts;

    if (key == 0)
        return 0;
    if (key_is(text, key, "METADATA_BLOCK_PICTURE") || key_is(text, key, "COVERART"))
        return gf_audio_extras_add(m, "cover art", 0, err);
    if (is_chapter(text, key, &counts))
        return counts ? gf_audio_extras_add(m, "chapters", 1, err) : 0;
    /* the name in the Vorbis standard for what other formats call a comment */
    if (key_is(text, key, "DESCRIPTION")) {
        tag = gf_tags_by_word("comment", 7);
        if (gf_tags_value(m, tag->key) == NULL
            && gf_meta_text_add_bytes(m, tag->key, equals + 1, size - key - 1, err) != 0)
            return -1;
    }
    if (tag != NULL && (*seen & 1u << (tag - gf_tags)) == 0 && gf_tags_value(m, tag->key) != NULL) {
        *seen |= 1u << (tag - gf_tags);
        return 0;
    }
    if (tag != NULL && (*seen & 1u << (tag - gf_tags)) != 0) {
        char again[40];

        snprintf(again, sizeof again, "second %s", tag->key);
        return gf_audio_extras_add_tag(m, again, strlen(again), err);
    }
    return size > key + 1 ? gf_audio_extras_add_tag(m, text, key, err) : 0;
}

/*
 * Reads a comment block: the vendor's name, a count, then comments, each after its length. Lengths
 * are checked against `size`.
 */
static int add_comments(struct gf_meta *m, const unsigned char *b, size_t size, struct gf_error *err)
{
    size_t at, count;
    unsigned seen = 0;

    if (size < 8 || gf_get32(b, false) > size - 8)
        return 0;
    at = 4 + (size_t)gf_get32(b, false);
    count = gf_get32(b + at, false);
    at += 4;
    for (; count > 0 && size - at >= 4; count--) {
        const size_t length = gf_get32(b + at, false);
        const size_t there = length < size - at - 4 ? length : size - at - 4;

        if (add_comment(m, (const char *)b + at + 4, there, &seen, err) != 0)
            return -1;
        at += 4 + there;
    }
    return 0;
}

int gf_audio_extras_flac(struct gf_meta *m, const struct gf_seekable *in, int64_t at, struct gf_error *err)
{
    enum { MOST_BLOCKS = 1000, APPLICATION = 2, COMMENTS = 4, CUESHEET = 5, PICTURE = 6 };
    unsigned char b[4] = { 0 };
    int result = 0;

    for (int i = 0; result == 0 && i < MOST_BLOCKS && (b[0] & 0x80) == 0; i++) {
        const int64_t got = gf_seekable_read(in, at, b, sizeof b, err);
        const size_t size = (size_t)(b[1] << 16 | b[2] << 8 | b[3]);
        const int type = b[0] & 0x7F;

        if (got < 4)
            return got < 0 ? -1 : 0;
        if (type == PICTURE)
            result = gf_audio_extras_add(m, "cover art", 0, err);
        else if (type == CUESHEET)
            result = gf_audio_extras_add(m, "a cue sheet", 0, err);
        else if (type == APPLICATION)
            result = gf_audio_extras_add(m, "application data", 0, err);
        else if (type == COMMENTS) {
            unsigned char *text = malloc(size + 1);
            const int64_t there = text != NULL ? gf_seekable_read(in, at + 4, text, size, err)
                                  : gf_fail_memory(err, NULL);

            result = there < 0 ? -1 : add_comments(m, text, (size_t)there, err);
            free(text);
        }
        at += 4 + (int64_t)size;
    }
    return result;
}

/*
 * Appends the part of a page that belongs to the current packet. Sets *ends if the packet is
 * complete.
 */
static int append_page(const struct gf_seekable *in, int64_t at, const unsigned char *head, unsigned char **packet,
                       size_t *size, bool *ends, struct gf_error *err)
{
    size_t add = 0, body = 27 + (size_t)head[26];
    unsigned char *more;
    int64_t got;

    *ends = false;
    for (size_t i = 0; i < head[26] && !*ends; i++) {
        add += head[27 + i];
        *ends = head[27 + i] < 255;
    }
    more = realloc(*packet, *size + add + 1);
    if (more == NULL)
        return gf_fail_memory(err, NULL);
    *packet = more;
    got = gf_seekable_read(in, at + (int64_t)body, more + *size, add, err);
    *size += got > 0 ? (size_t)got : 0;
    *ends |= got < (int64_t)add || *size > MOST_COMMENTS;
    return got < 0 ? -1 : 0;
}

/* Reads the second packet of the first stream, which begins on the second page of that stream. */
static int read_comments(const struct gf_seekable *in, unsigned char **packet, size_t *size, struct gf_error *err)
{
    enum { MOST_PAGES = 4096, AT_SERIAL = 14 };
    unsigned char head[27 + 255], serial[4] = { 0 };
    int64_t at = 0;
    bool ends = false;
    int pages = 0;

    for (int i = 0; !ends && i < MOST_PAGES; i++) {
        const int64_t got = gf_seekable_read(in, at, head, sizeof head, err);
        int64_t bytes = 27;

        if (got < 27 || got < 27 + head[26] || memcmp(head, "OggS", 4) != 0)
            return got < 0 ? -1 : 0;
        for (int k = 0; k < head[26]; k++)
            bytes += head[27 + k];
        bytes += head[26];
        if (i == 0)
            memcpy(serial, head + AT_SERIAL, 4);
        if (memcmp(serial, head + AT_SERIAL, 4) == 0 && pages++ > 0
            && append_page(in, at, head, packet, size, &ends, err) != 0)
            return -1;
        at += bytes;
    }
    return 0;
}

int gf_audio_extras_ogg(struct gf_meta *m, const struct gf_seekable *in, struct gf_error *err)
{
    unsigned char *packet = NULL;
    size_t size = 0;
    int result = read_comments(in, &packet, &size, err);

    if (result == 0 && size > 7 && memcmp(packet, "\3vorbis", 7) == 0)
        result = add_comments(m, packet + 7, size - 7, err);
    else if (result == 0 && size > 8 && memcmp(packet, "OpusTags", 8) == 0)
        result = add_comments(m, packet + 8, size - 8, err);
    else if (result == 0 && size > 4 && (packet[0] & 0x7F) == 4)
        result = add_comments(m, packet + 4, size - 4, err);
    free(packet);
    return result;
}
