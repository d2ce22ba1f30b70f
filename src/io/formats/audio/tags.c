/* Tags of audio files: keys in gf_meta, and their names in each format. */
#define _GNU_SOURCE
#include "io/formats/audio/tags.h"

#include "io/bytes.h"
#include "io/formats/audio/libsndfile.h"
#include "io/metadata/meta_text.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const struct gf_tag gf_tags[] = {
    { "Title", "INAM", "title", SF_STR_TITLE },
    { "Artist", "IART", "artist", SF_STR_ARTIST },
    { "Album", "IPRD", "album", SF_STR_ALBUM },
    { "Date", "ICRD", "date", SF_STR_DATE },
    { "Track", "ITRK", "track", SF_STR_TRACKNUMBER },
    { "Genre", "IGNR", "genre", SF_STR_GENRE },
    { "Comment", "ICMT", "comment", SF_STR_COMMENT },
    { "Copyright", "ICOP", "copyright", SF_STR_COPYRIGHT },
    { "License", "ILIC", "license", SF_STR_LICENSE },
    { "Software", "ISFT", "software", SF_STR_SOFTWARE },
    { NULL, NULL, NULL, 0 }
};

const char *gf_tags_value(const struct gf_meta *m, const char *key)
{
    for (int i = 0; m != NULL && i < m->texts; i++)
        if (strcasecmp(m->text[i].key, key) == 0)
            return m->text[i].value;
    return NULL;
}

bool gf_tags_stores(const struct gf_writer_ops *ops, const char *key, const char *value, size_t *left)
{
    char word[40];

    snprintf(word, sizeof word, " %s ", key);
    if (value == NULL || strlen(value) > *left)
        return false;
    if (ops->tags_lacking != NULL && strstr(ops->tags_lacking, word) != NULL)
        return false;
    *left -= strlen(value);
    return true;
}

bool gf_tags_loses(const struct gf_writer_ops *ops, const struct gf_meta *m, const char *key)
{
    size_t left = ops->tag_bytes;

    for (const struct gf_tag *t = gf_tags; t->key != NULL; t++) {
        const char *value = gf_tags_value(m, t->key);

        if (!gf_tags_stores(ops, t->key, value, &left) && value != NULL && strcmp(t->key, key) == 0)
            return strcmp(key, "Software") != 0;
    }
    return false;
}

/* Returns the tag of a LIST INFO chunk. FFmpeg and others call the track IPRT. */
static const struct gf_tag *tag_of_chunk(const unsigned char *id)
{
    const char *name = memcmp(id, "IPRT", 4) == 0 ? "ITRK" : (const char *)id;

    for (const struct gf_tag *t = gf_tags; t->key != NULL; t++)
        if (memcmp(t->riff, name, 4) == 0)
            return t;
    return NULL;
}

const struct gf_tag *gf_tags_by_word(const char *word, size_t size)
{
    if (size == 11 && strncasecmp(word, "tracknumber", size) == 0)
        size = 5;
    for (const struct gf_tag *t = gf_tags; t->key != NULL; t++)
        if (strlen(t->word) == size && strncasecmp(t->word, word, size) == 0)
            return t;
    return NULL;
}

bool gf_tags_knows_chunk(const unsigned char *id)
{
    return tag_of_chunk(id) != NULL;
}

int gf_tags_take_riff(struct gf_meta *m, const unsigned char *bytes, size_t size, bool big, struct gf_error *err)
{
    size_t at = 4;

    if (size < 4 || memcmp(bytes, "INFO", 4) != 0)
        return 0;
    while (size - at >= 8) {
        const struct gf_tag *t = tag_of_chunk(bytes + at);
        const size_t says = gf_get32(bytes + at + 4, big), left = size - at - 8, length = says < left ? says : left;

        if (t != NULL && gf_tags_value(m, t->key) == NULL
            && gf_meta_text_add_bytes(m, t->key, bytes + at + 8, length, err) != 0)
            return -1;
        at += 8 + length;
        at += at < size && (length & 1) != 0;
    }
    return 0;
}

