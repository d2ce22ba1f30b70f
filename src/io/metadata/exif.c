/*
 * Reads and changes EXIF: a TIFF header, then directories
 * of 12-byte entries. All numbers are checked before use.
 */
#include "io/metadata/exif.h"

#include "io/metadata/change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY_BYTES 12

#define TAG_WIDTH 0x0100
#define TAG_HEIGHT 0x0101
#define TAG_BITS 0x0102
#define TAG_COMPRESSION 0x0103
#define TAG_PHOTOMETRIC 0x0106
#define TAG_STRIP_OFFSETS 0x0111
#define TAG_ORIENTATION 0x0112
#define TAG_SAMPLES 0x0115
#define TAG_STRIP_BYTES 0x0117
#define TAG_X_RESOLUTION 0x011A
#define TAG_Y_RESOLUTION 0x011B
#define TAG_RESOLUTION_UNIT 0x0128
#define TAG_JPEG_OFFSET 0x0201
#define TAG_JPEG_BYTES 0x0202
#define TAG_EXIF 0x8769
#define TAG_GPS 0x8825
#define TAG_RELATED_WIDTH 0x1001
#define TAG_RELATED_HEIGHT 0x1002
#define TAG_SUBJECT_AREA 0x9214
#define TAG_MAKER_NOTE 0x927C
#define TAG_COLOUR_SPACE 0xA001
#define TAG_PIXEL_WIDTH 0xA002
#define TAG_PIXEL_HEIGHT 0xA003
#define TAG_INTEROP 0xA005
#define TAG_FOCAL_X_RESOLUTION 0xA20E
#define TAG_FOCAL_Y_RESOLUTION 0xA20F
#define TAG_SUBJECT_LOCATION 0xA214

#define UNIT_INCH 2
#define UNIT_CENTIMETRE 3

#define TYPE_ASCII 2
#define TYPE_SHORT 3
#define TYPE_LONG 4
#define TYPE_RATIONAL 5

struct block {
    const unsigned char *b;
    size_t size;
    bool big;
};

/* ---- reading ---- */

static uint32_t number(const struct block *x, size_t at, int bytes)
{
    uint32_t value = 0;

    for (int i = 0; i < bytes; i++)
        value = value << 8 | x->b[at + (size_t)(x->big ? i : bytes - 1 - i)];
    return value;
}

/* Returns the number of entries of the directory at `at` that are inside the block. */
static size_t entries_of(const struct block *x, size_t at)
{
    const size_t most = at >= 8 && at <= x->size - 2 ? (x->size - at - 2) / ENTRY_BYTES : 0;
    const size_t stated = most > 0 ? number(x, at, 2) : 0;

    return stated < most ? stated : most;
}

/* Returns the offset of the first directory, or 0. */
static size_t open_block(struct block *x, const unsigned char *exif, size_t size)
{
    *x = (struct block) { exif, size, size > 0 && exif[0] == 'M' };
    if (size < 10 || (memcmp(exif, "II*\0", 4) != 0 && memcmp(exif, "MM\0*", 4) != 0))
        return 0;
    return number(x, 4, 4);
}

static size_t find_entry(const struct block *x, size_t directory, uint32_t tag)
{
    const size_t count = entries_of(x, directory);

    for (size_t i = 0, at = directory + 2; i < count; i++, at += ENTRY_BYTES)
        if (number(x, at, 2) == tag)
            return at;
    return 0;
}

/* Returns the number of an entry; 0 if it is not a single SHORT or LONG. */
static uint32_t entry_number(const struct block *x, size_t entry)
{
    const uint32_t type = number(x, entry + 2, 2);

    if (number(x, entry + 4, 4) != 1 || (type != TYPE_SHORT && type != TYPE_LONG))
        return 0;
    return number(x, entry + 8, type == TYPE_SHORT ? 2 : 4);
}

static uint32_t find_number(const struct block *x, size_t directory, uint32_t tag)
{
    const size_t entry = find_entry(x, directory, tag);

    return entry > 0 ? entry_number(x, entry) : 0;
}

/* Returns the offset of the `bytes` of an entry's value, or 0 if they are not inside the block. */
static size_t value_offset(const struct block *x, size_t entry, size_t bytes)
{
    const size_t at = bytes <= 4 ? entry + 8 : number(x, entry + 8, 4);

    return at <= x->size && bytes <= x->size - at ? at : 0;
}

