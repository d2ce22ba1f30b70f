/* Reads PNG metadata: profile, EXIF, resolution and texts. Built if HAVE_INFLATE. */
#define _GNU_SOURCE
#include "io/formats/png/png.h"
#include "io/formats/png/png_raw_profile.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TEXT_BYTES ((size_t)256 << 10)      /* the most that a compressed text may unpack to */

/*
 * Decompresses a zlib stream into *to, which the caller frees, and adds a zero byte. Returns 1, 0 if
 * the stream is damaged or longer than `most`, or -1. Bytes that are dropped count under the limit,
 * because many small chunks could each take long to unpack.
 */
static int decompress(struct gf_meta *m, const unsigned char *from, size_t size, size_t most, unsigned char **to,
                      size_t *made, struct gf_error *err)
{
    const size_t left = gf_meta_room(m), limit = most < left ? most : left;
    struct gf_inflate *z = gf_inflate_new();
    unsigned char *more = NULL;
    size_t room = 0, done = 0, used = 0;
    int result = z == NULL ? -1 : 0;

    *to = NULL;
    while (result == 0 && done <= limit) {
        size_t in = size - used, out;

        if (done + 1 >= room) {
            room = room * 2 + 4096;
            more = realloc(*to, room);
            if (more == NULL)
                break;
            *to = more;
        }
        out = room - 1 - done;
        result = gf_inflate_some(z, from + used, &in, *to + done, &out);
        used += in;
        done += out;
        if (result == 0 && in == 0 && out == 0)
            break;
    }
    gf_inflate_free(z);
    if (more == NULL)
        return gf_fail_memory(err, m->limit != NULL ? m->limit->name : NULL);
    if (result != 1 || done > limit)
        return gf_meta_count(m, done, err);
    (*to)[done] = '\0';
    *made = done;
    return 1;
}

/* Converts Latin-1, up to a zero byte, to UTF-8. The caller frees the result. */
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

static int read_icc(struct gf_meta *m, const unsigned char *data, size_t size, struct gf_error *err)
{
    const unsigned char *end = memchr(data, 0, size);
    unsigned char *profile = NULL;
    size_t made = 0;
    int result = 0;

    if (m->icc != NULL) {
        m->parts |= GF_PART_REPEATED;
        return 0;
    }
    if (end != NULL && (size_t)(end - data) + 2 < size && end[1] == 0)
        result = decompress(m, end + 2, size - (size_t)(end - data) - 2, GF_PNG_MOST_BESIDE, &profile, &made, err);
    if (result == 0)
        m->parts |= GF_PART_PROFILE;
    else if (result > 0)
        result = gf_meta_set_icc(m, profile, made, err);
    free(profile);
    return result;
}

static void read_colour_chunk(struct gf_meta *m, const char *type, const unsigned char *data, size_t size)
{
    for (int i = 0; i < GF_COLOUR_CHUNKS; i++)
        if (strcmp(type, gf_png_colour_chunks[i].type) == 0 && size == gf_png_colour_chunks[i].bytes) {
            memcpy(m->chunk[i], data, size);
            m->has_chunk[i] = true;
        }
}

/* Returns true if each number, in units of 1/100000, is within `far` of the wanted one. */
static bool are_near(const unsigned char *data, const uint32_t *wanted, size_t count, uint32_t far)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t value = gf_get32(data + 4 * i, true);

        if (value + far < wanted[i] || value > wanted[i] + far)
            return false;
    }
    return true;
}

void gf_png_settle_colour(struct gf_meta *m, bool srgb)
{
    static const uint32_t gamma[] = { 45455 };           /* 1 / 2.2, which programs write for sRGB */
    static const uint32_t primaries[] = { 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000 };
    static const unsigned char cicp[] = { 1, 13, 0, 1 };
    bool *has = m->has_chunk;

    if (has[GF_CHUNK_CICP] && memcmp(m->chunk[GF_CHUNK_CICP], cicp, sizeof cicp) == 0) {
        has[GF_CHUNK_CICP] = false;
        srgb = true;
    }
    if (!has[GF_CHUNK_CICP])
        has[GF_CHUNK_MDCV] = has[GF_CHUNK_CLLI] = false;
    if (srgb || m->icc != NULL || has[GF_CHUNK_CICP])
        has[GF_CHUNK_GAMA] = has[GF_CHUNK_CHRM] = false;
    if (are_near(m->chunk[GF_CHUNK_CHRM], primaries, 8, 500))
        has[GF_CHUNK_CHRM] = false;
    if (!has[GF_CHUNK_CHRM] && are_near(m->chunk[GF_CHUNK_GAMA], gamma, 1, 500))
        has[GF_CHUNK_GAMA] = false;
}

