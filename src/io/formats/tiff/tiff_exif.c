/*
 * Copies EXIF between a TIFF and a block of EXIF, which is a small TIFF without pixels. Offsets are rewritten, and
 * values get the byte order of the copy. Only known directories are followed, each once, so that no loop is endless.
 * Built if HAVE_TIFF.
 */
#include "io/formats/tiff/tiff_exif.h"

#include "io/bytes.h"
#include "io/metadata/description.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ENTRIES 400                 /* of a directory; cameras write up to 100 */
#define MOST_BYTES   (UINT64_C(1) << 28) /* of all values */

enum { MAIN, PHOTO, PLACE, INTEROP, DIRECTORIES };
enum {
    PROCESSING = 11, DESCRIPTION = 270, MAKE = 271, MODEL = 272, SOFTWARE = 305, DATE_TIME = 306, ARTIST = 315,
    HOST = 316, RATING = 0x4746, RATING_PERCENT = 0x4749, COPYRIGHT = 0x8298, PHOTO_POINTER = 34665,
    PLACE_POINTER = 34853, CAMERA = 50708, TITLE = 0x9C9B, SUBJECT = 0x9C9F, INTEROP_POINTER = 0xA005
};
enum { BYTE = 1, ASCII = 2, SHORT = 3, LONG = 4, IFD = 13, LONG8 = 16, IFD8 = 18, UTF8 = 129 };

struct order {
    bool motorola, big;                  /* most significant byte first; offsets of 64 bits */
};

struct entry {
    uint32_t tag, type, count;
    size_t at, bytes;                    /* its values, in `values` below */
};

struct directory {
    struct entry entry[MOST_ENTRIES];    /* by tag */
    int entries;
    uint64_t from, to;                   /* its offset in the original, 0: none; and in the copy */
};

struct copy {
    struct gf_tiff_file *file;
    struct gf_tiff *page;                /* counts bytes; NULL: a block of EXIF in memory */
    const struct gf_meta *meta;          /* limits bytes */
    struct order from, to;
    struct directory directory[DIRECTORIES];
    unsigned char *values;               /* in the order of the copy */
    size_t used, room;
    bool damaged;                        /* something was left out */
};

static uint64_t get(const unsigned char *b, unsigned bytes, bool motorola)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++)
        value = value << 8 | b[motorola ? i : bytes - 1 - i];
    return value;
}

static void put(unsigned char *b, uint64_t value, unsigned bytes, bool motorola)
{
    for (unsigned i = 0; i < bytes; i++)
        b[motorola ? bytes - 1 - i : i] = (unsigned char)(value >> 8 * i);
}

static unsigned entry_bytes(struct order o)
{
    return o.big ? 20 : 12;
}

/* Returns the bytes of a count of values or of an offset; values of so many bytes are in the entry. */
static unsigned word_bytes(struct order o)
{
    return o.big ? 8 : 4;
}

static unsigned count_bytes(struct order o)
{
    return o.big ? 8 : 2;
}

static unsigned type_bytes(uint32_t type)
{
    static const unsigned char bytes[] = { 0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8 };

    return type == UTF8 ? 1 : type < sizeof bytes ? bytes[type] : 0;
}

/* Returns the bytes that change places together if the byte order changes. */
static unsigned unit_bytes(uint32_t type)
{
    const unsigned bytes = type_bytes(type);

    return type == 5 || type == 10 ? 4 : bytes;          /* a fraction is two numbers */
}

/* ---- reading ---- */

/* Makes room for the values of one more entry. */
static unsigned char *add_room(struct copy *c, size_t bytes, struct gf_error *err)
{
    const size_t room = c->used + bytes > 2 * c->room ? c->used + bytes + 4096 : 2 * c->room;
    unsigned char *more = c->values;

    if (c->used + bytes > c->room) {
        more = realloc(c->values, room);
        if (more == NULL) {
            gf_fail_memory(err, c->file->name);
            return NULL;
        }
        c->values = more;
        c->room = room;
    }
    return more + c->used;
}

/* Adds an entry at its place. Returns NULL if the directory has this tag, or is full. */
static struct entry *add_entry(struct copy *c, int which, uint32_t tag, uint32_t type, uint32_t count)
{
    struct directory *d = &c->directory[which];
    int at = d->entries;

