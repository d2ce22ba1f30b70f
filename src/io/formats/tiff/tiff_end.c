/*
 * Finds the end of a TIFF, which its header does not state: the end of everything that its directories
 * refer to. Another TIFF may begin there. Built if HAVE_TIFF.
 */
#include "io/bytes.h"
#include "io/formats/tiff/tiff.h"

#include <string.h>

#define MOST_DEPTH  4                    /* directories within directories */
#define BLOCK_BYTES 4096
#define SPARE_BYTES 65536                /* read beyond what is certain not to be a loop */

enum {
    SUBFILE_TYPE = 254, STRIP_OFFSETS = 273, STRIP_SIZES = 279, TILE_OFFSETS = 324, TILE_SIZES = 325,
    SUBDIRECTORIES = 330, JPEG_OFFSET = 513, JPEG_SIZE = 514, EXIF = 34665, GPS = 34853, INTEROPERABILITY = 40965
};

struct walk {
    struct gf_tiff_file *f;
    bool motorola, big;                  /* byte order; offsets of 64 bits */
    uint64_t size, end;                  /* of the file; of what was found in it */
    int64_t pages;                       /* directories that are no smaller version of a page, and no mask */
    uint64_t taken, samples;             /* bytes that were read; bytes of strips and tiles, which are not */
};

/* The values of an entry of a directory. */
struct values {
    uint64_t at, count;
    unsigned bytes;                      /* of a value; 0: an unknown type */
};

int64_t gf_tiff_read_at(struct gf_tiff_file *f, int64_t at, void *to, size_t size)
{
    const int64_t left = at < f->size ? f->size - at : 0;
    const size_t count = (int64_t)size < left ? size : (size_t)left;

    if (f->source != NULL)
        return gf_source_read_at(f->source, f->base + at, to, count, &f->error);
    memcpy(to, f->bytes + f->base + at, count);
    return (int64_t)count;
}

bool gf_tiff_begins(const unsigned char b[4])
{
    const uint32_t version = gf_get16(b + 2, b[0] == 'M');

    return b[0] == b[1] && (b[0] == 'I' || b[0] == 'M') && (version == 42 || version == 43);
}

/* Moves the end after these bytes. If they are not in the file, it is damaged, and all of it counts. */
static bool reach(struct walk *w, uint64_t at, uint64_t bytes)
{
    const bool there = at <= w->size && bytes <= w->size - at;
    const uint64_t end = there ? at + bytes : w->size;

    w->end = end > w->end ? end : w->end;
    return there;
}

static bool get(struct walk *w, uint64_t at, unsigned char *to, size_t bytes)
{
    if (!reach(w, at, bytes))
        return false;
    w->taken += bytes;
    if (w->taken / 2 > (w->samples < w->size ? w->size - w->samples : 0) + SPARE_BYTES
        || gf_tiff_read_at(w->f, (int64_t)at, to, bytes) != (int64_t)bytes) {
        w->end = w->size;                        /* a loop */
        return false;
    }
    return true;
}

static uint64_t number(const struct walk *w, const unsigned char *b, unsigned bytes)
{
    return gf_get_number(b, (int)bytes, w->motorola);
}

/* Returns value `i`, or 0 if it cannot be read. */
static uint64_t value(struct walk *w, const struct values *v, uint64_t i)
{
    unsigned char b[8];

    return i < v->count && v->bytes > 0 && get(w, v->at + i * v->bytes, b, v->bytes) ? number(w, b, v->bytes) : 0;
}

/* Includes strips or tiles. Without a size, the end is unknown. */
static void reach_parts(struct walk *w, const struct values *offsets, const struct values *sizes)
{
    unsigned char at[BLOCK_BYTES], size[BLOCK_BYTES];
    const uint64_t block = BLOCK_BYTES / 8;

    if (offsets->bytes == 0 || sizes->bytes == 0 || sizes->count < offsets->count) {
        if (offsets->count > 0)
            w->end = w->size;
        return;
    }
    for (uint64_t i = 0; i < offsets->count && w->end < w->size; i += block) {
        const uint64_t n = offsets->count - i < block ? offsets->count - i : block;

        if (!get(w, offsets->at + i * offsets->bytes, at, (size_t)(n * offsets->bytes))
            || !get(w, sizes->at + i * sizes->bytes, size, (size_t)(n * sizes->bytes)))
            return;
        for (uint64_t k = 0; k < n; k++) {
            const uint64_t from = number(w, at + k * offsets->bytes, offsets->bytes);
            const uint64_t bytes = number(w, size + k * sizes->bytes, sizes->bytes);

            if (from > 0)
                reach(w, from, bytes > 0 ? bytes : w->size);
            w->samples += bytes < w->size ? bytes : w->size;
        }
    }
}

/* Includes the values of the entry at `at`, whose bytes are `b`. */
static struct values take_values(struct walk *w, uint64_t at, const unsigned char *b)
{
    static const unsigned char type_bytes[] = { 0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8 };
    const uint32_t type = gf_get16(b + 2, w->motorola);
    const unsigned within = w->big ? 8 : 4;
    struct values v = { .bytes = type < sizeof type_bytes ? type_bytes[type] : 0 };