static size_t find_orientation(const struct block *x, size_t directory)
{
    const size_t entry = find_entry(x, directory, TAG_ORIENTATION);

    return entry > 0 && number(x, entry + 2, 2) == TYPE_SHORT && number(x, entry + 4, 4) == 1 ? entry + 8 : 0;
}

int gf_exif_orientation(const unsigned char *exif, size_t size)
{
    struct block x;
    const size_t at = find_orientation(&x, open_block(&x, exif, size));
    const uint32_t stated = at > 0 ? number(&x, at, 2) : 0;

    return stated <= 8 ? (int)stated : 0;
}

const char *gf_exif_text(const unsigned char *exif, size_t size, int i, char *text, size_t room)
{
    static const struct { const char *name; uint32_t tag; bool inner; } rows[] = {
        { "Make", 0x010F, false }, { "Model", 0x0110, false }, { "LensModel", 0xA434, true },
        { "DateTimeOriginal", 0x9003, true }, { "ImageDescription", 0x010E, false }, { "Artist", 0x013B, false },
        { "Copyright", 0x8298, false }, { "Software", 0x0131, false },
    };
    struct block x;
    size_t directory = open_block(&x, exif, size), entry, at, length;

    if (i >= (int)(sizeof rows / sizeof *rows))
        return NULL;
    if (rows[i].inner && directory > 0)
        directory = find_number(&x, directory, TAG_EXIF);
    entry = directory > 0 ? find_entry(&x, directory, rows[i].tag) : 0;
    length = entry > 0 && number(&x, entry + 2, 2) == TYPE_ASCII ? number(&x, entry + 4, 4) : 0;
    at = length > 0 ? value_offset(&x, entry, length) : 0;
    length = at == 0 ? 0 : length < room ? length : room - 1;
    memcpy(text, exif + at, length);
    text[length] = '\0';
    for (length = strlen(text); length > 0 && text[length - 1] == ' '; length--)
        text[length - 1] = '\0';
    return rows[i].name;
}

/* Returns the offset of the characters of a text with a key of PNG, and their number; 0 if there is none. */
static size_t find_text(struct block *x, const unsigned char *exif, size_t size, const char *key, uint32_t *tag,
                        size_t *length)
{
    static const struct { const char *key; uint32_t tag; } rows[] = {
        { "Description", 0x010E }, { "Author", 0x013B }, { "Copyright", 0x8298 }, { "Software", 0x0131 },
    };
    const size_t directory = open_block(x, exif, size);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t entry = strcmp(rows[i].key, key) == 0 ? find_entry(x, directory, rows[i].tag) : 0;

        if (entry == 0)
            continue;
        *tag = rows[i].tag;
        *length = number(x, entry + 2, 2) == TYPE_ASCII ? number(x, entry + 4, 4) : 0;
        return *length > 0 ? value_offset(x, entry, *length) : 0;
    }
    return 0;
}

bool gf_exif_repeats(const unsigned char *exif, size_t size, const char *key, const char *value)
{
    size_t length = 0;
    struct block x;
    uint32_t tag;
    const size_t at = find_text(&x, exif, size, key, &tag, &length), there = at > 0 ? strnlen(value, length) : 0;

    return at > 0 && value[there] == '\0' && strncmp((const char *)exif + at, value, length) == 0;
}

static bool all_among(const struct block *x, size_t directory, const uint16_t *tags, size_t count)
{
    const size_t entries = entries_of(x, directory);

    for (size_t i = 0, at = directory + 2; i < entries; i++, at += ENTRY_BYTES) {
        bool found = false;

        for (size_t k = 0; !found && k < count; k++)
            found = number(x, at, 2) == tags[k];
        if (!found)
            return false;
    }
    return true;
}

