/* Checks that an Ogg begins without damage, and ends with a complete page that is marked as last. */
#include "io/bytes.h"
#include "io/formats/audio/ogg_pages.h"
#include "io/formats/audio/stated_length.h"

#include <stdlib.h>
#include <string.h>

#define TAIL_BYTES ((size_t)2 * 65536)   /* a page has at most 65307 bytes */

#define PAGE_BYTES 65307

enum { AT_FLAGS = 5, FLAG_LAST = 4, AT_SERIAL = 14, AT_NUMBER = 18 };

/* Returns true if a complete page of the `size` bytes has audio. */
static bool has_audio(const unsigned char *b, size_t size)
{
    for (size_t at = 0, bytes; (bytes = gf_ogg_page_bytes(b + at, size - at)) > 0; at += bytes)
        if (gf_ogg_page_has_audio(b + at))
            return true;
    return false;
}

/*
 * Sets p->no_end and p->bad_start if a page up to the first with audio is damaged or missing. Decoders find the start
 * of the audio there, so they do not miss it; they miss later pages. `b` has room for a page.
 */
static int check_first_pages(struct gf_stated_length *p, const struct gf_seekable *in, unsigned char *b,
                             struct gf_error *err)
{
    uint32_t serial = 0, number = 0;
    int64_t got;

    for (int64_t at = 0; (got = gf_seekable_read(in, at, b, PAGE_BYTES, err)) > 0;) {
        const size_t bytes = memcmp(b, "OggS", 4) == 0 ? gf_ogg_page_bytes(b, (size_t)got) : 0;
        bool right = bytes > 0 && gf_ogg_page_is_right(b, bytes);

        if (at == 0 && right) {
            serial = gf_get32(b + AT_SERIAL, false);
            number = gf_get32(b + AT_NUMBER, false);
        }
        if (right && gf_get32(b + AT_SERIAL, false) == serial)
            right = gf_get32(b + AT_NUMBER, false) == number++;
        p->bad_start = !right && !p->no_end;
        if (!right || gf_ogg_page_has_audio(b))
            break;
        at += (int64_t)bytes;
    }
    p->no_end = p->no_end || p->bad_start;
    return got < 0 ? -1 : 0;
}

int gf_stated_length_ogg(struct gf_stated_length *p, const struct gf_seekable *in, struct gf_error *err)
{
    unsigned char *tail = malloc(TAIL_BYTES);
    const int64_t from = in->size > (int64_t)TAIL_BYTES ? in->size - (int64_t)TAIL_BYTES : 0;
    int64_t got = tail != NULL ? gf_seekable_read(in, from, tail, TAIL_BYTES, err)
                                  : gf_fail_memory(err, NULL);

    p->no_end = true;
    for (int64_t at = got - 1; at >= 0; at--) {
        size_t bytes;

        if (tail[at] != 'O' || got - at < 4 || memcmp(tail + at, "OggS", 4) != 0)
            continue;
        bytes = gf_ogg_page_bytes(tail + at, (size_t)(got - at));
        if (bytes > 0 && gf_ogg_page_is_right(tail + at, bytes)) {
            const size_t end = (size_t)at + bytes, left = (size_t)got - end;

            p->usable = from + (int64_t)end;
            p->no_end = (tail[at + AT_FLAGS] & FLAG_LAST) == 0 || (left >= 4 && memcmp(tail + end, "OggS", 4) == 0);
            break;
        }
    }
    p->no_audio = p->no_end && got >= 0 && from == 0 && !has_audio(tail, (size_t)p->usable);
    if (got >= 0 && check_first_pages(p, in, tail, err) != 0)
        got = -1;
    free(tail);
    return got < 0 ? -1 : 0;
}
