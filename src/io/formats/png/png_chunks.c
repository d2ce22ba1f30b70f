/* Reads the chunks of a PNG: header, metadata before and after the image, CRCs.
 * Built if HAVE_INFLATE. */
#define _GNU_SOURCE
#include "io/formats/png/png_control.h"
#include "io/metadata/meta_text.h"

#include <stdlib.h>
#include <string.h>

/* ---- chunks ---- */

/* Reads exactly `size` bytes. */
static int read_exactly(struct gf_reader *r, void *to, size_t size, struct gf_error *err)
{
    const int64_t got = gf_source_read(r->source, to, size, err);

    return got < 0 ? -1 : (size_t)got < size ? gf_png_fail_cut(r, err) : 0;
}

int gf_png_pass_over(struct gf_reader *r, int64_t size, struct gf_error *err)
{
    const int64_t got = gf_source_skip(r->source, size, err);

    return got < 0 ? -1 : got < size ? gf_png_fail_cut(r, err) : 0;
}

static int check_type(const struct gf_reader *r, const char *type, uint32_t size, struct gf_error *err)
{
    for (int i = 0; i < 4; i++)
        if ((type[i] | 32) < 'a' || (type[i] | 32) > 'z')
            return gf_png_fail_damaged(r, "the name of a chunk is not four letters", err);
    return size > INT32_MAX ? gf_png_fail_damaged(r, "a chunk is too long", err) : 0;
}

/* Reads the size and name of the next chunk. */
static int read_chunk_header(struct gf_reader *r, uint32_t *size, char *type, struct gf_error *err)
{
    unsigned char header[8];

    if (read_exactly(r, header, sizeof header, err) != 0)
        return -1;
    *size = gf_get32(header, true);
    memcpy(type, header + 4, 4);
    type[4] = '\0';
    return check_type(r, type, *size, err);
}

static int check_crc(const struct gf_reader *r, const char *type, uint32_t crc, const unsigned char *stated,
                     struct gf_error *err)
{
    if (crc == gf_get32(stated, true))
        return 0;
    return gf_fail(err, GF_FAILED, "%s: can't be decoded: the checksum of chunk %s is wrong", r->name, type);
}

static int parse_ihdr(struct gf_reader *r, const unsigned char *b, size_t size, struct gf_error *err)
{
    /* bit depths that each color type may have */
    static const unsigned char depths[] = { 1 | 2 | 4 | 8 | 16, 0, 8 | 16, 1 | 2 | 4 | 8, 8 | 16, 0, 8 | 16 };
    struct gf_png *head = &((struct gf_png_reader *)r->state)->head;

    if (size != 13)
        return gf_png_fail_damaged(r, "its header has the wrong size", err);
    *head = (struct gf_png) { .width = gf_get32(b, true), .height = gf_get32(b + 4, true), .depth = b[8],
                              .colour = b[9], .interlaced = b[12] == 1 };
    for (int i = 0; i < 256; i++)
        head->palette[i][3] = 255;
    if (head->width == 0 || head->height == 0 || head->width > INT32_MAX || head->height > INT32_MAX)
        return gf_fail(err, GF_FAILED, "%s: has a size of %lux%lu; must be 1x1 to 2147483647x2147483647", r->name,
                       (unsigned long)head->width, (unsigned long)head->height);
    if (head->colour > 6 || (depths[head->colour] & head->depth) == 0 || (head->depth & (head->depth - 1)) != 0
        || b[10] != 0 || b[11] != 0 || b[12] > 1)
        return gf_png_fail_damaged(r, "its header has invalid values", err);
    return 0;
}

/* Other images than palette images may suggest a palette, which is ignored. */
static int parse_palette(struct gf_reader *r, const unsigned char *b, size_t size, struct gf_error *err)
{
    struct gf_png *head = &((struct gf_png_reader *)r->state)->head;

    if (head->colour != 3)
        return 0;
    if (head->palette_seen)
        return gf_png_fail_damaged(r, "it has two palettes", err);
    if (size == 0 || size % 3 != 0 || size > sizeof head->palette / 4 * 3)
        return gf_png_fail_damaged(r, "its palette has the wrong size", err);
    head->palette_seen = true;
    for (size_t i = 0; i < size / 3; i++)
        memcpy(head->palette[i], b + 3 * i, 3);
    return 0;
}

static void parse_trns(struct gf_png *head, const unsigned char *b, size_t size)
{
    const size_t colours = head->colour == 0 ? 1 : 3;

    if (head->colour == 3) {
        head->keyed = size > 0;
        for (size_t i = 0; i < 256 && i < size; i++)
            head->palette[i][3] = b[i];
    } else if (head->colour < 4 && size >= 2 * colours) {
        head->keyed = true;
        for (size_t c = 0; c < colours; c++)
            head->key[c] = (uint16_t)(b[2 * c] << 8 | b[2 * c + 1]);
    }
}