    while (at > 0 && d->entry[at - 1].tag > tag)
        at--;
    if (d->entries == MOST_ENTRIES || (at > 0 && d->entry[at - 1].tag == tag)) {
        c->damaged = true;
        return NULL;
    }
    memmove(d->entry + at + 1, d->entry + at, (size_t)(d->entries - at) * sizeof *d->entry);
    d->entry[at] = (struct entry) { .tag = tag, .type = type, .count = count, .at = c->used,
                                    .bytes = (size_t)count * type_bytes(type) };
    d->entries++;
    return &d->entry[at];
}

/* Reads bytes of the original. Returns 1, 0 if they are not there, or -1. */
static int take(struct copy *c, uint64_t at, void *to, size_t bytes, struct gf_error *err)
{
    int64_t got;

    if (at > (uint64_t)c->file->size || bytes > (uint64_t)c->file->size - at) {
        c->damaged = true;
        return 0;
    }
    if (c->page != NULL && gf_tiff_count_metadata(c->page, bytes, err) != 0)
        return -1;
    got = gf_tiff_read_at(c->file, (int64_t)at, to, bytes);
    if (got == (int64_t)bytes)
        return 1;
    c->damaged = true;
    return got < 0 ? gf_tiff_fail(c->file, "decoded", err) : 0;
}

/* Copies the values of an entry, whose bytes are `b`, from the original. */
static int take_values(struct copy *c, int which, const unsigned char *b, struct gf_error *err)
{
    const bool motorola = c->from.motorola;
    const unsigned word = word_bytes(c->from);
    const uint64_t count = get(b + 4, word, motorola);
    const uint32_t tag = gf_get16(b, motorola), type = gf_get16(b + 2, motorola);
    const uint64_t most = (uint64_t)c->file->size < MOST_BYTES ? (uint64_t)c->file->size : MOST_BYTES;
    const unsigned unit = unit_bytes(type), each = type_bytes(type);
    struct entry *e;
    unsigned char *to;

    if (each == 0 || count == 0 || count > most / each || c->used > MOST_BYTES) {
        c->damaged = c->damaged || count > 0;
        return 0;
    }
    if (gf_meta_check_room(c->meta, c->used + (size_t)count * each, err) != 0)
        return -1;
    e = add_entry(c, which, tag, type, (uint32_t)count);
    to = e != NULL ? add_room(c, e->bytes, err) : NULL;
    if (to == NULL)
        return e == NULL ? 0 : -1;
    if (e->bytes <= word) {
        memcpy(to, b + 4 + word, e->bytes);
    } else {
        const int there = take(c, get(b + 4 + word, word, motorola), to, e->bytes, err);

        if (there <= 0) {
            struct directory *d = &c->directory[which];

            memmove(e, e + 1, (size_t)(d->entry + --d->entries - e) * sizeof *e);
            return there;
        }
    }
    for (size_t i = 0; unit > 1 && motorola != c->to.motorola && i < e->bytes; i += unit)
        put(to + i, get(to + i, unit, motorola), unit, c->to.motorola);
    c->used += e->bytes;
    return 0;
}

/* Returns true for tags of a main directory that EXIF may have, other than those about its samples. */
static bool is_carried(uint32_t tag)
{
    static const uint16_t tags[] = { PROCESSING, DESCRIPTION, MAKE, MODEL, SOFTWARE, DATE_TIME, ARTIST, HOST, RATING,
                                     RATING_PERCENT, COPYRIGHT, CAMERA };

    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (tags[i] == tag)
            return true;
    return tag >= TITLE && tag <= SUBJECT;
}

/* Returns the directory that an entry refers to, or -1. */
static int pointed(int which, uint32_t tag)
{
    if (which == MAIN && (tag == PHOTO_POINTER || tag == PLACE_POINTER))
        return tag == PHOTO_POINTER ? PHOTO : PLACE;
    return which == PHOTO && tag == INTEROP_POINTER ? INTEROP : -1;
}

/* Keeps the offset of a directory, unless it is that of another one. */
static void keep_pointer(struct copy *c, int to, const unsigned char *b)
{
    const bool motorola = c->from.motorola;
    const uint32_t type = gf_get16(b + 2, motorola);
    const unsigned word = word_bytes(c->from), bytes = type == LONG8 || type == IFD8 ? 8 : 4;
    bool good = (type == LONG || type == IFD || (bytes == 8 && word == 8)) && get(b + 4, word, motorola) == 1
        && c->directory[to].from == 0;
    const uint64_t at = good ? get(b + 4 + word, bytes, motorola) : 0;

    for (int i = 0; i < DIRECTORIES; i++)
        good = good && at != c->directory[i].from;
    if (good)
        c->directory[to].from = at;
    c->damaged = c->damaged || !good;
}