bool gf_exif_is_trivial(const unsigned char *exif, size_t size)
{
    /*
     * Tags of size, compression, layout, orientation, resolution,
     * program, time of writing, chroma, EXIF directory.
     */
    static const uint16_t first[] = { TAG_WIDTH, TAG_HEIGHT, TAG_BITS, TAG_COMPRESSION, TAG_PHOTOMETRIC,
                                      TAG_ORIENTATION, TAG_SAMPLES, TAG_X_RESOLUTION, TAG_Y_RESOLUTION, 0x011C,
                                      TAG_RESOLUTION_UNIT, 0x0131, 0x0132, 0x0213, TAG_EXIF };
    /* Tags of versions, component order, color space, size. */
    static const uint16_t second[] = { 0x9000, 0x9101, 0xA000, TAG_COLOUR_SPACE, TAG_PIXEL_WIDTH, TAG_PIXEL_HEIGHT };
    struct block x;
    const size_t directory = open_block(&x, exif, size);

    return directory == 0 || (all_among(&x, directory, first, sizeof first / sizeof *first)
        && all_among(&x, find_number(&x, directory, TAG_EXIF), second, sizeof second / sizeof *second));
}

/* ---- changing numbers ---- */

static void put_number(const struct block *x, unsigned char *to, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[x->big ? bytes - 1 - i : i] = (unsigned char)(value >> 8 * i);
}

/*
 * Sets the number of an entry. It becomes a LONG if
 * necessary: an entry has 4 bytes for either type.
 */
static void set_number(const struct block *x, unsigned char *exif, size_t directory, uint32_t tag, uint32_t value)
{
    const size_t entry = find_entry(x, directory, tag);
    const uint32_t type = entry > 0 ? number(x, entry + 2, 2) : 0;

    if (entry == 0 || number(x, entry + 4, 4) != 1 || (type != TYPE_SHORT && type != TYPE_LONG))
        return;
    if (value > UINT16_MAX)
        put_number(x, exif + entry + 2, TYPE_LONG, 2);
    put_number(x, exif + entry + 8, value, type == TYPE_SHORT && value <= UINT16_MAX ? 2 : 4);
}

void gf_exif_reset_orientation(unsigned char *exif, size_t size)
{
    struct block x;
    const size_t at = find_orientation(&x, open_block(&x, exif, size));

    if (at > 0)
        put_number(&x, exif + at, 1, 2);
}

/* Removes an entry; later entries and the link after them move up. Values stay where they are. */
static void remove_entry(const struct block *x, unsigned char *exif, size_t directory, uint32_t tag)
{
    const size_t entry = find_entry(x, directory, tag), count = entries_of(x, directory);
    const size_t end = directory + 2 + count * ENTRY_BYTES, link = x->size - end < 4 ? x->size - end : 4;

    if (entry == 0)
        return;
    memmove(exif + entry, exif + entry + ENTRY_BYTES, end + link - entry - ENTRY_BYTES);
    memset(exif + end + link - ENTRY_BYTES, 0, ENTRY_BYTES);
    put_number(x, exif + directory, (uint32_t)count - 1, 2);
}

void gf_exif_drop_text(unsigned char *exif, size_t size, const char *key)
{
    size_t length = 0;
    struct block x;
    uint32_t tag = 0;
    const size_t at = find_text(&x, exif, size, key, &tag, &length);

    if (at >= 8)
        memset(exif + at, 0, length);
    if (tag != 0)
        remove_entry(&x, exif, open_block(&x, exif, size), tag);
}

/* Returns the offset of an entry's fraction, and its value; 0 if it has none. */
static size_t find_fraction(const struct block *x, size_t directory, uint32_t tag, double *value)
{
    const size_t entry = find_entry(x, directory, tag);
    const bool single = entry > 0 && number(x, entry + 2, 2) == TYPE_RATIONAL && number(x, entry + 4, 4) == 1;
    const size_t at = single ? value_offset(x, entry, 8) : 0;
    const uint32_t below = at > 0 ? number(x, at + 4, 4) : 0;

    *value = below > 0 ? (double)number(x, at, 4) / below : 0;
    return *value > 0 ? at : 0;
}

static void put_fraction(const struct block *x, unsigned char *to, double value)
{
    double below = 1;

    while (below < 1e6 && value * below * 10 < UINT32_MAX && fabs(value * below - rint(value * below)) > 1e-6)
        below *= 10;
    put_number(x, to, (uint32_t)fmin(UINT32_MAX, rint(value * below)), 4);
    put_number(x, to + 4, (uint32_t)below, 4);
}

