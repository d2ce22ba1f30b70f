/* Checks that an Ogg ends with a complete page that is marked as last. */
#include "io/formats/ogg_pages.h"
#include "io/formats/stated_length.h"

#include <stdlib.h>
#include <string.h>

#define TAIL_BYTES ((size_t)2 * 65536)   /* a page has at most 65307 bytes */

enum { AT_FLAGS = 5, FLAG_LAST = 4 };

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
    free(tail);
    return got < 0 ? -1 : 0;
}