/*
 * Allocates room for all tags, with `each` bytes for each text in addition and `once` for all.
 * *bytes is NULL if there are none.
 */
static int make_room(const struct gf_meta *m, size_t each, size_t once, unsigned char **bytes, struct gf_error *err)
{
    size_t room = 0;

    *bytes = NULL;
    for (const struct gf_tag *t = gf_tags; t->key != NULL; t++) {
        const char *value = gf_tags_value(m, t->key);

        room += value != NULL ? strlen(value) + each : 0;
    }
    if (room == 0)
        return 0;
    *bytes = calloc(1, room + once);
    return *bytes != NULL ? 0 : gf_fail_memory(err, NULL);
}

/*
 * Writes texts with a zero byte at the end, padded to even sizes. Texts that would exceed
 * GF_TAGS_BYTES are left out.
 */
int gf_tags_put_riff(const struct gf_meta *m, unsigned char **chunk, size_t *size, struct gf_error *err)
{
    unsigned char *to;

    *size = 0;
    if (make_room(m, 10, 12, chunk, err) != 0)
        return -1;
    if (*chunk == NULL)
        return 0;
    to = *chunk + 12;
    for (const struct gf_tag *t = gf_tags; t->key != NULL; t++) {
        const char *value = gf_tags_value(m, t->key);
        const size_t length = value != NULL ? strlen(value) + 1 : 0;

        if (value == NULL || (size_t)(to - *chunk) + length > GF_TAGS_BYTES)
            continue;
        memcpy(to, t->riff, 4);
        to = gf_put_number(to + 4, length, 4, false);
        memcpy(to, value, length);
        to += length + (length & 1);
    }
    *size = (size_t)(to - *chunk);
    memcpy(*chunk, "LIST", 4);
    memcpy(gf_put_number(*chunk + 4, *size - 8, 4, false), "INFO", 4);
    return 0;
}

int gf_tags_take_lines(struct gf_meta *m, const unsigned char *bytes, size_t size, struct gf_error *err)
{
    const size_t all = strnlen((const char *)bytes, size);

    for (size_t at = 0; at < all;) {
        const unsigned char *line = bytes + at, *end = memchr(line, '\n', all - at);
        const size_t length = end != NULL ? (size_t)(end - line) : all - at;
        const char *key = "Comment";
        size_t skip = 0;

        for (const struct gf_tag *t = gf_tags; t->key != NULL; t++) {
            const size_t word = strlen(t->word);

            if (length > word && line[word] == '=' && strncasecmp((const char *)line, t->word, word) == 0) {
                key = t->key;
                skip = word + 1;
            }
        }
        if (gf_tags_value(m, key) == NULL && gf_meta_text_add_bytes(m, key, line + skip, length - skip, err) != 0)
            return -1;
        at += length + 1;
    }
    return 0;
}

int gf_tags_put_lines(const struct gf_meta *m, unsigned char **lines, size_t *size, struct gf_error *err)
{
    unsigned char *to;

    *size = 0;
    if (make_room(m, 12, 1, lines, err) != 0)
        return -1;
    to = *lines;
    for (const struct gf_tag *t = gf_tags; *lines != NULL && t->key != NULL; t++) {
        const char *value = gf_tags_value(m, t->key);

        if (value == NULL || (size_t)(to - *lines) + strlen(value) + 12 > GF_TAGS_BYTES)
            continue;
        to = (unsigned char *)stpcpy(stpcpy(stpcpy((char *)to, t->word), "="), value);
        for (unsigned char *c = to - strlen(value); c < to; c++)
            *c = *c == '\n' ? ' ' : *c;              /* a value must stay on its line */
        *to++ = '\n';
    }
    *size = *lines != NULL ? (size_t)(to - *lines) : 0;
    return 0;
}