bool gf_exif_resolution(const unsigned char *exif, size_t size, double *x, double *y)
{
    struct block b;
    const size_t first = open_block(&b, exif, size), entry = find_entry(&b, first, TAG_RESOLUTION_UNIT);
    const uint32_t unit = entry > 0 ? entry_number(&b, entry) : UNIT_INCH;
    const double length = unit == UNIT_INCH ? .0254 : .01;
    const bool stated = find_fraction(&b, first, TAG_X_RESOLUTION, x) > 0
        && find_fraction(&b, first, TAG_Y_RESOLUTION, y) > 0;

    *x /= length;
    *y /= length;
    return stated && (unit == UNIT_INCH || unit == UNIT_CENTIMETRE);
}

/* Updates a pair of resolutions. Two entries may share one value. */
static void settle_density(const struct block *x, unsigned char *exif, size_t directory, uint32_t across, uint32_t down,
                           const struct gf_affine *map)
{
    double was_x, was_y, now_x, now_y;
    const size_t at_x = find_fraction(x, directory, across, &was_x), at_y = find_fraction(x, directory, down, &was_y);
    const size_t apart = at_x < at_y ? at_y - at_x : at_x - at_y;

    if (at_x == 0 || at_y == 0)
        return;
    now_x = was_x;
    now_y = was_y;
    if (!gf_change_density(map, &now_x, &now_y) || (apart < 8 && fabs(now_x - now_y) > 1e-6 * now_x)) {
        remove_entry(x, exif, directory, across);
        remove_entry(x, exif, directory, down);
        return;
    }
    if (fabs(now_x - was_x) > 1e-9 * was_x)
        put_fraction(x, exif + at_x, now_x);
    if (fabs(now_y - was_y) > 1e-9 * was_y)
        put_fraction(x, exif + at_y, now_y);
}

/*
 * Updates the center of the subject, and the diameter or the sides of its area. Returns false if it is no longer in
 * the image, or not a rectangle.
 */
static bool move_subject(const struct gf_change *c, double *v, size_t count)
{
    const struct gf_affine to_output = gf_affine_invert(&c->to_file);
    const enum gf_axes axes = gf_affine_axes(&to_output);
    const double width = count > 2 ? v[2] : 0, height = count > 3 ? v[3] : width;
    double x, y;

    gf_affine_apply(&to_output, &v[0], &v[1]);
    gf_affine_steps(&c->to_file, &x, &y);
    v[2] = (axes == GF_AXES_TURNED ? height : width) / x;
    v[3] = (axes == GF_AXES_TURNED ? width : height) / y;
    if (count == 3 && fabs(v[2] - v[3]) > 1)
        return false;
    return axes != GF_AXES_OBLIQUE && v[0] >= 0 && v[1] >= 0 && v[0] < (double)c->out.width
        && v[1] < (double)c->out.units && v[0] <= UINT16_MAX && v[1] <= UINT16_MAX;
}

static void settle_subject(const struct block *x, unsigned char *exif, size_t directory, uint32_t tag,
                           const struct gf_change *c)
{
    const size_t entry = find_entry(x, directory, tag), count = entry > 0 ? number(x, entry + 4, 4) : 0;
    const bool known = entry > 0 && number(x, entry + 2, 2) == TYPE_SHORT && count >= 2 && count <= 4;
    const size_t at = known ? value_offset(x, entry, 2 * count) : 0;
    double v[4] = { 0 };

    if (entry == 0 || !gf_change_is_moved(c))
        return;
    for (size_t i = 0; at > 0 && i < count; i++)
        v[i] = number(x, at + 2 * i, 2);
    if (at == 0 || !move_subject(c, v, count)) {
        remove_entry(x, exif, directory, tag);
        return;
    }
    for (size_t i = 0; i < count; i++)
        put_number(x, exif + at + 2 * i, (uint32_t)fmin(UINT16_MAX, floor(v[i] + (i < 2 ? 0 : .5))), 2);
}

/* Removes what repeats the layout of an image with other samples. */
static void settle_layout(const struct block *x, unsigned char *exif, size_t directory, const struct gf_change *c)
{
    static const uint32_t tags[] = { TAG_BITS, TAG_COMPRESSION, TAG_PHOTOMETRIC, TAG_SAMPLES };

    if (c->in.channels == c->out.channels && c->in.type == c->out.type)
        return;
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        remove_entry(x, exif, directory, tags[i]);
}