/* Reads a directory. One that is not in the file is left out. */
static int take_directory(struct copy *c, int which, struct gf_error *err)
{
    const uint64_t at = c->directory[which].from;
    const unsigned each = entry_bytes(c->from), head_bytes = count_bytes(c->from);
    unsigned char head[8], *table;
    uint64_t count;
    int result;

    if (at == 0)
        return 0;
    result = take(c, at, head, head_bytes, err);
    if (result <= 0)
        return result;
    count = get(head, head_bytes, c->from.motorola);
    if (count > UINT16_MAX) {
        c->damaged = true;
        return 0;
    }
    table = malloc((size_t)count * each + 1);
    if (table == NULL)
        return gf_fail_memory(err, c->file->name);
    result = take(c, at + head_bytes, table, (size_t)count * each, err);
    for (uint64_t i = 0; result > 0 && i < count; i++) {
        const unsigned char *b = table + i * each;
        const uint32_t tag = gf_get16(b, c->from.motorola);
        const int to = pointed(which, tag);

        if (to >= 0)
            keep_pointer(c, to, b);
        else if (which != MAIN || is_carried(tag))
            result = take_values(c, which, b, err) != 0 ? -1 : 1;
    }
    free(table);
    return result < 0 ? -1 : 0;
}

static int take_all(struct copy *c, struct gf_error *err)
{
    for (int i = 0; i < DIRECTORIES; i++)
        if (take_directory(c, i, err) != 0)
            return -1;
    return 0;
}

/* ---- the copy ---- */

static uint64_t even(uint64_t bytes)
{
    return bytes + (bytes & 1);
}

static uint64_t directory_bytes(const struct copy *c, int which)
{
    const struct directory *d = &c->directory[which];
    uint64_t bytes = count_bytes(c->to) + (uint64_t)d->entries * entry_bytes(c->to) + word_bytes(c->to);

    for (int i = 0; i < d->entries; i++)
        if (d->entry[i].bytes > word_bytes(c->to))
            bytes += even(d->entry[i].bytes);
    return even(bytes);
}

/* Adds the entry that refers to a directory, if there is one. Its value is set later. */
static int add_pointer(struct copy *c, int in, uint32_t tag, int which, struct gf_error *err)
{
    if (c->directory[which].entries == 0)
        return 0;
    if (add_entry(c, in, tag, LONG, 1) == NULL)
        return 0;
    if (add_room(c, 4, err) == NULL)
        return -1;
    c->used += 4;
    return 0;
}

/* Gives the directories their places from `base` on. Returns the end. */
static uint64_t lay_out(struct copy *c, int first, uint64_t base)
{
    for (int i = first; i < DIRECTORIES; i++) {
        struct directory *d = &c->directory[i];

        d->to = d->entries > 0 ? base : 0;
        base += d->entries > 0 ? directory_bytes(c, i) : 0;
    }
    for (int i = MAIN; i <= PHOTO; i++)
        for (int k = 0; k < c->directory[i].entries; k++) {
            const struct entry *e = &c->directory[i].entry[k];
            const int to = pointed(i, e->tag);

            if (to >= 0)
                put(c->values + e->at, c->directory[to].to, 4, c->to.motorola);
        }
    return base;
}

/* Writes a directory at its place in the copy, which begins at `base`. */
static void put_directory(const struct copy *c, int which, unsigned char *copy, uint64_t base)
{
    const struct directory *d = &c->directory[which];
    const bool motorola = c->to.motorola;
    const unsigned word = word_bytes(c->to), each = entry_bytes(c->to);
    unsigned char *b = copy + (d->to - base);
    uint64_t values = d->to + count_bytes(c->to) + (uint64_t)d->entries * each + word;

    if (d->entries == 0)
        return;
    put(b, (uint64_t)d->entries, count_bytes(c->to), motorola);
    b += count_bytes(c->to);
    for (int i = 0; i < d->entries; i++, b += each) {
        const struct entry *e = &d->entry[i];

        put(b, e->tag, 2, motorola);
        put(b + 2, e->type, 2, motorola);
        put(b + 4, e->count, word, motorola);
        if (e->bytes <= word) {
            memcpy(b + 4 + word, c->values + e->at, e->bytes);
            continue;
        }
        put(b + 4 + word, values, word, motorola);
        memcpy(copy + (values - base), c->values + e->at, e->bytes);
        values += even(e->bytes);
    }
}

