/*
 * Reads and changes EXIF: a TIFF header, then directories
 * of 12-byte entries. All numbers are checked before use.
 */
#include "io/metadata/exif.h"

#include <stdlib.h>
#include <string.h>

#define ENTRY_BYTES 12

#define TAG_WIDTH 0x0100
#define TAG_HEIGHT 0x0101
#define TAG_STRIP_OFFSETS 0x0111
#define TAG_ORIENTATION 0x0112
#define TAG_STRIP_BYTES 0x0117
#define TAG_JPEG_OFFSET 0x0201
#define TAG_JPEG_BYTES 0x0202
#define TAG_EXIF 0x8769
#define TAG_GPS 0x8825
#define TAG_MAKER_NOTE 0x927C
#define TAG_COLOUR_SPACE 0xA001
#define TAG_PIXEL_WIDTH 0xA002
#define TAG_PIXEL_HEIGHT 0xA003
#define TAG_INTEROP 0xA005

#define TYPE_SHORT 3
#define TYPE_LONG 4

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
    static const uint16_t first[] = { TAG_WIDTH, TAG_HEIGHT, 0x0102, 0x0103, 0x0106, TAG_ORIENTATION, 0x0115, 0x011A,
                                      0x011B, 0x011C, 0x0128, 0x0131, 0x0132, 0x0213, TAG_EXIF };
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

void gf_exif_set_size(unsigned char *exif, size_t size, int64_t width, int64_t height)
{
    struct block x;
    const size_t directory = open_block(&x, exif, size), second = find_number(&x, directory, TAG_EXIF);

    if (width < 1 || height < 1 || width > UINT32_MAX || height > UINT32_MAX)
        return;
    set_number(&x, exif, directory, TAG_WIDTH, (uint32_t)width);
    set_number(&x, exif, directory, TAG_HEIGHT, (uint32_t)height);
    set_number(&x, exif, second, TAG_PIXEL_WIDTH, (uint32_t)width);
    set_number(&x, exif, second, TAG_PIXEL_HEIGHT, (uint32_t)height);
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
static int mark_data(struct cleaning *c, size_t directory, uint32_t offsets_tag, uint32_t bytes_tag)
{
    const size_t offsets = find_entry(&c->x, directory, offsets_tag), bytes = find_entry(&c->x, directory, bytes_tag);
    const size_t count = offsets > 0 && bytes > 0 ? number(&c->x, offsets + 4, 4) : 0;

    for (size_t i = 0; i < count && i < c->x.size; i++)
        if (mark(c, list_number(&c->x, offsets, i), list_number(&c->x, bytes, i), DROPPED) != 0)
            return -1;
    return 0;
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

        if (mark_directory(c, next, DROPPED) != 0 || mark_data(c, next, TAG_JPEG_OFFSET, TAG_JPEG_BYTES) != 0
            || mark_data(c, next, TAG_STRIP_OFFSETS, TAG_STRIP_BYTES) != 0)
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