void gf_exif_settle(unsigned char *exif, size_t size, const struct gf_change *c)
{
    struct block x;
    const size_t first = open_block(&x, exif, size), second = find_number(&x, first, TAG_EXIF);
    const size_t interop = find_number(&x, second, TAG_INTEROP);
    const struct gf_affine print = gf_change_print_map(gf_affine_axes(&c->to_file) == GF_AXES_TURNED);
    const uint32_t width = (uint32_t)c->out.width, height = (uint32_t)c->out.units;

    if (c->out.width < 1 || c->out.units < 1 || c->out.width > UINT32_MAX || c->out.units > UINT32_MAX)
        return;
    set_number(&x, exif, first, TAG_WIDTH, width);
    set_number(&x, exif, first, TAG_HEIGHT, height);
    set_number(&x, exif, second, TAG_PIXEL_WIDTH, width);
    set_number(&x, exif, second, TAG_PIXEL_HEIGHT, height);
    set_number(&x, exif, interop, TAG_RELATED_WIDTH, width);
    set_number(&x, exif, interop, TAG_RELATED_HEIGHT, height);
    settle_density(&x, exif, first, TAG_X_RESOLUTION, TAG_Y_RESOLUTION, &print);
    settle_density(&x, exif, second, TAG_FOCAL_X_RESOLUTION, TAG_FOCAL_Y_RESOLUTION, &c->to_file);
    settle_subject(&x, exif, second, TAG_SUBJECT_AREA, c);
    settle_subject(&x, exif, second, TAG_SUBJECT_LOCATION, c);
    settle_layout(&x, exif, first, c);
}

void gf_exif_set_srgb(unsigned char *exif, size_t size)
{
    struct block x;

    set_number(&x, exif, find_number(&x, open_block(&x, exif, size), TAG_EXIF), TAG_COLOUR_SPACE, 1);
}

/* ---- thumbnails ---- */

#define KEPT 1                           /* a byte of the directories of the image */
#define NOTE 2                           /* a byte of maker notes, which may contain previews */
#define DROPPED 4                        /* a byte of the thumbnail */

struct cleaning {
    struct block x;
    unsigned char *mark;                 /* bits above, for each byte */
    size_t budget;                       /* bytes that may still be marked, a limit for entries that share bytes */
};

/* Marks bytes, ignoring those outside the block. Returns -1 if the budget is used up. */
static int mark(struct cleaning *c, size_t at, size_t count, unsigned char as)
{
    if (at > c->x.size || count > c->x.size - at)
        return 0;
    if (count >= c->budget)
        return -1;
    c->budget -= count + 1;
    for (size_t i = at; i < at + count; i++)
        c->mark[i] |= as;
    return 0;
}

/* Marks a directory and the values of its entries. */
static int mark_directory(struct cleaning *c, size_t directory, unsigned char as)
{
    static const unsigned char type_bytes[] = { 0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4 };
    const size_t count = entries_of(&c->x, directory), end = directory + 2 + count * ENTRY_BYTES;

    if (count == 0)
        return 0;
    if (mark(c, directory, end - directory, as) != 0 || mark(c, end, 4, as) != 0)
        return -1;
    for (size_t at = directory + 2; at < end; at += ENTRY_BYTES) {
        const uint32_t type = number(&c->x, at + 2, 2);
        const uint64_t bytes = (uint64_t)number(&c->x, at + 4, 4) * (type < sizeof type_bytes ? type_bytes[type] : 0);
        const unsigned char kind = number(&c->x, at, 2) == TAG_MAKER_NOTE && as == KEPT ? NOTE : as;

        if (bytes > 4 && bytes <= c->x.size && mark(c, number(&c->x, at + 8, 4), (size_t)bytes, kind) != 0)
            return -1;
    }
    return 0;
}

/* Returns number i of the list in an entry. */
static size_t list_number(const struct block *x, size_t entry, size_t i)
{
    const int bytes = number(x, entry + 2, 2) == TYPE_SHORT ? 2 : 4;
    const size_t at = (uint64_t)number(x, entry + 4, 4) * (unsigned)bytes <= 4 ? entry + 8 : number(x, entry + 8, 4);

    return at < x->size && (i + 1) * (size_t)bytes <= x->size - at ? number(x, at + i * (size_t)bytes, bytes) : 0;
}

