/* Finds out whether a file has only one JPEG, without decoding it. Built if HAVE_JPEG. */
#define _GNU_SOURCE
#include "io/formats/jpeg/jpeg.h"

#include <string.h>

#define MOST_PARTS  1000                 /* segments before the first scan; a file of more is not worth it */
#define BLOCK_BYTES 65536
#define OVERLAP     3                    /* bytes of a signature that may be in the previous block */

/* Returns the offset after the segments before the first scan, which may have thumbnails; -1: there is none. */
static int64_t find_scan(const struct gf_source *s)
{
    struct gf_error ignored;
    unsigned char b[4];
    int64_t at = 2;

    for (int i = 0; i < MOST_PARTS; i++) {
        if (gf_source_read_at(s, at, b, sizeof b, &ignored) != (int64_t)sizeof b || b[0] != 0xff || b[1] == 0xff)
            return -1;
        at += 2 + (b[2] << 8 | b[3]);
        if (b[1] == 0xda)
            return at;
    }
    return -1;
}

/* Samples never contain the bytes that begin a JPEG. */
bool gf_jpeg_is_single(const struct gf_source *s)
{
    unsigned char b[BLOCK_BYTES];
    struct gf_error ignored;
    int64_t at = find_scan(s), got = BLOCK_BYTES;

    for (; at >= 0 && got == BLOCK_BYTES; at += BLOCK_BYTES - OVERLAP) {
        got = gf_source_read_at(s, at, b, BLOCK_BYTES, &ignored);
        if (got < 0 || memmem(b, (size_t)got, GF_JPEG_SIGNATURE, 3) != NULL
            || memmem(b, (size_t)got, "\x89PNG", 4) != NULL)
            return false;
    }
    return at >= 0;
}