/* Makes the copy of the directories from `first` on, after `base` bytes. The caller frees it. */
static unsigned char *make_copy(struct copy *c, int first, uint64_t base, size_t *size, struct gf_error *err)
{
    unsigned char *copy;

    if (add_pointer(c, PHOTO, INTEROP_POINTER, INTEROP, err) != 0
        || (first == MAIN && (add_pointer(c, MAIN, PHOTO_POINTER, PHOTO, err) != 0
                              || add_pointer(c, MAIN, PLACE_POINTER, PLACE, err) != 0)))
        return NULL;
    *size = (size_t)(lay_out(c, first, base) - base);
    copy = calloc(*size + 1, 1);
    if (copy == NULL)
        gf_fail_memory(err, c->file->name);
    for (int i = first; copy != NULL && i < DIRECTORIES; i++)
        put_directory(c, i, copy, base);
    return copy;
}

static void release(struct copy *c)
{
    if (c != NULL)
        free(c->values);
    free(c);
}

/* ---- a page that is read ---- */

static bool has_camera(TIFF *t)
{
    uint64_t at = 0;
    const char *text = NULL;

    return TIFFGetField(t, TIFFTAG_EXIFIFD, &at) || TIFFGetField(t, TIFFTAG_GPSIFD, &at)
        || TIFFGetField(t, TIFFTAG_MAKE, &text) || TIFFGetField(t, TIFFTAG_MODEL, &text);
}

/* A description by another program is about the images of this file, and is updated as a text. */
static void forget_description(struct copy *c, const struct gf_meta *m)
{
    struct directory *d = &c->directory[MAIN];
    bool described = false;

    for (int i = 0; i < m->texts; i++)
        described = described || (strcmp(m->text[i].key, "Description") == 0
                                  && gf_description_is(m->text[i].value));
    for (int i = 0; described && i < d->entries; i++)
        if (d->entry[i].tag == DESCRIPTION) {
            memmove(d->entry + i, d->entry + i + 1, (size_t)(--d->entries - i) * sizeof *d->entry);
            break;
        }
}

static int make_block(struct copy *c, struct gf_meta *m, struct gf_error *err)
{
    unsigned char head[8] = { 'I', 'I', 42, 0, 8 }, *block;
    size_t size = 0;
    int result;

    if (c->directory[MAIN].entries + c->directory[PHOTO].entries + c->directory[PLACE].entries == 0)
        return 0;
    block = make_copy(c, MAIN, sizeof head, &size, err);
    if (block == NULL)
        return -1;
    if (c->to.motorola)
        memcpy(head, (unsigned char[]) { 'M', 'M', 0, 42, 0, 0, 0, 8 }, sizeof head);
    result = gf_meta_set_exif(m, head, sizeof head, err);
    if (result == 0)
        result = gf_meta_append_exif(m, block, size, err);
    free(block);
    return result;
}

int gf_tiff_exif_read(struct gf_tiff *p, struct gf_meta *m, struct gf_error *err)
{
    unsigned char head[4];
    struct copy *c;
    int result = -1;

    if (!has_camera(p->t))
        return 0;
    c = calloc(1, sizeof *c);
    if (c == NULL)
        return gf_fail_memory(err, p->file.name);
    c->file = &p->file;
    c->page = p;
    c->meta = m;
    c->directory[MAIN].from = TIFFCurrentDirOffset(p->t);
    if (gf_tiff_read_at(&p->file, 0, head, sizeof head) != sizeof head) {
        gf_tiff_fail(&p->file, "decoded", err);
        goto out;
    }
    c->from = (struct order) { head[0] == 'M', gf_get16(head + 2, head[0] == 'M') == 43 };
    c->to.motorola = c->from.motorola;
    if (take_all(c, err) != 0)
        goto out;
    forget_description(c, m);
    result = make_block(c, m, err);
    m->parts |= c->damaged ? GF_PART_SOME_EXIF : 0;
out:
    release(c);
    return result;
}

/* ---- a page that is written ---- */