/* Marks the data that an entry with offsets and one with lengths describe. */
static int mark_data(struct cleaning *c, size_t directory, uint32_t offsets_tag, uint32_t bytes_tag, unsigned char as)
{
    const size_t offsets = find_entry(&c->x, directory, offsets_tag), bytes = find_entry(&c->x, directory, bytes_tag);
    const size_t count = offsets > 0 && bytes > 0 ? number(&c->x, offsets + 4, 4) : 0;

    for (size_t i = 0; i < count && i < c->x.size; i++)
        if (mark(c, list_number(&c->x, offsets, i), list_number(&c->x, bytes, i), as) != 0)
            return -1;
    return 0;
}

/* Marks the samples of a thumbnail. */
static int mark_thumbnail(struct cleaning *c, size_t directory, unsigned char as)
{
    return mark_data(c, directory, TAG_JPEG_OFFSET, TAG_JPEG_BYTES, as) != 0
        || mark_data(c, directory, TAG_STRIP_OFFSETS, TAG_STRIP_BYTES, as) != 0 ? -1 : 0;
}

/*
 * Marks data to keep, and the thumbnail directories after
 * the first. *link is the offset of the link to them.
 */
static int mark_all(struct cleaning *c, size_t first, size_t *link)
{
    const size_t exif = find_number(&c->x, first, TAG_EXIF);
    const size_t interop = exif > 0 ? find_number(&c->x, exif, TAG_INTEROP) : 0;
    const size_t own[] = { first, exif, find_number(&c->x, first, TAG_GPS), interop };
    size_t next, at = first + 2 + entries_of(&c->x, first) * ENTRY_BYTES;

    *link = entries_of(&c->x, first) > 0 && at <= c->x.size - 4 ? at : 0;
    if (mark(c, 0, 8, KEPT) != 0)
        return -1;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i] > 0 && mark_directory(c, own[i], KEPT) != 0)
            return -1;
    next = *link > 0 ? number(&c->x, *link, 4) : 0;
    for (int i = 0; i < 8 && next > 0; i++) {
        const size_t end = next + 2 + entries_of(&c->x, next) * ENTRY_BYTES;

        const size_t place = find_number(&c->x, next, TAG_GPS);

        if (mark_directory(c, next, DROPPED) != 0 || mark_thumbnail(c, next, DROPPED) != 0
            || (place > 0 && mark_directory(c, place, DROPPED) != 0))
            return -1;
        next = end <= c->x.size - 4 && entries_of(&c->x, next) > 0 ? number(&c->x, end, 4) : 0;
    }
    return 0;
}

/*
 * The end of the JPEG that begins at `at`, or 0 if none
 * does. The budget bounds the segments of all attempts.
 */
static size_t jpeg_end(const unsigned char *b, size_t size, size_t at, size_t *budget)
{
    bool scanning = false;

    for (at += 2; at + 1 < size && *budget > 0; (*budget)--) {
        while (scanning && at + 1 < size
               && (b[at] != 0xFF || b[at + 1] == 0 || (b[at + 1] >= 0xD0 && b[at + 1] <= 0xD7)))
            at++;
        if (at + 1 >= size || b[at] != 0xFF || b[at + 1] < 0xC0)
            break;
        if (b[at + 1] == 0xD9)
            return at + 2;
        scanning = scanning || b[at + 1] == 0xDA;
        if (at + 3 >= size)
            break;
        at += 2 + (size_t)(b[at + 2] << 8 | b[at + 3]);
    }
    return scanning ? size : 0;
}

/*
 * Clears JPEG images outside the values of the directories:
 * previews, which vendors store in maker notes.
 */
static void clear_previews(const struct cleaning *c, unsigned char *exif)
{
    size_t budget = 1 << 16;

    for (size_t at = 0; at + 3 < c->x.size; at++) {
        size_t end;

        if (exif[at] != 0xFF || exif[at + 1] != 0xD8 || exif[at + 2] != 0xFF)
            continue;
        end = jpeg_end(exif, c->x.size, at, &budget);
        for (size_t i = at; i < end; i++)
            if ((c->mark[i] & KEPT) == 0)
                exif[i] = 0;
        at = end > 0 ? end - 1 : at;
    }
}

