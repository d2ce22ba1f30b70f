/* Writes PNG metadata, and single chunks. */
#define _GNU_SOURCE
#include "io/formats/png/png.h"
#include "io/formats/png/png_raw_profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct gf_png_colour_chunk gf_png_colour_chunks[GF_COLOUR_CHUNKS] = {
    [GF_CHUNK_CICP] = { "cICP", 4 }, [GF_CHUNK_MDCV] = { "mDCV", 24 }, [GF_CHUNK_CLLI] = { "cLLI", 8 },
    [GF_CHUNK_CHRM] = { "cHRM", 32 }, [GF_CHUNK_GAMA] = { "gAMA", 4 },
};

int gf_png_put_chunk(struct gf_output *out, const char *type, const void *data, size_t size, struct gf_error *err)
{
    unsigned char head[8], sum[4];

    memcpy(gf_put32(head, (uint32_t)size), type, 4);
    gf_put32(sum, gf_crc32(gf_crc32(0, type, 4), data, size));
    if (gf_output_write(out, head, 8, err) != 0 || (size > 0 && gf_output_write(out, data, size, err) != 0))
        return -1;
    return gf_output_write(out, sum, 4, err);
}

static int put_icc(struct gf_writer *w, struct gf_error *err)
{
    static const unsigned char before[] = { 'i', 'c', 'c', 0, 0, 0x78, 0x9C };
    const struct gf_meta *m = w->meta;
    unsigned char *chunk = malloc(sizeof before + gf_deflate_room(m->icc_bytes) + 4);
    size_t size = 0;
    int result;

    if (chunk != NULL)
        size = gf_deflate_piece(m->icc, m->icc_bytes, -1, true, chunk + sizeof before);
    if (size == 0) {
        free(chunk);
        return gf_fail_memory(err, w->name);
    }
    memcpy(chunk, before, sizeof before);
    size += sizeof before;
    gf_put32(chunk + size, gf_adler32(1, m->icc, m->icc_bytes));
    result = gf_png_put_chunk(w->out, "iCCP", chunk, size + 4, err);
    free(chunk);
    return result;
}

/*
 * Converts UTF-8 to Latin-1 at `to`, which must have the same size. Returns the length, or -1 if a
 * character is not in Latin-1.
 */
static long to_latin(const char *text, unsigned char *to)
{
    const unsigned char *at = (const unsigned char *)text;
    long size = 0;

    for (; *at != '\0'; at++) {
        unsigned char c = *at;

        if (c >= 0x80) {
            if ((c != 0xC2 && c != 0xC3) || (at[1] & 0xC0) != 0x80)
                return -1;
            c = (unsigned char)(c << 6 | (at[1] & 0x3F));
            at++;
        }
        to[size++] = c;
    }
    return size;
}

/*
 * Returns true if a key is valid: 1 to 79 characters of Latin-1, no control characters, no space at
 * either end.
 */
static bool is_key(const unsigned char *key, long size)
{
    bool good = size >= 1 && size <= GF_PNG_MOST_KEY && key[0] != ' ' && key[size - 1] != ' ';

    for (long i = 0; good && i < size; i++)
        good = key[i] >= 32 && (key[i] < 127 || key[i] > 160);
    return good;
}

/* Writes a text as tEXt if Latin-1 is enough, otherwise as iTXt. Both begin with the key. */
static int put_text(struct gf_writer *w, const struct gf_text *text, struct gf_error *err)
{
    const size_t value_bytes = strlen(text->value);
    unsigned char *chunk = malloc(strlen(text->key) + value_bytes + 6);
    const long key = chunk != NULL ? to_latin(text->key, chunk) : 0;
    int result = 0;

    if (chunk == NULL)
        return gf_fail_memory(err, w->name);
    if (is_key(chunk, key) && value_bytes < INT32_MAX / 2) {
        const long latin = to_latin(text->value, chunk + key + 1);
        const size_t wide = (size_t)key + 5;

        memset(chunk + key, 0, latin >= 0 ? 1 : 5);
        if (latin < 0)
            memcpy(chunk + wide, text->value, value_bytes);
        result = latin >= 0 ? gf_png_put_chunk(w->out, "tEXt", chunk, (size_t)(key + 1 + latin), err)
                            : gf_png_put_chunk(w->out, "iTXt", chunk, wide + value_bytes, err);
    }
    free(chunk);
    return result;
}

/* Writes XMP as an iTXt chunk: UTF-8, not compressed, no language. */
static int put_xmp(struct gf_writer *w, struct gf_error *err)
{
    static const char before[] = GF_PNG_XMP_KEY "\0\0\0\0";             /* sizeof counts the fifth zero byte */
    const struct gf_meta *m = w->meta;
    unsigned char *chunk = malloc(sizeof before + m->xmp_bytes);
    int result;

    if (chunk == NULL)
        return gf_fail_memory(err, w->name);
    memcpy(chunk, before, sizeof before);
    memcpy(chunk + sizeof before, m->xmp, m->xmp_bytes);
    result = gf_png_put_chunk(w->out, "iTXt", chunk, sizeof before + m->xmp_bytes, err);
    free(chunk);
    return result;
}

