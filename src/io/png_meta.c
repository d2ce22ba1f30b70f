/* What stands beside the picture in a PNG: profile, EXIF, resolution and texts, as they are read. */
#define _GNU_SOURCE
#include "io/png.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TEXTS 1000                  /* of a file, and bytes that a compressed one may unpack to */
#define MOST_TEXT_BYTES ((size_t)256 << 10)

/* A zlib stream in memory to be freed, with a zero behind it; NULL where it is damaged or too long. */
static unsigned char *unpack(const unsigned char *from, size_t size, size_t most, size_t *made)
{
    struct gf_inflate *z = gf_inflate_new();
    unsigned char *to = NULL;
    size_t room = 0, done = 0, used = 0;
    int result = z == NULL ? -1 : 0;

    while (result == 0) {
        size_t in = size - used, out;

        if (done + 1 >= room) {
            unsigned char *more = room > most ? NULL : realloc(to, room = room * 2 + 4096);

            if (more == NULL)
                break;
            to = more;
        }
        out = room - 1 - done;
        result = gf_inflate_some(z, from + used, &in, to + done, &out);
        used += in;
        done += out;
        if (result == 0 && in == 0 && out == 0)
            break;
    }
    gf_inflate_free(z);
    if (result != 1 || done > most) {
        free(to);
        return NULL;
    }
    to[done] = '\0';
    *made = done;
    return to;
}

/* Latin-1 in UTF-8, in memory to be freed; up to a zero. */
static char *from_latin(const unsigned char *text, size_t size)
{
    char *to = malloc(2 * size + 1), *at = to;

    for (size_t i = 0; to != NULL && i < size && text[i] != 0; i++) {
        if (text[i] >= 0x80)
            *at++ = (char)(0xC0 | text[i] >> 6);
        *at++ = (char)(text[i] < 0x80 ? text[i] : 0x80 | (text[i] & 0x3F));
    }
    if (to != NULL)
        *at = '\0';
    return to;
}

static int take_icc(struct gf_meta *m, const unsigned char *data, size_t size, struct gf_error *err)
{
    const unsigned char *end = memchr(data, 0, size);
    unsigned char *profile = NULL;
    size_t made = 0;
    int result = 0;

    if (end != NULL && (size_t)(end - data) + 2 < size && end[1] == 0)
        profile = unpack(end + 2, size - (size_t)(end - data) - 2, GF_PNG_MOST_BESIDE, &made);
    if (profile != NULL)
        result = gf_meta_set_icc(m, profile, made, err);
    free(profile);
    return result;
}

static void take_resolution(struct gf_meta *m, const unsigned char *data, size_t size)
{
    if (size == 9 && data[8] == 1 && gf_get32(data, true) > 0 && gf_get32(data + 4, true) > 0) {
        m->x_per_metre = gf_get32(data, true);
        m->y_per_metre = gf_get32(data + 4, true);
    }
}

/* Where the text of tEXt, zTXt and iTXt begins, and how it is stored; NULL where it makes no sense. */
static const unsigned char *find_text(char kind, const unsigned char *data, size_t size, bool *packed)
{
    const unsigned char *end = memchr(data, 0, size), *last = data + size;

    if (end == NULL || end == data || end - data > GF_PNG_MOST_KEY)
        return NULL;
    *packed = kind == 'z';
    end++;
    if (kind == 't')
        return end;
    if (last - end < (kind == 'z' ? 1 : 2) || end[kind == 'z' ? 0 : 1] != 0)
        return NULL;
    if (kind == 'z')
        return end + 1;
    *packed = end[0] == 1;
    end = memchr(end + 2, 0, (size_t)(last - end - 2));                  /* behind the language */
    if (end != NULL)
        end = memchr(end + 1, 0, (size_t)(last - end - 1));              /* and the key in that language */
    return end != NULL ? end + 1 : NULL;
}

static int take_text(struct gf_meta *m, char kind, const unsigned char *data, size_t size, struct gf_error *err)
{
    bool packed;
    const unsigned char *text = m->texts < MOST_TEXTS ? find_text(kind, data, size, &packed) : NULL;
    size_t length = text != NULL ? size - (size_t)(text - data) : 0;
    unsigned char *unpacked = NULL;
    char *key = NULL, *value = NULL;
    int result = 0;

    if (text == NULL)
        return 0;
    if (packed) {
        text = unpacked = unpack(text, length, MOST_TEXT_BYTES, &length);
        if (text == NULL)
            return 0;
    }
    if (kind == 'i' && strcmp((const char *)data, GF_PNG_XMP_KEY) == 0) {
        result = gf_meta_set_xmp(m, text, length, err);
        free(unpacked);
        return result;
    }
    key = from_latin(data, size);
    value = kind == 'i' ? strndup((const char *)text, length) : from_latin(text, length);
    if (key == NULL || value == NULL)
        result = gf_fail(err, GF_FAILED, "not enough memory");
    else
        result = gf_meta_add_text(m, key, value, err);
    free(key);
    free(value);
    free(unpacked);
    return result;
}

int gf_png_take_meta(struct gf_meta *m, const char *type, const unsigned char *data, size_t size, struct gf_error *err)
{
    if (strcmp(type, "iCCP") == 0)
        return take_icc(m, data, size, err);
    if (strcmp(type, "eXIf") == 0)
        return gf_meta_set_exif(m, data, size, err);
    if (strcmp(type, "pHYs") == 0)
        take_resolution(m, data, size);
    if (strcmp(type + 1, "TXt") == 0 || strcmp(type, "tEXt") == 0)
        return take_text(m, type[0], data, size, err);
    return 0;
}
