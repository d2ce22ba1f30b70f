/*
 * Reads and writes raw profiles: PNG texts with a name, a length and hexadecimal digits, as
 * ImageMagick writes them.
 */
#include "io/formats/png/png_raw_profile.h"

#include "io/formats/photoshop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DIGITS_IN_LINE 72                /* ImageMagick's line length */

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}

/*
 * Decodes the text of a raw profile: a name, a length, and two digits per byte. The caller frees
 * the result. Returns NULL if the text is malformed.
 */
static unsigned char *decode(const char *text, size_t size, size_t *made)
{
    const char *end = text + size, *at = skip_blanks(text, end);
    size_t count = 0, done = 0;
    unsigned char *bytes;

    while (at < end && *at != '\n')                      /* skips the name */
        at++;
    at = skip_blanks(at, end);
    for (; at < end && *at >= '0' && *at <= '9' && count <= size; at++)
        count = 10 * count + (size_t)(*at - '0');
    if (count == 0 || count > size / 2 || at == end || *at != '\n')
        return NULL;
    bytes = malloc(count);
    while (bytes != NULL && done < count) {
        at = skip_blanks(at, end);
        if (end - at < 2 || digit(at[0]) < 0 || digit(at[1]) < 0)
            break;
        bytes[done++] = (unsigned char)(digit(at[0]) << 4 | digit(at[1]));
        at += 2;
    }
    if (done < count) {
        free(bytes);
        return NULL;
    }
    *made = count;
    return bytes;
}

/* identifies XMP in an APP1 segment, with a zero byte after it */
#define XMP_NAME "http://ns.adobe.com/xap/1.0/"

/* Stores the profile of that name. Returns 1, 0 if the name is unknown, or -1. */
static int store_profile(struct gf_meta *m, const char *name, const unsigned char *b, size_t size, struct gf_error *err)
{
    const bool app1 = strcasecmp(name, "app1") == 0;

    if (app1 && size > sizeof XMP_NAME && memcmp(b, XMP_NAME, sizeof XMP_NAME) == 0)
        return m->xmp != NULL || gf_meta_set_xmp(m, b + sizeof XMP_NAME, size - sizeof XMP_NAME, err) == 0 ? 1 : -1;
    if (app1 || strcasecmp(name, "exif") == 0)
        return m->exif != NULL || gf_meta_set_exif(m, b, size, err) == 0 ? 1 : -1;
    if (strcasecmp(name, "icc") == 0 || strcasecmp(name, "icm") == 0)
        return m->icc != NULL || gf_meta_set_icc(m, b, size, err) == 0 ? 1 : -1;
    if (strcasecmp(name, "xmp") == 0)
        return m->xmp != NULL || gf_meta_set_xmp(m, b, size, err) == 0 ? 1 : -1;
    if (strcasecmp(name, "iptc") != 0 && strcasecmp(name, "8bim") != 0)
        return 0;
    if (size >= 4 && memcmp(b, "8BIM", 4) == 0)
        return gf_photoshop_take(m, b, size, err) == 0 ? 1 : -1;
    return m->iptc != NULL || gf_meta_set_iptc(m, b, size, err) == 0 ? 1 : -1;
}

bool gf_png_raw_profile_is_known(const struct gf_meta *m, const char *key)
{
    const char *name = key + sizeof GF_PNG_RAW_PROFILE_KEY - 1;

    if (strncmp(key, GF_PNG_RAW_PROFILE_KEY, sizeof GF_PNG_RAW_PROFILE_KEY - 1) != 0)
        return false;
    return ((strcasecmp(name, "icc") == 0 || strcasecmp(name, "icm") == 0) && m->icc != NULL)
        || (strcasecmp(name, "exif") == 0 && m->exif != NULL) || (strcasecmp(name, "xmp") == 0 && m->xmp != NULL)
        || (strcasecmp(name, "app1") == 0 && m->exif != NULL && m->xmp != NULL)
        || ((strcasecmp(name, "iptc") == 0 || strcasecmp(name, "8bim") == 0) && m->iptc != NULL);
}

int gf_png_raw_profile_take(struct gf_meta *m, const char *key, const char *text, size_t size, struct gf_error *err)
{
    unsigned char *bytes;
    size_t made = 0;
    int result;

    if (strncmp(key, GF_PNG_RAW_PROFILE_KEY, sizeof GF_PNG_RAW_PROFILE_KEY - 1) != 0)
        return 0;
    bytes = decode(text, size, &made);
    if (bytes == NULL)
        return 0;
    result = store_profile(m, key + sizeof GF_PNG_RAW_PROFILE_KEY - 1, bytes, made, err);
    free(bytes);
    return result;
}

char *gf_png_raw_profile_iptc(const unsigned char *iptc, size_t size, size_t *made)
{
    const size_t padded = GF_PHOTOSHOP_HEAD_BYTES + size + (size & 1);
    const size_t room = 40 + 2 * padded + padded / (DIGITS_IN_LINE / 2) + 2;
    char *text = malloc(room);
    unsigned char head[GF_PHOTOSHOP_HEAD_BYTES];
    size_t at;

    if (text == NULL)
        return NULL;
    gf_photoshop_put_head(head, size);
    at = (size_t)snprintf(text, room, "\niptc\n%8zu", padded);
    for (size_t i = 0; i < padded; i++) {
        const size_t k = i - GF_PHOTOSHOP_HEAD_BYTES;
        const unsigned byte = i < GF_PHOTOSHOP_HEAD_BYTES ? head[i] : k < size ? iptc[k] : 0;

        if (i % (DIGITS_IN_LINE / 2) == 0)
            text[at++] = '\n';
        text[at++] = "0123456789abcdef"[byte >> 4];
        text[at++] = "0123456789abcdef"[byte & 15];
    }
    text[at++] = '\n';
    *made = at;
    return text;
}
