/*
 * Reads and edits XMP as text: a property is an attribute,
 * name="value", or an element, <name>value</name>.
 */
#define _GNU_SOURCE
#include "io/metadata/xmp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_VALUE 100                /* bytes; the values that matter are shorter */
#define MOST_CHANGES 8                   /* per property: packets have one, and each change moves the rest */

/* A value of a property. */
struct found {
    size_t name, value, end;             /* offsets of the name, the value, and the end of the value */
    bool attribute;
};

static bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t skip_blanks(const unsigned char *b, size_t size, size_t at)
{
    while (at < size && is_blank(b[at]))
        at++;
    return at;
}

/* Finds the next occurrence of a name, after white space or "<"; returns `size` if there is none. */
static size_t find_name(const unsigned char *b, size_t size, size_t at, const char *name)
{
    const size_t length = strlen(name);

    while (at < size) {
        const unsigned char *hit = memmem(b + at, size - at, name, length);

        if (hit == NULL)
            break;
        at = (size_t)(hit - b);
        if (at > 0 && (is_blank(b[at - 1]) || b[at - 1] == '<') && at + length < size
            && (is_blank(b[at + length]) || strchr("=>/", b[at + length]) != NULL))
            return at;
        at++;
    }
    return size;
}

/* Finds the byte that ends a value, within LONGEST_VALUE. */
static const unsigned char *find_end(const unsigned char *b, size_t size, size_t at, unsigned char byte)
{
    return memchr(b + at, byte, size - at < LONGEST_VALUE ? size - at : LONGEST_VALUE);
}

/* Finds the next value of a property from offset `from` on. */
static bool find_value(const unsigned char *b, size_t size, size_t from, const char *name, struct found *f)
{
    for (size_t at = find_name(b, size, from, name); at < size; at = find_name(b, size, at + 1, name)) {
        const bool element = b[at - 1] == '<';
        size_t value = skip_blanks(b, size, at + strlen(name));
        const unsigned char *end;

        if (value >= size || b[value] != (element ? '>' : '='))
            continue;
        value = element ? value + 1 : skip_blanks(b, size, value + 1);
        if (value >= size || (!element && b[value] != '"' && b[value] != '\''))
            continue;
        end = find_end(b, size, value + !element, element ? '<' : b[value]);
        if (end == NULL)
            continue;
        *f = (struct found) { at, value + !element, (size_t)(end - b), !element };
        return true;
    }
    return false;
}

/* Returns the offset of the digit of the next orientation, or 0. */
static size_t find_orientation(const unsigned char *b, size_t size, size_t from)
{
    struct found f;

    for (size_t at = from; find_value(b, size, at, "tiff:Orientation", &f); at = f.end) {
        const size_t digit = skip_blanks(b, f.end, f.value);

        if (digit < f.end && b[digit] >= '1' && b[digit] <= '8' && skip_blanks(b, f.end, digit + 1) == f.end)
            return digit;
    }
    return 0;
}

int gf_xmp_orientation(const unsigned char *xmp, size_t size)
{
    const size_t at = find_orientation(xmp, size, 0);

    return at > 0 ? xmp[at] - '0' : 0;
}

void gf_xmp_reset_orientation(unsigned char *xmp, size_t size)
{
    for (size_t at = 0; (at = find_orientation(xmp, size, at)) > 0;)
        xmp[at] = '1';
}

bool gf_xmp_has(const unsigned char *xmp, size_t size, const char *name)
{
    struct found f;

    return find_value(xmp, size, 0, name, &f) && !(f.end == f.value + 1 && xmp[f.value] == '0');
}

/* ---- editing ---- */

/*
 * Returns the end of the element that begins at `begin`
 * with "<" and its name; 0 if it is not closed.
 */
static size_t element_end(const unsigned char *b, size_t size, size_t begin, const char *name)
{
    const size_t length = strlen(name);
    const unsigned char *at = memchr(b + begin, '>', size - begin);

    if (at == NULL || at[-1] == '/')
        return at == NULL ? 0 : (size_t)(at - b) + 1;
    while ((at = memmem(at, size - (size_t)(at - b), "</", 2)) != NULL) {
        at += 2;
        if (size - (size_t)(at - b) > length && memcmp(at, name, length) == 0
            && (at[length] == '>' || is_blank(at[length])))
            break;
    }
    at = at != NULL ? memchr(at, '>', size - (size_t)(at - b)) : NULL;
    return at != NULL ? (size_t)(at - b) + 1 : 0;
}

/* Removes each element of this name with its content. */
static void cut_element(unsigned char *b, size_t *size, const char *name)
{
    size_t from = 0, to = 0, at = find_name(b, *size, 0, name);

    while (at < *size) {
        const size_t begin = at - 1, end = b[begin] == '<' ? element_end(b, *size, begin, name) : begin;

        if (end == 0)                            /* later elements are not closed either */
            break;
        if (end > begin) {
            memmove(b + to, b + from, begin - from);
            to += begin - from;
            from = end;
        }
        at = find_name(b, *size, end > begin ? end : at + 1, name);
    }
    memmove(b + to, b + from, *size - from);
    *size -= from - to;
}

/* Removes a property in either form. */
static void cut_property(unsigned char *b, size_t *size, const char *name)
{
    struct found f;

    cut_element(b, size, name);
    for (int i = 0; i < MOST_CHANGES && find_value(b, *size, 0, name, &f) && f.attribute; i++) {
        memmove(b + f.name, b + f.end + 1, *size - f.end - 1);
        *size -= f.end + 1 - f.name;
    }
}

/* Replaces each number in the values of a property. */
static int set_number(unsigned char **b, size_t *size, const char *name, int64_t value, struct gf_error *err)
{
    struct found f;
    char text[24];
    const size_t length = (size_t)snprintf(text, sizeof text, "%lld", (long long)value);
    size_t at = 0;

    for (int i = 0; i < MOST_CHANGES && find_value(*b, *size, at, name, &f); i++, at = f.value + 1) {
        unsigned char *more;
        size_t end = f.value;

        while (end < f.end && (*b)[end] >= '0' && (*b)[end] <= '9')
            end++;
        if (end == f.value || end != f.end)
            continue;
        more = realloc(*b, *size + length);
        if (more == NULL)
            return gf_fail_memory(err, NULL);
        *b = more;
        memmove(more + f.value + length, more + f.end, *size - f.end);
        memcpy(more + f.value, text, length);
        *size += length - (f.end - f.value);
    }
    return 0;
}

int gf_xmp_settle(unsigned char **xmp, size_t *size, int64_t width, int64_t height, struct gf_error *err)
{
    static const char *const widths[] = { "exif:PixelXDimension", "tiff:ImageWidth" };
    static const char *const heights[] = { "exif:PixelYDimension", "tiff:ImageLength" };

    if (*size == 0)
        return 0;
    cut_element(*xmp, size, "xmp:Thumbnails");
    cut_element(*xmp, size, "xap:Thumbnails");
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (set_number(xmp, size, widths[i], width, err) != 0 || set_number(xmp, size, heights[i], height, err) != 0)
            return -1;
    return 0;
}

void gf_xmp_forget_parts(unsigned char *xmp, size_t *size)
{
    static const char *const names[] = { "hdrgm:Version",         "Container:Directory", "GContainer:Directory",
                                         "GCamera:MotionPhoto",   "GCamera:MicroVideo",  "GCamera:MicroVideoOffset",
                                         "xmpNote:HasExtendedXMP" };

    for (size_t i = 0; *size > 0 && i < sizeof names / sizeof *names; i++)
        cut_property(xmp, size, names[i]);
}
