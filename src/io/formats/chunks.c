/*
 * Iterates over the chunks of RIFF, IFF (AIFF, 8SVX), W64 and CAF. Each size is checked, because it
 * comes from the file.
 */
#include "io/formats/chunks.h"

#include "base/signal.h"
#include "io/bytes.h"

#include <ctype.h>
#include <string.h>

#define W64_HEADER 24                    /* a GUID and a size; the size includes both */

static bool is_riff(const unsigned char *b)
{
    return (memcmp(b, "RIFF", 4) == 0 || memcmp(b, "RIFX", 4) == 0 || memcmp(b, "RF64", 4) == 0
            || memcmp(b, "BW64", 4) == 0)
        && memcmp(b + 8, "WAVE", 4) == 0;
}

int gf_chunks_open(struct gf_chunks *c, const struct gf_seekable *in, struct gf_error *err)
{
    unsigned char b[40] = { 0 };
    const int64_t got = gf_seekable_read(in, 0, b, sizeof b, err);

    *c = (struct gf_chunks) { .in = in, .next = 12 };
    if (got < 12)
        return got < 0 ? -1 : 0;
    if (is_riff(b)) {
        c->container = GF_CONTAINER_RIFF;
        c->big = b[3] == 'X';
    } else if (memcmp(b, "FORM", 4) == 0 && (memcmp(b + 8, "AIF", 3) == 0 || memcmp(b + 8, "8SVX", 4) == 0
                                             || memcmp(b + 8, "16SV", 4) == 0)) {
        c->container = GF_CONTAINER_IFF;
        c->big = true;
    } else if (memcmp(b, "riff\x2E\x91\xCF\x11", 8) == 0) {
        c->container = GF_CONTAINER_W64;
        c->next = W64_HEADER + 16;
    } else if (memcmp(b, "caff", 4) == 0) {
        c->container = GF_CONTAINER_CAF;
        c->big = true;
        c->next = 8;
    }
    return c->container != GF_CONTAINER_NONE;
}

/* Returns true for sizes that programs write to a pipe when they do not know the length. */
static bool is_open_ended(uint64_t size)
{
    return (size >= 0x7F000000 && size <= 0x7FFFFFFF) || size >= 0xFFFFF000;
}

/* Reads the 8-byte chunk header of RIFF and IFF. */
static void read_short_header(struct gf_chunks *c, const unsigned char *b)
{
    const uint64_t size = gf_get32(b + 4, c->big);

    c->at = c->next + 8;
    c->bytes = (int64_t)size;
    if (gf_chunks_is_audio(c) && size == UINT32_MAX && c->long_bytes > 0)
        c->bytes = c->long_bytes;
    else if (gf_chunks_is_audio(c) && is_open_ended(size) && c->bytes > gf_chunks_there(c))
        c->bytes = GF_UNKNOWN;
    else if (gf_chunks_is_audio(c) && size == 0)
        c->bytes = GF_UNKNOWN;
    if (c->bytes >= 0)
        c->next = c->at + c->bytes + (c->bytes & 1);
}

/*
 * Reads a chunk header with a 64-bit size. In W64 the size includes the header, and chunks begin at
 * multiples of 8 bytes.
 */
static void read_long_header(struct gf_chunks *c, const unsigned char *b)
{
    const bool w64 = c->container == GF_CONTAINER_W64;
    const int header = w64 ? W64_HEADER : 12;
    const uint64_t size = gf_get_number(b + header - 8, 8, c->big), least = w64 ? W64_HEADER : 0;

    for (int i = 0; w64 && i < 4; i++)
        c->id[i] = (char)tolower((unsigned char)c->id[i]);
    c->at = c->next + header;
    c->bytes = size < least || size > INT64_MAX / 4 ? GF_UNKNOWN : (int64_t)(size - least);
    if (c->bytes >= 0)
        c->next = c->at + c->bytes;
    if (w64)
        c->next = (c->next + 7) / 8 * 8;
}

/* Returns true if a second file begins here, as in the output of cat. */
static bool is_another_file(const unsigned char *b)
{
    static const char *const heads[] = { "RIFF", "RIFX", "RF64", "BW64", "FORM", "riff\x2E\x91", "caff", "fLaC",
                                        "OggS", ".snd" };

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (memcmp(b, heads[i], strlen(heads[i])) == 0)
            return true;
    return false;
}

int gf_chunks_next(struct gf_chunks *c, struct gf_error *err)
{
    const bool is_short = c->container == GF_CONTAINER_RIFF || c->container == GF_CONTAINER_IFF;
    const int header = is_short ? 8 : c->container == GF_CONTAINER_CAF ? 12 : W64_HEADER;
    unsigned char b[W64_HEADER], more[16];
    int64_t got;

    if (c->count > 0 && c->bytes == GF_UNKNOWN)
        return 0;
    c->limited = c->count >= GF_MOST_CHUNKS && c->in->size - c->next >= header;
    if (c->count++ >= GF_MOST_CHUNKS)
        return 0;
    got = gf_seekable_read(c->in, c->next, b, (size_t)header, err);
    if (got < header)
        return got < 0 ? -1 : 0;
    if (is_another_file(b))
        return 0;
    memcpy(c->id, b, 4);
    if (!is_short) {
        read_long_header(c, b);
        return 1;
    }
    read_short_header(c, b);
    if (strcmp(c->id, "ds64") == 0 && (got = gf_seekable_read(c->in, c->at, more, sizeof more, err)) == sizeof more) {
        const uint64_t size = gf_get_number(more + 8, 8, c->big);

        c->long_bytes = size <= INT64_MAX / 4 ? (int64_t)size : 0;
    }
    return got < 0 ? -1 : 1;
}

bool gf_chunks_is_audio(const struct gf_chunks *c)
{
    return strcmp(c->id, c->container == GF_CONTAINER_IFF ? "SSND" : "data") == 0
        || (c->container == GF_CONTAINER_IFF && strcmp(c->id, "BODY") == 0);
}

int64_t gf_chunks_there(const struct gf_chunks *c)
{
    const int64_t left = c->in->size > c->at ? c->in->size - c->at : 0;

    return c->bytes >= 0 && c->bytes < left ? c->bytes : left;
}