/* Processes one chunk that is not image data. Its checksum was correct. */
static int process_chunk(struct gf_reader *r, const char *type, const unsigned char *data, size_t size,
                         struct gf_error *err)
{
    struct gf_png *head = &((struct gf_png_reader *)r->state)->head;

    if (strcmp(type, "IHDR") == 0)
        return head->width > 0 ? gf_png_fail_damaged(r, "it has two headers", err) : parse_ihdr(r, data, size, err);
    if (head->width == 0)
        return gf_png_fail_damaged(r, "its header is missing", err);
    if (strcmp(type, "PLTE") == 0)
        return parse_palette(r, data, size, err);
    if (strcmp(type, "tRNS") == 0)
        parse_trns(head, data, size);
    else if (strcmp(type, "sRGB") == 0)
        head->srgb = true;
    else if (strcmp(type, "IEND") == 0)
        return gf_png_fail_damaged(r, "it has no image data", err);
    else if (strcmp(type, "acTL") == 0 || strcmp(type, "fcTL") == 0)
        return gf_png_take_animation(r, type, data, size, err);
    else if ((type[0] & 32) == 0)
        return gf_fail(err, GF_FAILED, "%s: can't be decoded: chunk %s is required but unknown", r->name, type);
    return gf_png_take_meta(&r->meta, type, data, size, err);
}

static int read_chunk(struct gf_reader *r, const char *type, uint32_t size, struct gf_error *err)
{
    unsigned char *data;
    int result = -1;

    if (size > GF_PNG_MOST_BESIDE && (strcmp(type + 1, "TXt") == 0 || strcmp(type, "tEXt") == 0
                                      || strcmp(type, "eXIf") == 0))
        r->meta.parts |= GF_PART_LONG_TEXT;
    if (size > GF_PNG_MOST_BESIDE)
        return (type[0] & 32) == 0 ? gf_png_fail_damaged(r, "a chunk is too long", err)
             : gf_png_pass_over(r, (int64_t)size + 4, err);
    if (gf_meta_check_room(&r->meta, size, err) != 0)
        return -1;
    data = malloc((size_t)size + 4);
    if (data == NULL)
        return gf_fail_memory(err, r->name);
    if (read_exactly(r, data, (size_t)size + 4, err) == 0
        && check_crc(r, type, gf_crc32(gf_crc32(0, type, 4), data, size), data + size, err) == 0)
        result = process_chunk(r, type, data, size, err);
    free(data);
    return result;
}

int gf_png_take_front(struct gf_reader *r, struct gf_error *err)
{
    struct gf_png_reader *p = r->state;
    char type[5];
    uint32_t size;

    for (;;) {
        if (read_chunk_header(r, &size, type, err) != 0)
            return -1;
        if (strcmp(type, "IDAT") == 0)
            break;
        if (read_chunk(r, type, size, err) != 0)
            return -1;
    }
    if (p->head.width == 0)
        return gf_png_fail_damaged(r, "its header is missing", err);
    if (p->head.colour == 3 && !p->head.palette_seen)
        return gf_png_fail_damaged(r, "its palette is missing", err);
    memcpy(p->type, type, sizeof p->type);
    p->left = size;
    p->crc = gf_crc32(0, type, 4);
    gf_png_settle_colour(&r->meta, p->head.srgb);
    return 0;
}

/* ---- after the image data ---- */

/* Reads a chunk at `at` and keeps its metadata. */
static int read_chunk_at(struct gf_reader *r, int64_t at, const char *type, uint32_t size, struct gf_error *err)
{
    unsigned char *data;
    int64_t got;
    int result = 0;

    if (gf_meta_check_room(&r->meta, size, err) != 0)
        return -1;
    data = malloc((size_t)size + 4);
    if (data == NULL)
        return gf_fail_memory(err, r->name);
    got = gf_source_read_at(r->source, at, data, (size_t)size + 4, err);
    if (got < (int64_t)size + 4)
        result = got < 0 ? -1 : gf_png_fail_cut(r, err);
    else if (check_crc(r, type, gf_crc32(gf_crc32(0, type, 4), data, size), data + size, err) != 0)
        result = -1;
    else if (strcmp(type, "fcTL") == 0)
        gf_png_scan_control(r, data, size);
    else
        result = gf_png_take_meta(&r->meta, type, data, size, err);
    free(data);
    return result;
}