static void read_resolution(struct gf_meta *m, const unsigned char *data, size_t size)
{
    const uint32_t x = size == 9 ? gf_get32(data, true) : 0, y = size == 9 ? gf_get32(data + 4, true) : 0;

    if (x == 0 || y == 0)
        return;
    if (data[8] == 1) {
        m->x_per_metre = x;
        m->y_per_metre = y;
    } else if (data[8] == 0 && x != y) {
        m->x_per_unit = x;
        m->y_per_unit = y;
    }
}

/*
 * Returns where the text of tEXt, zTXt or iTXt begins, or NULL if the chunk is malformed. *packed
 * is true if it is compressed.
 */
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
    end = memchr(end + 2, 0, (size_t)(last - end - 2));                  /* skips the language */
    if (end != NULL)
        end = memchr(end + 1, 0, (size_t)(last - end - 1));              /* skips the translated key */
    return end != NULL ? end + 1 : NULL;
}

/* Adds a text. Some texts contain XMP or a raw profile instead. */
static int add_text(struct gf_meta *m, char kind, const unsigned char *data, size_t size, const unsigned char *text,
                    size_t length, struct gf_error *err)
{
    char *key, *value;
    int result;

    if (kind == 'i' && strcmp((const char *)data, GF_PNG_XMP_KEY) == 0)
        return gf_meta_set_xmp(m, text, length, err);
    result = gf_png_raw_profile_take(m, (const char *)data, (const char *)text, length, err);
    if (result != 0)
        return result > 0 ? 0 : -1;
    key = from_latin(data, size);
    value = kind == 'i' ? strndup((const char *)text, length) : from_latin(text, length);
    if (key == NULL || value == NULL)
        result = gf_fail_memory(err, NULL);
    else
        result = gf_meta_add_text(m, key, value, err);
    free(key);
    free(value);
    return result;
}

/* Returns true if a text with this key has a profile or XMP of which the file already had one. */
static bool is_repeated(struct gf_meta *m, const char *key)
{
    if (strcmp(key, GF_PNG_XMP_KEY) != 0)
        return gf_png_raw_profile_is_known(m, key);
    m->parts |= m->xmp != NULL ? GF_PART_REPEATED : 0;
    return m->xmp != NULL;
}

static int read_text(struct gf_meta *m, char kind, const unsigned char *data, size_t size, struct gf_error *err)
{
    bool packed;
    const unsigned char *text = find_text(kind, data, size, &packed);
    const char *key = (const char *)data;
    const bool block = text != NULL && (strcmp(key, GF_PNG_XMP_KEY) == 0
        || strncmp(key, GF_PNG_RAW_PROFILE_KEY, sizeof GF_PNG_RAW_PROFILE_KEY - 1) == 0);
    size_t length = text != NULL ? size - (size_t)(text - data) : 0;
    unsigned char *unpacked = NULL;
    int result = 1;

    if (text == NULL || is_repeated(m, key))
        return 0;
    if (m->texts >= GF_META_MOST_TEXTS) {
        m->parts |= GF_PART_LONG_TEXT;
        return 0;
    }
    if (packed) {
        result = decompress(m, text, length, block ? GF_PNG_MOST_BESIDE : MOST_TEXT_BYTES, &unpacked, &length, err);
        text = unpacked;
    }
    if (result > 0)
        result = add_text(m, kind, data, size, text, length, err);
    else if (result == 0)
        m->parts |= GF_PART_LONG_TEXT;
    free(unpacked);
    return result;
}

int gf_png_take_meta(struct gf_meta *m, const char *type, const unsigned char *data, size_t size, struct gf_error *err)
{
    if (strcmp(type, "iCCP") == 0)
        return read_icc(m, data, size, err);
    if (strcmp(type, "eXIf") == 0)
        return gf_meta_set_exif(m, data, size, err);
    read_colour_chunk(m, type, data, size);
    if (strcmp(type, "pHYs") == 0)
        read_resolution(m, data, size);
    if (strcmp(type + 1, "TXt") == 0 || strcmp(type, "tEXt") == 0)
        return read_text(m, type[0], data, size, err);
    return 0;
}
