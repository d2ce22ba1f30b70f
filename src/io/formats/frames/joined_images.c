/* Splits a stream of concatenated images, for decoders that work in memory. */
#include "io/formats/frames/joined_images.h"

#include "io/bytes.h"
#include "io/format.h"

#include <string.h>

/* Returns the length of a PNG: its chunks up to IEND. */
static size_t png_length(const unsigned char *b, size_t size)
{
    size_t at = 8;

    while (size - at >= 12) {
        const size_t length = gf_get32(b + at, true);

        if (length > size - at - 12)
            break;
        at += length + 12;
        if (memcmp(b + at - length - 8, "IEND", 4) == 0)
            return at;
    }
    return size;
}

/*
 * Returns the length of a JPEG. Segments are skipped by their lengths, coded data up to the next
 * marker.
 */
static size_t jpeg_length(const unsigned char *b, size_t size)
{
    size_t at = 2;
    bool coded = false;

    while (at + 1 < size) {
        const unsigned char mark = b[at + 1];

        if (b[at] != 0xFF || mark == 0xFF || (coded && (mark == 0 || (mark >= 0xD0 && mark <= 0xD7)))) {
            at++;
            continue;
        }
        coded = false;
        if (mark == 0xD9)
            return at + 2;
        if (mark == 1 || (mark >= 0xD0 && mark <= 0xD8)) {
            at += 2;
            continue;
        }
        if (size - at < 4)
            break;
        coded = mark == 0xDA;
        at += 2 + ((size_t)b[at + 2] << 8 | b[at + 3]);
    }
    return size;
}

static bool is_png(const unsigned char *b, size_t size)
{
    return size > 8 && memcmp(b, "\x89PNG\r\n\x1a\n", 8) == 0;
}

static bool is_jpeg(const unsigned char *b, size_t size)
{
    return size > 3 && memcmp(b, "\xff\xd8\xff", 3) == 0;
}

bool gf_joined_images_animated_png(const unsigned char *b, size_t size)
{
    size_t length;

    for (size_t at = 8; is_png(b, size) && size - at >= 12; at += length + 12) {
        length = gf_get32(b + at, true);
        if (memcmp(b + at + 4, "acTL", 4) == 0)
            return true;
        if (memcmp(b + at + 4, "IDAT", 4) == 0 || length > size - at - 12)
            break;
    }
    return false;
}

bool gf_joined_images_begin(const unsigned char *b, size_t size)
{
    return is_png(b, size) || is_jpeg(b, size);
}

size_t gf_joined_images_length(const unsigned char *b, size_t size)
{
    size_t length = is_png(b, size) ? png_length(b, size) : is_jpeg(b, size) ? jpeg_length(b, size) : size;

    /*
     * Data after an image that is not another image belongs to it: cameras append data of many
     * kinds.
     */
    return length < size && gf_joined_images_begin(b + length, size - length) ? length : size;
}

int gf_joined_images_next(struct gf_joined_images *p, struct gf_reader *r, const struct gf_joined_kinds *kinds,
                          const unsigned char **bytes, size_t *size, struct gf_error *err)
{
    if (!p->opened && gf_source_slurp(r->source, r->options->max_bytes, &p->bytes, &p->size, err) != 0)
        return -1;
    if (p->opened && p->at >= p->size)
        return 0;
    if (p->opened && !kinds->begins(p->bytes + p->at, p->size - p->at)) {
        gf_reader_keep_rest(r, p->bytes + p->at, (int64_t)(p->size - p->at));
        return 0;
    }
    p->opened = true;
    *bytes = p->bytes + p->at;
    *size = kinds->length(*bytes, p->size - p->at);
    p->at += *size;
    return 1;
}
