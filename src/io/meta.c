/* What a picture carries beside its samples: copies of it, and the orientation in a block of EXIF. */
#include "io/meta.h"

#include <stdlib.h>
#include <string.h>

void gf_meta_release(struct gf_meta *m)
{
    for (int i = 0; i < m->texts; i++) {
        free(m->text[i].key);
        free(m->text[i].value);
    }
    for (int i = 0; i < m->extras; i++)
        free(m->extra[i].name);
    free(m->extra);
    free(m->riff);
    free(m->text);
    free(m->icc);
    free(m->exif);
    free(m->xmp);
    *m = (struct gf_meta) { 0 };
}

static int no_memory(struct gf_error *err)
{
    return gf_fail(err, GF_FAILED, "not enough memory");
}

static int set_bytes(unsigned char **to, size_t *to_size, const void *bytes, size_t size, struct gf_error *err)
{
    unsigned char *copy = size > 0 ? malloc(size) : NULL;

    if (size > 0 && copy == NULL)
        return no_memory(err);
    if (size > 0)
        memcpy(copy, bytes, size);
    free(*to);
    *to = copy;
    *to_size = size;
    return 0;
}

int gf_meta_set_icc(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err)
{
    return set_bytes(&m->icc, &m->icc_bytes, bytes, size, err);
}

int gf_meta_set_exif(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err)
{
    const size_t before = size >= 6 && memcmp(bytes, "Exif\0\0", 6) == 0 ? 6 : 0;

    return set_bytes(&m->exif, &m->exif_bytes, (const unsigned char *)bytes + before, size - before, err);
}

int gf_meta_set_xmp(struct gf_meta *m, const void *bytes, size_t size, struct gf_error *err)
{
    return set_bytes(&m->xmp, &m->xmp_bytes, bytes, size, err);
}

int gf_meta_add_text(struct gf_meta *m, const char *key, const char *value, struct gf_error *err)
{
    struct gf_text *more = realloc(m->text, ((size_t)m->texts + 1) * sizeof *more);
    struct gf_text text = { NULL, NULL };

    if (more == NULL)
        return no_memory(err);
    m->text = more;
    text.key = strdup(key);
    text.value = strdup(value);
    if (text.key == NULL || text.value == NULL) {
        free(text.key);
        free(text.value);
        return no_memory(err);
    }
    m->text[m->texts++] = text;
    return 0;
}

int gf_meta_copy(struct gf_meta *to, const struct gf_meta *from, struct gf_error *err)
{
    int result = 0;

    *to = (struct gf_meta) { .orientation = from->orientation, .x_per_metre = from->x_per_metre, .y_per_metre = from->y_per_metre,
                             .x_per_unit = from->x_per_unit, .y_per_unit = from->y_per_unit };
    memcpy(to->dropped, from->dropped, sizeof to->dropped);
    if (gf_meta_set_icc(to, from->icc, from->icc_bytes, err) != 0
        || set_bytes(&to->exif, &to->exif_bytes, from->exif, from->exif_bytes, err) != 0
        || gf_meta_set_xmp(to, from->xmp, from->xmp_bytes, err) != 0)
        result = -1;
    for (int i = 0; result == 0 && i < from->texts; i++)
        result = gf_meta_add_text(to, from->text[i].key, from->text[i].value, err);
    if (result != 0)
        gf_meta_release(to);
    return result;
}

#define ICC_HEADER_BYTES 128

bool gf_meta_has_icc_for(const struct gf_meta *m, int colours)
{
    return m->icc_bytes > ICC_HEADER_BYTES && memcmp(m->icc + 36, "acsp", 4) == 0
        && memcmp(m->icc + 16, colours == 1 ? "GRAY" : colours == 3 ? "RGB " : "CMYK", 4) == 0;
}

/* ---- EXIF: a TIFF header, then a directory of entries of 12 bytes ---- */

#define ENTRY_BYTES 12
#define TAG_ORIENTATION 0x0112
#define TYPE_SHORT 3

static uint32_t number(const unsigned char *b, int bytes, bool big)
{
    uint32_t value = 0;

    for (int i = 0; i < bytes; i++)
        value = value << 8 | b[big ? i : bytes - 1 - i];
    return value;
}

/* Where the two bytes of the orientation stand, or 0. Nothing of the block is taken on trust. */
static size_t find_orientation(const unsigned char *exif, size_t size, bool *big)
{
    size_t at, entries;

    if (size < 8 || (memcmp(exif, "II*\0", 4) != 0 && memcmp(exif, "MM\0*", 4) != 0))
        return 0;
    *big = exif[0] == 'M';
    at = number(exif + 4, 4, *big);
    if (at < 8 || at > size - 2)
        return 0;
    entries = number(exif + at, 2, *big);
    at += 2;
    for (; entries > 0 && size - at >= ENTRY_BYTES; entries--, at += ENTRY_BYTES) {
        const unsigned char *entry = exif + at;

        if (number(entry, 2, *big) == TAG_ORIENTATION)
            return number(entry + 2, 2, *big) == TYPE_SHORT && number(entry + 4, 4, *big) == 1 ? at + 8 : 0;
    }
    return 0;
}

int gf_meta_exif_orientation(const unsigned char *exif, size_t size)
{
    bool big;
    const size_t at = find_orientation(exif, size, &big);
    const uint32_t told = at > 0 ? number(exif + at, 2, big) : 0;

    return told <= 8 ? (int)told : 0;
}

void gf_meta_exif_reset_orientation(unsigned char *exif, size_t size)
{
    bool big;
    const size_t at = find_orientation(exif, size, &big);

    if (at > 0) {
        exif[at] = big ? 0 : 1;
        exif[at + 1] = big ? 1 : 0;
    }
}

/* Behind the name, as an attribute or an element, stands one digit: tiff:Orientation="6", <tiff:Orientation>6<. */
void gf_meta_xmp_reset_orientation(unsigned char *xmp, size_t size)
{
    static const char name[] = "tiff:Orientation";
    const size_t length = sizeof name - 1;

    for (size_t at = 0; at + length < size; at++) {
        size_t digit = at + length;

        if (xmp[at] != 't' || memcmp(xmp + at, name, length) != 0)
            continue;
        while (digit < size && xmp[digit] != '\0' && strchr(" \t\r\n=>\"'", xmp[digit]) != NULL)
            digit++;
        if (digit > at + length && digit < size && xmp[digit] >= '1' && xmp[digit] <= '8')
            xmp[digit] = '1';
    }
}

int gf_meta_stand_upright(struct gf_meta *m)
{
    const int inside = gf_meta_exif_orientation(m->exif, m->exif_bytes);
    const int told = m->orientation >= 1 && m->orientation <= 8 ? m->orientation : inside;

    gf_meta_exif_reset_orientation(m->exif, m->exif_bytes);
    gf_meta_xmp_reset_orientation(m->xmp, m->xmp_bytes);
    m->orientation = told > 0;
    if (told >= 5) {
        const double x = m->x_per_metre, per_unit = m->x_per_unit;

        m->x_per_metre = m->y_per_metre;
        m->y_per_metre = x;
        m->x_per_unit = m->y_per_unit;
        m->y_per_unit = per_unit;
    }
    return told;
}
