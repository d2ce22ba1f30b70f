/*
 * Writes Ogg pages with a serial number that depends only on the content of the stream.
 * Encoders draw the number at random, so two runs would write different files. Concatenated streams
 * need different numbers, so it cannot be a constant: it is a hash of the first page with audio.
 * RFC 3533 defines the pages.
 */
#include "io/formats/audio/ogg_pages.h"

#include <stdlib.h>
#include <string.h>

enum { AT_GRANULE = 6, AT_SERIAL = 14, AT_SUM = 22, AT_SEGMENTS = 26, HEADER_BYTES = 27 };

/* CRC-32 with polynomial 0x04C11DB7, highest bit first, initial value 0. */
static uint32_t crc_of(const unsigned char *b, size_t size)
{
    static const uint32_t nibbles[16] = {
        0x00000000, 0x04C11DB7, 0x09823B6E, 0x0D4326D9, 0x130476DC, 0x17C56B6B, 0x1A864DB2, 0x1E475005,
        0x2608EDB8, 0x22C9F00F, 0x2F8AD6D6, 0x2B4BCB61, 0x350C9B64, 0x31CD86D3, 0x3C8EA00A, 0x384FBDBD,
    };
    uint32_t sum = 0;

    for (size_t i = 0; i < size; i++) {
        sum ^= (uint32_t)b[i] << 24;
        sum = sum << 4 ^ nibbles[sum >> 28];
        sum = sum << 4 ^ nibbles[sum >> 28];
    }
    return sum;
}

/* Returns the FNV-1a hash. */
static uint32_t hash_of(const unsigned char *b, size_t size)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ b[i]) * 16777619u;
    return hash;
}

/*
 * Returns the bytes of the page at `b`, or 0 if it is incomplete. *body is the offset of its
 * content.
 */
static size_t page_bytes(const unsigned char *b, size_t size, size_t *body)
{
    size_t bytes = HEADER_BYTES;

    if (size < HEADER_BYTES || size < HEADER_BYTES + (size_t)b[AT_SEGMENTS])
        return 0;
    bytes += b[AT_SEGMENTS];
    *body = bytes;
    for (size_t i = 0; i < b[AT_SEGMENTS]; i++)
        bytes += b[HEADER_BYTES + i];
    return size < bytes ? 0 : bytes;
}

static void choose_serial(struct gf_ogg_pages *p)
{
    size_t at = 0, bytes, body;

    while (!p->settled && (bytes = page_bytes(p->held + at, p->size - at, &body)) > 0) {
        if (gf_ogg_page_has_audio(p->held + at)) {
            p->serial = hash_of(p->held + at + body, bytes - body);
            p->settled = true;
        }
        at += bytes;
    }
}

/* Writes all complete pages, with the new serial number and checksum. */
static int write_pages(struct gf_ogg_pages *p, struct gf_output *out, struct gf_error *err)
{
    size_t at = 0, bytes, body;

    while ((bytes = page_bytes(p->held + at, p->size - at, &body)) > 0) {
        unsigned char *page = p->held + at;
        uint32_t sum = 0;

        memcpy(page + AT_SERIAL, &p->serial, 4);
        memcpy(page + AT_SUM, &sum, 4);
        sum = crc_of(page, bytes);
        memcpy(page + AT_SUM, &sum, 4);
        at += bytes;
    }
    if (at > 0 && gf_output_write(out, p->held, at, err) != 0)
        return -1;
    memmove(p->held, p->held + at, p->size - at);
    p->size -= at;
    return 0;
}

size_t gf_ogg_page_bytes(const unsigned char *b, size_t size)
{
    size_t body;

    return page_bytes(b, size, &body);
}

bool gf_ogg_page_has_audio(const unsigned char *page)
{
    int64_t granule;                     /* the position in frames: 0 on header pages, else -1 */

    memcpy(&granule, page + AT_GRANULE, 8);
    return granule > 0;
}

bool gf_ogg_page_is_right(unsigned char *page, size_t size)
{
    uint32_t sum, zero = 0, found;

    memcpy(&sum, page + AT_SUM, 4);
    memcpy(page + AT_SUM, &zero, 4);
    found = crc_of(page, size);
    memcpy(page + AT_SUM, &sum, 4);
    return found == sum;
}

int gf_ogg_write(struct gf_ogg_pages *p, struct gf_output *out, const void *bytes, size_t size, struct gf_error *err)
{
    if (p->size + size > p->room) {
        const size_t room = 2 * (p->size + size) + 65536;
        unsigned char *grown = realloc(p->held, room);

        if (grown == NULL)
            return gf_fail_memory(err, NULL);
        p->held = grown;
        p->room = room;
    }
    memcpy(p->held + p->size, bytes, size);
    p->size += size;
    choose_serial(p);
    return p->settled ? write_pages(p, out, err) : 0;
}

int gf_ogg_finish(struct gf_ogg_pages *p, struct gf_output *out, struct gf_error *err)
{
    p->settled = true;
    if (p->held != NULL && write_pages(p, out, err) != 0)
        return -1;
    return p->size == 0 ? 0 : gf_output_write(out, p->held, p->size, err);
}

void gf_ogg_release(struct gf_ogg_pages *p)
{
    free(p->held);
    p->held = NULL;
}
