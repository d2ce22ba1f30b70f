/* Finds and drops loudness that chunks of a WAV state: broadcast data, iXML, ADM, ReplayGain in ID3. */
#define _GNU_SOURCE
#include "io/metadata/riff_levels.h"

#include "io/bytes.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { HEADER = 8 };

/*
 * Sets loudness of version 2 to 0x7FFF, "not measured". Programs that do not measure it may write zeros.
 * The UMID is from version 1 on.
 */
static bool drop_bext(unsigned char *b, size_t size)
{
    enum { VERSION = 346, UMID = 348, UMID_BYTES = 64, LOUDNESS = 412, VALUES = 5 };
    bool stated = false;

    if (size >= UMID + UMID_BYTES && b[VERSION] >= 1)
        memset(b + UMID, 0, UMID_BYTES);
    if (size < LOUDNESS + 2 * VALUES || b[VERSION] < 2)
        return false;
    for (int i = 0; i < VALUES; i++) {
        unsigned char *value = b + LOUDNESS + 2 * i;

        stated = stated || (gf_get16(value, false) != 0x7FFF && gf_get16(value, false) != 0);
        value[0] = 0xFF;
        value[1] = 0x7F;
    }
    return stated;
}

/* Replaces each element of a name, with its content, by blanks. Returns true if there was one. */
static bool blank_elements(unsigned char *b, size_t size, const char *name)
{
    unsigned char *at = b, *const end = b + size;
    char open[40], close[40];
    bool found = false;

    snprintf(open, sizeof open, "<%s", name);
    snprintf(close, sizeof close, "</%s>", name);
    while ((at = memmem(at, (size_t)(end - at), open, strlen(open))) != NULL) {
        unsigned char *const from = at, *to = memchr(at, '>', (size_t)(end - at));

        at += strlen(open);
        if (to == NULL)
            break;
        if (strchr("> \t\r\n/", *at) == NULL)
            continue;
        if (to[-1] != '/') {
            to = memmem(to, (size_t)(end - to), close, strlen(close));
            if (to == NULL)
                break;
            to += strlen(close) - 1;
            found = true;
        }
        memset(from, ' ', (size_t)(to + 1 - from));
        at = to + 1;
    }
    return found;
}

static bool drop_xml(unsigned char *b, size_t size)
{
    static const char *const names[] = { "LOUDNESS", "BWF_LOUDNESS_VALUE", "BWF_LOUDNESS_RANGE",
                                         "BWF_MAX_TRUE_PEAK_LEVEL", "BWF_MAX_MOMENTARY_LOUDNESS",
                                         "BWF_MAX_SHORT_TERM_LOUDNESS", "loudnessMetadata" };
    bool found = false;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        found |= blank_elements(b, size, names[i]);
    blank_elements(b, size, "BWF_UMID");
    return found;
}

bool gf_riff_levels_drop(unsigned char *chunk, size_t size)
{
    if (memcmp(chunk, "bext", 4) == 0)
        return drop_bext(chunk + HEADER, size - HEADER);
    return drop_xml(chunk + HEADER, size - HEADER);
}

/* ---- ID3 ---- */

/* Returns true if a text begins with the name of a level. Zero bytes and marks of UTF-16 are skipped. */
static bool names_level(const unsigned char *b, size_t size)
{
    static const char *const words[] = { "replaygain_", "r128_", "mp3gain_", "itunnorm" };
    char text[12] = "";
    size_t n = 0;

    for (size_t i = 0; i < size && n + 1 < sizeof text; i++)
        if (b[i] != 0 && b[i] < 0xFE)
            text[n++] = (char)b[i];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncasecmp(text, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

/* Returns true for a frame that states a level. `id` has three or four letters, and `b` is the content. */
static bool states_level(const char *id, const unsigned char *b, size_t size)
{
    enum { LANGUAGE = 3 };

    if (strstr(" RVA2 RVAD XRVA RGAD RVA ", id) != NULL)
        return true;
    if ((strncmp(id, "TXXX", 4) == 0 || strcmp(id, "TXX") == 0) && size > 1)
        return names_level(b + 1, size - 1);
    return strncmp(id, "COM", 3) == 0 && size > 1 + LANGUAGE && names_level(b + 1 + LANGUAGE, size - 1 - LANGUAGE);
}

/* Returns true if a level is named anywhere. */
static bool has_level(const unsigned char *b, size_t size)
{
    for (size_t i = 0; i + 4 <= size; i++)
        if (memcmp(b + i, "RVA2", 4) == 0 || memcmp(b + i, "RVAD", 4) == 0 || names_level(b + i, size - i))
            return true;
    return false;
}

static size_t synchsafe(const unsigned char *b)
{
    return (size_t)((b[0] & 0x7F) << 21 | (b[1] & 0x7F) << 14 | (b[2] & 0x7F) << 7 | (b[3] & 0x7F));
}

int gf_riff_levels_drop_id3(unsigned char *chunk, size_t size)
{
    enum { TAG_HEADER = 10, EXPERIMENTAL = 0x20 };
    unsigned char *const b = chunk + HEADER;
    size_t head, end, at = TAG_HEADER, kept = TAG_HEADER;
    bool found = false;

    if (size < HEADER + TAG_HEADER || memcmp(b, "ID3", 3) != 0 || b[3] < 2 || b[3] > 4)
        return 0;
    if ((b[5] & ~EXPERIMENTAL) != 0)     /* its bytes or its end are stored in another way */
        return has_level(b, size - HEADER) ? -1 : 0;
    head = b[3] == 2 ? 6 : 10;
    end = synchsafe(b + 6) < size - HEADER - TAG_HEADER ? TAG_HEADER + synchsafe(b + 6) : size - HEADER;
    while (at + head <= end && b[at] != 0) {
        const size_t says = b[3] == 2 ? (size_t)(b[at + 3] << 16 | b[at + 4] << 8 | b[at + 5])
                          : b[3] == 3 ? gf_get32(b + at + 4, true) : synchsafe(b + at + 4);
        const size_t left = end - at - head, length = says < left ? says : left, all = head + length;
        char id[5] = { 0 };

        memcpy(id, b + at, b[3] == 2 ? 3 : 4);
        if (states_level(id, b + at + head, length)) {
            found = true;
        } else {
            memmove(b + kept, b + at, all);
            kept += all;
        }
        at += all;
    }
    if (found) {
        memmove(b + kept, b + at, end - at);
        memset(b + end - (at - kept), 0, at - kept);
    }
    return found;
}