int gf_exif_drop_thumbnail(unsigned char *exif, size_t *size)
{
    struct cleaning c = { .budget = 4 * *size + 1000 };
    const size_t first = open_block(&c.x, exif, *size);
    size_t link = 0, end = *size;
    int result = 0;

    c.mark = calloc(*size > 0 ? *size : 1, 1);
    if (c.mark == NULL || (first > 0 && mark_all(&c, first, &link) != 0))
        result = -1;
    if (result == 0 && link > 0)
        memset(exif + link, 0, 4);
    for (size_t i = 0; result == 0 && i < *size; i++)
        if (c.mark[i] == DROPPED)
            exif[i] = 0;
    if (result == 0)
        clear_previews(&c, exif);
    while (result == 0 && end > 0 && exif[end - 1] == 0 && (c.mark[end - 1] & (KEPT | NOTE)) == 0)
        end--;
    free(c.mark);
    if (result == 0)
        *size = end;
    return result;
}

/* ---- the place, the resolution ---- */

#define MAIN_DIRECTORIES 8               /* those of the image, of its thumbnail, and of further ones */

/* Lists the main directories, and returns their number. */
static int list_main(const struct block *x, size_t first, size_t *main)
{
    int count = 0;

    while (count < MAIN_DIRECTORIES && entries_of(x, first) > 0) {
        const size_t link = first + 2 + entries_of(x, first) * ENTRY_BYTES;

        main[count++] = first;
        first = link <= x->size - 4 ? number(x, link, 4) : 0;
        for (int i = 0; i < count; i++)
            first = first == main[i] ? 0 : first;
    }
    return count;
}

bool gf_exif_has_gps(const unsigned char *exif, size_t size)
{
    size_t main[MAIN_DIRECTORIES];
    struct block x;
    const size_t first = open_block(&x, exif, size);
    const int count = list_main(&x, first, main);

    for (int i = 0; i < count; i++)
        if (find_entry(&x, main[i], TAG_GPS) > 0)
            return true;
    return false;
}

void gf_exif_drop_resolution(unsigned char *exif, size_t size)
{
    static const uint32_t tags[] = { TAG_X_RESOLUTION, TAG_Y_RESOLUTION, TAG_RESOLUTION_UNIT };
    size_t main[MAIN_DIRECTORIES];
    struct block x;
    const size_t first = open_block(&x, exif, size);
    const int count = list_main(&x, first, main);

    for (int i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof tags / sizeof *tags; k++)
            remove_entry(&x, exif, main[i], tags[k]);
}

/* Marks a directory of the image or thumbnail with those in it: the place to drop, all others to keep. */
static int mark_place(struct cleaning *c, size_t directory)
{
    const size_t place = find_entry(&c->x, directory, TAG_GPS), inner = find_number(&c->x, directory, TAG_EXIF);
    const size_t interop = inner > 0 ? find_number(&c->x, inner, TAG_INTEROP) : 0;
    const size_t own[] = { directory, inner, interop };

    if (place > 0 && mark_directory(c, entry_number(&c->x, place), DROPPED) != 0)
        return -1;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i] > 0 && mark_directory(c, own[i], KEPT) != 0)
            return -1;
    return mark_thumbnail(c, directory, KEPT);
}

int gf_exif_drop_gps(unsigned char *exif, size_t size)
{
    struct cleaning c = { .budget = 4 * size + 1000 };
    const size_t first = open_block(&c.x, exif, size);
    size_t main[MAIN_DIRECTORIES];
    const int count = list_main(&c.x, first, main);
    int result = 0;

    if (!gf_exif_has_gps(exif, size))
        return 0;
    c.mark = calloc(size, 1);
    if (c.mark == NULL || mark(&c, 0, 8, KEPT) != 0)
        result = -1;
    for (int i = 0; i < count && result == 0; i++)
        result = mark_place(&c, main[i]);
    for (size_t i = 0; result == 0 && i < size; i++)
        if (c.mark[i] == DROPPED)
            exif[i] = 0;
    for (int i = 0; i < count && result == 0; i++)
        remove_entry(&c.x, exif, main[i], TAG_GPS);
    free(c.mark);
    return result;
}