int gf_png_check_trailing(struct gf_reader *r, struct gf_error *err)
{
    const struct gf_png_reader *p = r->state;
    int64_t at = r->source->position + (int64_t)p->left + 4;

    for (;;) {
        unsigned char header[8];
        char type[5] = "";
        uint32_t size;
        int64_t got;

        got = gf_source_read_at(r->source, at, header, 8, err);
        if (got < 8)
            return got < 0 ? -1 : gf_png_fail_cut(r, err);
        size = gf_get32(header, true);
        memcpy(type, header + 4, 4);
        if (strcmp(type, "IEND") == 0)
            return 0;
        if (check_type(r, type, size, err) != 0)
            return -1;
        if ((type[0] & 32) != 0 && size <= GF_PNG_MOST_BESIDE && strcmp(type, "fdAT") != 0
            && read_chunk_at(r, at + 8, type, size, err) != 0)
            return -1;
        at += (int64_t)size + 12;
    }
}

/* Reads the rest of the current chunk and updates its CRC. */
static int update_crc(struct gf_reader *r, struct gf_error *err)
{
    struct gf_png_reader *p = r->state;

    while (p->left > 0) {
        const unsigned char *bytes;
        const int64_t got = gf_source_peek(r->source, 1, &bytes, err);
        const uint32_t n = got < (int64_t)p->left ? (uint32_t)(got > 0 ? got : 0) : p->left;

        if (got <= 0)
            return got < 0 ? -1 : gf_png_fail_cut(r, err);
        p->crc = gf_crc32(p->crc, bytes, n);
        p->left -= n;
        if (gf_png_pass_over(r, n, err) != 0)
            return -1;
    }
    return 0;
}

/*
 * Notes metadata that follows the image data in a pipe. It cannot be kept, because the output has
 * begun.
 */
static int note_late_metadata(struct gf_reader *r, const char *type, struct gf_error *err)
{
    const struct gf_png_reader *p = r->state;
    const bool text = strcmp(type + 1, "TXt") == 0 || strcmp(type, "tEXt") == 0;
    char key[GF_PNG_MOST_KEY + 1] = "";
    const unsigned char *bytes;
    int64_t got = 0;

    if (r->source->random || (!text && strcmp(type, "eXIf") != 0))
        return 0;
    if (text)
        got = gf_source_peek(r->source, p->left < GF_PNG_MOST_KEY ? p->left : GF_PNG_MOST_KEY, &bytes, err);
    if (got < 0)
        return -1;
    if (got > 0)
        memcpy(key, bytes, got < GF_PNG_MOST_KEY ? (size_t)got : GF_PNG_MOST_KEY);
    if (!text || !gf_meta_text_is_trivial(key, "") || strncmp(key, "Raw profile", 11) == 0)
        r->meta.parts |= GF_PART_LATE;
    return 0;
}

int gf_png_take_some(struct gf_reader *r, void *to, uint32_t size, struct gf_error *err)
{
    struct gf_png_reader *p = r->state;

    if (p->left < size)
        return gf_png_fail_damaged(r, "a chunk is too short", err);
    if (read_exactly(r, to, size, err) != 0)
        return -1;
    p->crc = gf_crc32(p->crc, to, size);
    p->left -= size;
    return 0;
}

int gf_png_end_chunk(struct gf_reader *r, bool check, struct gf_error *err)
{
    const struct gf_png_reader *p = r->state;
    unsigned char sum[4];

    if ((check ? update_crc(r, err) : gf_png_pass_over(r, p->left, err)) != 0 || read_exactly(r, sum, 4, err) != 0)
        return -1;
    return check ? check_crc(r, p->type, p->crc, sum, err) : 0;
}

int gf_png_begin_chunk(struct gf_reader *r, struct gf_error *err)
{
    struct gf_png_reader *p = r->state;
    unsigned char number[4];

    if (read_chunk_header(r, &p->left, p->type, err) != 0)
        return -1;
    p->crc = gf_crc32(0, p->type, 4);
    if (strcmp(p->type, "fdAT") != 0)
        return 0;
    if (p->animation == NULL) {
        gf_warn(r->notices, "animation", r->name,
                "its animation is ignored because it has no acTL chunk; the default image is read");
        return 0;
    }
    return gf_png_take_some(r, number, 4, err) == 0 ? gf_png_check_sequence(r, number, err) : -1;
}

int gf_png_take_rest(struct gf_reader *r, bool check, struct gf_error *err)
{
    struct gf_png_reader *p = r->state;

    while (gf_png_end_chunk(r, check, err) == 0) {
        p->ended = strcmp(p->type, "IEND") == 0;
        if (p->ended)
            return 0;
        if (gf_png_begin_chunk(r, err) != 0)
            return -1;
        if (note_late_metadata(r, p->type, err) != 0)
            return -1;
    }
    return -1;
}

int gf_png_next_data(struct gf_reader *r, struct gf_error *err)
{
    const struct gf_png_reader *p = r->state;
    char type[5];

    memcpy(type, p->type, sizeof type);
    if (gf_png_end_chunk(r, true, err) != 0 || gf_png_begin_chunk(r, err) != 0)
        return -1;
    return strcmp(type, p->type) == 0 ? 0 : gf_png_fail_cut(r, err);
}