/* libtiff does not know these tags. */
static void add_fields(TIFF *t)
{
    static const TIFFFieldInfo fields[] = {
        { PROCESSING, TIFF_VARIABLE, TIFF_VARIABLE, TIFF_ASCII, FIELD_CUSTOM, 1, 0, (char *)"ProcessingSoftware" },
        { RATING, 1, 1, TIFF_SHORT, FIELD_CUSTOM, 1, 0, (char *)"Rating" },
        { RATING_PERCENT, 1, 1, TIFF_SHORT, FIELD_CUSTOM, 1, 0, (char *)"RatingPercent" },
        { TITLE, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_BYTE, FIELD_CUSTOM, 1, 1, (char *)"XPTitle" },
        { TITLE + 1, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_BYTE, FIELD_CUSTOM, 1, 1, (char *)"XPComment" },
        { TITLE + 2, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_BYTE, FIELD_CUSTOM, 1, 1, (char *)"XPAuthor" },
        { TITLE + 3, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_BYTE, FIELD_CUSTOM, 1, 1, (char *)"XPKeywords" },
        { SUBJECT, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_BYTE, FIELD_CUSTOM, 1, 1, (char *)"XPSubject" },
    };

    TIFFMergeFieldInfo(t, fields, sizeof fields / sizeof *fields);
}

/* Sets a tag of the page, unless a text has set it. One whose type a TIFF cannot have is left out. */
static bool put_tag(TIFF *t, struct copy *c, const struct entry *e)
{
    const unsigned char *b = c->values + e->at;
    const void *there = NULL;
    uint32_t count = 0;
    char *text;
    bool done;

    if (e->type == BYTE && e->tag >= TITLE && e->tag <= SUBJECT)
        return TIFFSetField(t, e->tag, e->count, b) && TIFFGetField(t, e->tag, &count, &there) && there != NULL;
    if (e->type == SHORT && e->count == 1 && (e->tag == RATING || e->tag == RATING_PERCENT))
        return TIFFSetField(t, e->tag, (unsigned)get(b, 2, c->to.motorola));
    if ((e->type != ASCII && e->type != UTF8) || e->tag == RATING || e->tag == RATING_PERCENT
        || (e->tag >= TITLE && e->tag <= SUBJECT)) {
        c->damaged = true;
        return true;
    }
    if (TIFFGetField(t, e->tag, &there) || b[0] == '\0')
        return true;
    text = strndup((const char *)b, e->count);
    done = text != NULL && TIFFSetField(t, e->tag, text) && TIFFGetField(t, e->tag, &there) && there != NULL;
    free(text);
    return done;
}

/* Appends the directories to the file and lets the page refer to them. */
static bool put_directories(TIFF *t, struct copy *c, struct gf_tiff_file *file)
{
    const uint64_t base = even((uint64_t)file->size);
    size_t size = 0;
    unsigned char *copy = make_copy(c, PHOTO, base, &size, &file->error);
    const uint64_t photo = c->directory[PHOTO].to, place = c->directory[PLACE].to;
    bool done = copy != NULL && (c->to.big || base + size <= UINT32_MAX);

    file->failed = file->failed || copy == NULL;
    done = done && (size == 0 || gf_tiff_append(file, (int64_t)base, copy, size))
        && (photo == 0 || TIFFSetField(t, TIFFTAG_EXIFIFD, photo))
        && (place == 0 || TIFFSetField(t, TIFFTAG_GPSIFD, place));
    free(copy);
    return done;
}

bool gf_tiff_exif_write(TIFF *t, struct gf_tiff_file *file, const struct gf_meta *m, bool big, bool *damaged)
{
    const bool motorola = m->exif_bytes > 0 && m->exif[0] == 'M';
    struct gf_tiff_file block = { .name = file->name, .bytes = m->exif, .size = (int64_t)m->exif_bytes };
    struct copy *c;
    bool done;

    if (m->exif_bytes < 14 || !gf_tiff_begins(m->exif))
        return true;
    c = calloc(1, sizeof *c);
    if (c == NULL) {
        file->failed = true;
        gf_fail_memory(&file->error, file->name);
        return false;
    }
    c->file = &block;
    c->meta = &(struct gf_meta) { 0 };
    c->from.motorola = motorola;
    c->to = (struct order) { TIFFIsBigEndian(t) != 0, big };
    c->directory[MAIN].from = gf_get32(m->exif + 4, motorola);
    done = take_all(c, &file->error) == 0;
    file->failed = file->failed || !done;
    add_fields(t);
    for (int i = 0; done && i < c->directory[MAIN].entries; i++)
        done = put_tag(t, c, &c->directory[MAIN].entry[i]);
    done = done && put_directories(t, c, file);
    *damaged = c->damaged;
    release(c);
    return done;
}