    v.count = number(w, b + 4, within);
    if (v.bytes > 0 && v.count <= within / v.bytes) {
        v.at = at + 4 + within;
    } else {
        v.at = number(w, b + 4 + within, within);
        if (!reach(w, v.at, v.count <= w->size ? v.count * v.bytes : w->size))
            v.bytes = 0;
    }
    return v;
}

static void walk_directories(struct walk *w, uint64_t at, int depth);

static void walk_within(struct walk *w, const struct values *v, int depth)
{
    for (uint64_t i = 0; i < v->count && w->end < w->size; i++)
        walk_directories(w, value(w, v, i), depth + 1);
}

/* Includes a directory of `count` entries from `at` on. */
static void walk_entries(struct walk *w, uint64_t at, uint64_t count, int depth)
{
    struct values offsets = { 0 }, sizes = { 0 }, jpeg = { 0 }, jpeg_size = { 0 };
    const unsigned bytes = w->big ? 20 : 12;
    bool auxiliary = false;
    unsigned char b[20];

    for (uint64_t i = 0; i < count && get(w, at, b, bytes); i++, at += bytes) {
        const struct values v = take_values(w, at, b);

        switch (gf_get16(b, w->motorola)) {
        case SUBFILE_TYPE:
            auxiliary = (value(w, &v, 0) & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) != 0;
            break;
        case STRIP_OFFSETS:
        case TILE_OFFSETS:
            offsets = v;
            break;
        case STRIP_SIZES:
        case TILE_SIZES:
            sizes = v;
            break;
        case JPEG_OFFSET:
            jpeg = v;
            break;
        case JPEG_SIZE:
            jpeg_size = v;
            break;
        case SUBDIRECTORIES:
        case EXIF:
        case GPS:
        case INTEROPERABILITY:
            walk_within(w, &v, depth);
            break;
        default:
            break;
        }
    }
    reach_parts(w, &offsets, &sizes);
    reach_parts(w, &jpeg, &jpeg_size);
    w->pages += depth == 0 && !auxiliary;
}

/* Includes a list of directories. */
static void walk_directories(struct walk *w, uint64_t at, int depth)
{
    const unsigned count_bytes = w->big ? 8 : 2, next_bytes = w->big ? 8 : 4;
    unsigned char b[8];

    while (at != 0 && depth < MOST_DEPTH && w->end < w->size && get(w, at, b, count_bytes)) {
        const uint64_t count = number(w, b, count_bytes), bytes = w->big ? 20 : 12;

        if (count > w->size / bytes || !get(w, at + count_bytes + count * bytes, b, next_bytes)) {
            w->end = w->size;
            return;
        }
        at += count_bytes;
        walk_entries(w, at, count, depth);
        if (!get(w, at + count * bytes, b, next_bytes))
            return;
        at = number(w, b, next_bytes);
    }
}

/* Returns true if a TIFF of at most `size` bytes begins at `base`, with a directory. */
static bool is_file(struct gf_tiff_file *f, int64_t base, const unsigned char *head, int64_t size)
{
    const bool motorola = head[0] == 'M', big = gf_get16(head + 2, motorola) == 43;
    const struct walk w = { .motorola = motorola };
    const uint64_t at = number(&w, head + (big ? 8 : 4), big ? 8 : 4);
    unsigned char entry[12];

    if (!gf_tiff_begins(head) || at < 8 || at >= (uint64_t)size
        || gf_tiff_read_at(f, base + (int64_t)at, entry, sizeof entry) != (int64_t)sizeof entry)
        return false;
    return number(&w, entry, big ? 8 : 2) > 0 && gf_get16(entry + (big ? 8 : 2), motorola) >= 254;
}

int64_t gf_tiff_find_next(struct gf_tiff_file *f, int64_t end)
{
    unsigned char bytes[GF_TIFF_UNUSED_BYTES + 16] = { 0 };
    const int64_t there = gf_tiff_read_at(f, end, bytes, sizeof bytes);

    if (there >= 4 && gf_tiff_begins(bytes))             /* even if it is cut short */
        return end;
    if (there >= 5 && end % 2 == 1 && gf_tiff_begins(bytes + 1))
        return end + 1;
    for (int64_t i = 0; i + 16 <= there && i <= GF_TIFF_UNUSED_BYTES; i++)
        if (is_file(f, end + i, bytes + i, f->size - end - i))
            return end + i;
    return -1;
}

int64_t gf_tiff_end(struct gf_tiff_file *f, int64_t *pages)
{
    struct walk w = { .f = f, .size = (uint64_t)f->size };
    unsigned char head[16] = { 0 };

    *pages = 0;
    if (!get(&w, 0, head, f->size < 16 ? (size_t)f->size : sizeof head) || !gf_tiff_begins(head))
        return f->size;
    w.motorola = head[0] == 'M';
    w.big = gf_get16(head + 2, w.motorola) == 43;
    w.end = w.big ? 16 : 8;
    walk_directories(&w, number(&w, head + (w.big ? 8 : 4), w.big ? 8 : 4), 0);
    *pages = w.pages;
    return (int64_t)w.end;
}