static int put_resolution(struct gf_writer *w, struct gf_error *err)
{
    unsigned char chunk[9] = { 0 };

    if (w->meta->x_per_metre < 1 || w->meta->y_per_metre < 1) {
        int aspect[2] = { 1, 1 };

        gf_meta_pixel_shape(w->meta, aspect);
        gf_put32(gf_put32(chunk, (uint32_t)aspect[1]), (uint32_t)aspect[0]);
        return aspect[0] == aspect[1] ? 0 : gf_png_put_chunk(w->out, "pHYs", chunk, sizeof chunk, err);
    }
    if (w->meta->x_per_metre >= INT32_MAX || w->meta->y_per_metre >= INT32_MAX)
        return 0;
    gf_put32(gf_put32(chunk, (uint32_t)lround(w->meta->x_per_metre)), (uint32_t)lround(w->meta->y_per_metre));
    chunk[8] = 1;
    return gf_png_put_chunk(w->out, "pHYs", chunk, sizeof chunk, err);
}

/* Writes IPTC as a raw profile text, as other programs do. */
static int put_iptc(struct gf_writer *w, struct gf_error *err)
{
    static const char key[] = GF_PNG_RAW_PROFILE_KEY "iptc";
    size_t size = 0, made = sizeof key + 3;
    char *text = gf_png_raw_profile_iptc(w->meta->iptc, w->meta->iptc_bytes, &size);
    unsigned char *chunk = text != NULL ? malloc(made + gf_deflate_room(size) + 4) : NULL;
    size_t packed = 0;
    int result = -1;

    if (chunk != NULL)
        packed = gf_deflate_piece((const unsigned char *)text, size, -1, true, chunk + made);
    if (packed == 0) {
        gf_fail_memory(err, w->name);
    } else {
        memcpy(chunk, key, sizeof key);
        memcpy(chunk + sizeof key, "\0\x78\x9C", 3);
        made += packed;
        gf_put32(chunk + made, gf_adler32(1, text, size));
        result = gf_png_put_chunk(w->out, "zTXt", chunk, made + 4, err);
    }
    free(chunk);
    free(text);
    return result;
}

/*
 * Writes the color chunks. A profile overrides gamma and primaries; gray images have no primaries.
 */
static int put_colour(struct gf_writer *w, bool icc, struct gf_error *err)
{
    for (int i = 0; i < GF_COLOUR_CHUNKS; i++) {
        const struct gf_png_colour_chunk *c = &gf_png_colour_chunks[i];
        const bool fits = i == GF_CHUNK_CHRM ? !icc && gf_colours(&w->format) == 3 : i != GF_CHUNK_GAMA || !icc;

        if (w->meta->has_chunk[i] && fits && gf_png_put_chunk(w->out, c->type, w->meta->chunk[i], c->bytes, err) != 0)
            return -1;
    }
    return 0;
}

bool gf_png_keeps_text(const struct gf_text *text)
{
    const size_t size = strlen(text->key);
    unsigned char *key = size <= 2 * GF_PNG_MOST_KEY ? malloc(size + 1) : NULL;
    const bool kept = key != NULL && is_key(key, to_latin(text->key, key)) && strlen(text->value) < INT32_MAX / 2;

    free(key);
    return kept;
}

int gf_png_put_meta(struct gf_writer *w, struct gf_error *err)
{
    const struct gf_meta *m = w->meta;
    const bool icc = m != NULL && gf_meta_has_icc_for(m, gf_colours(&w->format));

    if (m == NULL)
        return 0;
    if (put_colour(w, icc, err) != 0 || (icc && put_icc(w, err) != 0))
        return -1;
    if (put_resolution(w, err) != 0)
        return -1;
    if (m->exif_bytes > 0 && m->exif_bytes < GF_PNG_MOST_BESIDE
        && gf_png_put_chunk(w->out, "eXIf", m->exif, m->exif_bytes, err) != 0)
        return -1;
    if (m->xmp_bytes > 0 && m->xmp_bytes < GF_PNG_MOST_BESIDE && put_xmp(w, err) != 0)
        return -1;
    if (m->iptc_bytes > 0 && m->iptc_bytes <= GF_PNG_MOST_BESIDE / 4 && put_iptc(w, err) != 0)
        return -1;
    for (int i = 0; i < m->texts; i++)
        if (put_text(w, &m->text[i], err) != 0)
            return -1;
    return 0;
}
