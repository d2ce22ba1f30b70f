/* Finds out whether a file has only one image, without decoding it. Built if HAVE_INFLATE. */
#include "io/bytes.h"
#include "io/formats/png/png.h"

#include <string.h>

#define MOST_CHUNKS 100000               /* a file of more is not worth it */

bool gf_png_is_single(const struct gf_source *s)
{
    struct gf_error ignored;
    unsigned char b[8];
    int64_t at = 8;

    for (int i = 0; i < MOST_CHUNKS && gf_source_read_at(s, at, b, sizeof b, &ignored) == (int64_t)sizeof b; i++) {
        at += 12 + (int64_t)gf_get32(b, true);
        if (memcmp(b + 4, "acTL", 4) == 0)
            return false;
        if (memcmp(b + 4, "IEND", 4) == 0)
            return at == s->size;
    }
    return false;
}
