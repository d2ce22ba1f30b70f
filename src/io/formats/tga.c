/*
 * Reads TGA: gray, palettes, colors of 15 to 32 bits, with and without run-length coding, from all
 * four origins.
 */
#define _GNU_SOURCE
#include "io/bytes.h"
#include "io/format.h"
#include "io/formats/alpha.h"
#include "io/formats/raster.h"
#include "io/formats/stb.h"
#include "io/limits.h"

#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES 18
#define FOOTER_BYTES 26                  /* version 2: the offset of the extension, and a signature */
#define EXTENSION_BYTES 495

enum { MAPPED = 1, COLOUR = 2, GRAY = 3, RUNS = 8 };     /* image types; RUNS is added to one of the others */

/*
 * Attributes type of version 2: what the extension says about alpha. Files without an extension say
 * nothing.
 */
enum alpha_kind { ALPHA_UNSTATED = -1, ALPHA_NONE, ALPHA_IGNORED, ALPHA_RETAINED, ALPHA_USED, ALPHA_MULTIPLIED };

struct tga {
    struct gf_raster raster;
    int64_t width, height, pixels;       /* offset of the pixels */
    unsigned type, depth, alpha_bits;
    bool from_right, from_top, runs;
    int alpha_kind;                      /* enum alpha_kind; other values have no effect */
    int channels;
    int64_t first, colours;              /* indexes of the first palette entry, and of the one after the last */
    unsigned char palette[65536][4];     /* black outside these indexes */
};

static int pixel_bytes(const struct tga *t)
{
    return (int)(t->depth + 7) / 8;
}

static bool has_alpha(const struct tga *t)
{
    return t->channels == 2 || t->channels == 4;
}

/* ---- the header ---- */

/* Recognizes a header by plausible values, because TGA has no signature. */
static bool is_tga(const unsigned char *b)
{
    unsigned type = b[2] & 7u, map = gf_get16(b + 5, false), depth = b[16];
    bool deep = depth == 15 || depth == 16 || depth == 24 || depth == 32;

    if (b[1] > 1 || (b[2] & ~8u) != type || (b[17] & 0xC0) != 0 || gf_get16(b + 12, false) == 0
        || gf_get16(b + 14, false) == 0)
        return false;
    if (type == MAPPED)
        return b[1] == 1 && map > 0 && b[7] >= 15 && b[7] <= 32 && (depth == 8 || depth == 16);
    if (b[1] == 0 && map != 0)
        return false;
    return (type == COLOUR && deep) || (type == GRAY && (depth == 8 || depth == 16));
}

/* Scales five bits to eight. */
static uint8_t scale_five(uint32_t v)
{
    return (uint8_t)(((v & 31) * 510 + 31) / 62);
}

/* Converts a stored color of 15 to 32 bits to RGBA. */
static void decode_colour(const unsigned char *from, unsigned depth, unsigned char *to)
{
    if (depth <= 16) {
        const uint32_t v = gf_get16(from, false);

        to[0] = scale_five(v >> 10);
        to[1] = scale_five(v >> 5);
        to[2] = scale_five(v);
        to[3] = v >> 15 != 0 ? 255 : 0;
        return;
    }
    to[0] = from[2];
    to[1] = from[1];
    to[2] = from[0];
    to[3] = depth == 32 ? from[3] : 255;
}

/* Makes the entries of an earlier image black again. */
static void forget_palette(struct tga *t)
{
    if (t->colours > t->first)
        memset(t->palette[t->first], 0, (size_t)(t->colours - t->first) * sizeof t->palette[0]);
    t->first = t->colours = 0;
}

/* Reads the palette. Its first entry has the index stated in the header. */
static int read_palette(struct gf_reader *r, const unsigned char *header, int64_t at, struct gf_error *err)
{
    struct tga *t = r->state;
    const unsigned depth = header[7];
    const int64_t first = gf_get16(header + 3, false), count = gf_get16(header + 5, false), entry = (depth + 7) / 8;
    unsigned char *stored = malloc((size_t)(count * entry) + 1);
    int result = stored != NULL ? gf_raster_get(r, at, stored, count * entry, err) : gf_fail_memory(err, r->name);
    bool alpha = false;

    for (int64_t i = 0; result == 0 && i < count && first + i < 65536; i++) {
        decode_colour(stored + i * entry, depth, t->palette[first + i]);
        alpha = alpha || (depth == 32 && t->palette[first + i][3] != 0);
    }
    t->first = first;
    t->colours = first + count;
    t->channels = alpha ? 4 : 3;
    free(stored);
    return result;
}

/*
 * Finds the footer of version 2 after the pixels, which end at `from`: the areas between them have any length.
 * Returns 1, 0 if there is none, or -1.
 */
static int find_footer(struct gf_reader *r, int64_t from, unsigned char footer[FOOTER_BYTES], struct gf_error *err)
{
    static const unsigned char signature[18] = "TRUEVISION-XFILE.";
    struct tga *t = r->state;
    unsigned char block[4096];

    for (int64_t at = from; t->raster.size - at >= FOOTER_BYTES; at += (int64_t)sizeof block - FOOTER_BYTES + 1) {
        const int64_t left = t->raster.size - at;
        const size_t there = left < (int64_t)sizeof block ? (size_t)left : sizeof block;
        const unsigned char *found;

        if (gf_raster_get(r, at, block, (int64_t)there, err) != 0)
            return -1;
        found = memmem(block + 8, there - 8, signature, sizeof signature);
        if (found != NULL) {
            memcpy(footer, found - 8, FOOTER_BYTES);
            t->raster.end = at + (found - block) + (int64_t)sizeof signature;
            return 1;
        }
    }
    return 0;
}

/*
 * Finds the end of the image whose pixels end at `from`, and reads what the extension of version 2 says about
 * alpha. An extension that is too short or not in the image is ignored.
 */
static int read_extension(struct gf_reader *r, int64_t from, struct gf_error *err)
{
    struct tga *t = r->state;
    unsigned char footer[FOOTER_BYTES], length[2], kind = 0;
    int64_t at;
    int found = gf_raster_begins(r, from, is_tga, err);

    t->alpha_kind = ALPHA_UNSTATED;
    t->raster.end = from;
    if (found != 0)                              /* another image follows, so a footer would be of that */
        return found < 0 ? -1 : 0;
    found = find_footer(r, from, footer, err);
    if (found <= 0)
        return found;
    at = gf_get32(footer, false);
    if (at == 0 || at > t->raster.end - EXTENSION_BYTES)
        return 0;
    if (gf_raster_get(r, at, length, 2, err) != 0 || gf_raster_get(r, at + EXTENSION_BYTES - 1, &kind, 1, err) != 0)
        return -1;
    if (gf_get16(length, false) >= EXTENSION_BYTES)
        t->alpha_kind = kind;
    return 0;
}

static int check_kind(const struct gf_reader *r, const unsigned char *header, struct gf_error *err)
{
    const struct tga *t = r->state;
    const unsigned map = header[7];
    bool fits = false;

    if (t->width == 0 || t->height == 0 || header[2] == 0)
        return gf_fail(err, GF_FAILED, "%s: has no pixels", r->name);
    if ((header[17] & 0xC0) != 0)
        return gf_fail(err, GF_FAILED, "%s: interleaved TGA is not supported; convert it to PNG first", r->name);
    if ((header[2] & ~RUNS) < MAPPED || (header[2] & ~RUNS) > GRAY)
        return gf_fail(err, GF_FAILED, "%s: TGA of type %d is not supported; convert it to PNG first",
                       r->name, header[2]);
    if (t->type == MAPPED)
        fits = (t->depth == 8 || t->depth == 16) && header[1] == 1
            && (map == 15 || map == 16 || map == 24 || map == 32);
    else if (t->type == GRAY)
        fits = t->depth == 8 || t->depth == 16;
    else
        fits = t->depth == 15 || t->depth == 16 || t->depth == 24 || t->depth == 32;
    if (fits)
        return 0;
    return gf_fail(err, GF_FAILED, "%s: TGA of type %d with %u bits per pixel is not supported; convert it to PNG "
                   "first", r->name, header[2], t->depth);
}

static int read_header(struct gf_reader *r, struct gf_error *err)
{
    struct tga *t = r->state;
    unsigned char h[HEADER_BYTES];
    int64_t map_bytes;

    if (gf_raster_get(r, 0, h, sizeof h, err) != 0)
        return -1;
    forget_palette(t);
    t->type = h[2] & 7u;
    t->runs = (h[2] & RUNS) != 0;
    t->width = gf_get16(h + 12, false);
    t->height = gf_get16(h + 14, false);
    t->depth = h[16];
    t->alpha_bits = h[17] & 15;
    t->from_right = (h[17] & 16) != 0;
    t->from_top = (h[17] & 32) != 0;
    if (check_kind(r, h, err) != 0 || gf_limits_check_size(r->name, t->width, t->height, 0, r->options, err) != 0)
        return -1;
    map_bytes = h[1] != 0 ? (int64_t)gf_get16(h + 5, false) * ((h[7] + 7) / 8) : 0;
    t->pixels = HEADER_BYTES + h[0] + map_bytes;
    t->channels = t->type == GRAY ? (t->depth == 16 ? 2 : 1)
                : t->depth == 32 || (t->depth == 16 && t->alpha_bits > 0) ? 4 : 3;
    if (t->type == MAPPED && read_palette(r, h, HEADER_BYTES + h[0], err) != 0)
        return -1;
    return 0;
}

/* ---- pixels ---- */

/* Decodes packets of up to 128 pixels, which may continue from one row to the next. */
static int decode_packets(struct gf_reader *r, int64_t *end, struct gf_error *err)
{
    struct tga *t = r->state;
    struct gf_raster_cursor from = { .at = t->pixels };
    const size_t bytes = (size_t)pixel_bytes(t);
    int64_t left = t->width * t->height;
    unsigned char *to;

    if (gf_raster_unpack(r, t->width, t->height, (int64_t)bytes, err) != 0)
        return -1;
    to = t->raster.unpacked;
    while (left > 0) {
        const int packet = gf_raster_byte(r, &from, err);
        const size_t stated = ((size_t)packet & 127) + 1, count = (int64_t)stated < left ? stated : (size_t)left;

        if (packet < 0)
            return packet == -1 ? gf_fail_cut(err, "%s: is cut short", r->name) : -1;
        if (gf_raster_take(r, &from, to, packet < 128 ? count * bytes : bytes, err) != 0)
            return -1;
        for (size_t i = 1; packet >= 128 && i < count; i++)
            memcpy(to + i * bytes, to, bytes);
        if (count < stated)
            gf_warn(r->notices, "tga-outside", r->name, "is damaged: pixels outside the image are ignored");
        to += count * bytes;
        left -= (int64_t)count;
    }
    *end = from.at;
    return 0;
}

/*
 * Returns the stored pixels of a row, counted from the top: in memory, or read into line->bytes.
 * Returns NULL after an error.
 */
static const unsigned char *find_row(const struct gf_reader *r, int64_t row, struct gf_raster_line *line,
                                     struct gf_error *err)
{
    const struct tga *t = r->state;
    const int64_t bytes = t->width * pixel_bytes(t), at = (t->from_top ? row : t->height - 1 - row) * bytes;

    if (t->raster.unpacked != NULL)
        return t->raster.unpacked + at;
    return gf_raster_get_row(r, line, 0, t->pixels + at, line->bytes, bytes, err) == 0 ? line->bytes : NULL;
}

static uint32_t index_at(const struct tga *t, const unsigned char *from)
{
    return t->depth == 8 ? from[0] : gf_get16(from, false);
}

static void put_indexes(const struct gf_reader *r, const unsigned char *from, ptrdiff_t step, unsigned char *to)
{
    const struct tga *t = r->state;
    uint32_t least = UINT32_MAX, most = 0;

    for (int64_t x = 0; x < t->width; x++, to += t->channels) {
        const uint32_t index = index_at(t, from + x * step);

        least = index < least ? index : least;
        most = index > most ? index : most;
        memcpy(to, t->palette[index], (size_t)t->channels);
    }
    if (least < t->first || most >= t->colours)
        gf_warn(r->notices, "tga-palette", r->name, "is damaged: pixels with an index outside the palette are black");
}

static void put_bgr(const struct tga *t, const unsigned char *from, ptrdiff_t step, int channels, unsigned char *to)
{
    for (int64_t x = 0; x < t->width; x++, to += channels) {
        const unsigned char *pixel = from + x * step;

        to[0] = pixel[2];
        to[1] = pixel[1];
        to[2] = pixel[0];
        if (channels == 4)
            to[3] = pixel[3];
    }
}

static void put_small(const struct tga *t, const unsigned char *from, ptrdiff_t step, int channels, unsigned char *to)
{
    for (int64_t x = 0; x < t->width; x++, to += channels) {
        unsigned char colour[4];

        decode_colour(from + x * step, t->depth, colour);
        memcpy(to, colour, (size_t)channels);
    }
}

static void put_gray(const struct tga *t, const unsigned char *from, ptrdiff_t step, int channels, unsigned char *to)
{
    for (int64_t x = 0; x < t->width; x++, to += channels)
        memcpy(to, from + x * step, (size_t)channels);
}

static int decode(const struct gf_reader *r, int64_t row, struct gf_raster_line *line, void *to, struct gf_error *err)
{
    const struct tga *t = r->state;
    const unsigned char *from = find_row(r, row, line, err);
    const ptrdiff_t bytes = pixel_bytes(t), step = t->from_right ? -bytes : bytes;

    if (from == NULL)
        return -1;
    if (t->from_right)
        from += (t->width - 1) * bytes;
    if (t->type == MAPPED)
        put_indexes(r, from, step, to);
    else if (t->type == GRAY)
        put_gray(t, from, step, t->channels, to);
    else if (t->depth <= 16)
        put_small(t, from, step, t->channels, to);
    else
        put_bgr(t, from, step, t->channels, to);
    if (t->alpha_kind == ALPHA_MULTIPLIED && has_alpha(t))
        gf_alpha_divide(&r->format, to, (size_t)t->width);
    return 0;
}

/*
 * Drops alpha that the extension declares undefined or absent. Warns if the data should be
 * retained, or if the header has alpha bits although the extension says that there is no alpha.
 */
static void drop_alpha(struct gf_reader *r)
{
    struct tga *t = r->state;

    if (!has_alpha(t) || t->alpha_kind < ALPHA_NONE || t->alpha_kind > ALPHA_RETAINED)
        return;
    t->channels--;
    if (t->alpha_kind == ALPHA_RETAINED)
        gf_warn(r->notices, "tga-alpha", r->name, "data in place of alpha is dropped, because its header says that it "
                "is not alpha");
    else if (t->alpha_kind == ALPHA_NONE && t->alpha_bits > 0)
        gf_warn(r->notices, "tga-alpha", r->name,
                "alpha is dropped: its header has %u bits of alpha, but its extension says that there is none",
                t->alpha_bits);
}

/*
 * Decides if there is alpha. The header states the number of alpha bits. If it is 0, other programs
 * still use the last byte as alpha, unless it is 0 everywhere. The single bit of 16-bit pixels is
 * often 0, too.
 */
static int find_alpha(struct gf_reader *r, struct gf_error *err)
{
    struct tga *t = r->state;
    const bool bit = t->type == COLOUR && t->depth == 16;
    const struct gf_raster_pixels pixels = { .width = t->width, .height = t->height, .bytes = pixel_bytes(t),
                                             .mask = bit ? 128 : 255, .declared = t->alpha_bits > 0,
                                             .find_row = find_row };
    int found;

    if (t->type == MAPPED || !has_alpha(t) || (t->alpha_bits > 0 && !bit))
        return 0;
    found = gf_raster_find_alpha(r, &pixels, err);
    if (found == 0)
        t->channels--;
    return found < 0 ? -1 : 0;
}

/* ---- the reader ---- */

static int tga_next(struct gf_reader *r, struct gf_error *err)
{
    struct tga *t = r->state;
    const int more = gf_raster_begin(r, is_tga, err);
    int64_t end;

    if (more != 1)
        return more;
    if (read_header(r, err) != 0)
        return -1;
    end = t->pixels + t->width * t->height * pixel_bytes(t);
    if (t->runs && decode_packets(r, &end, err) != 0)
        return -1;
    if (end > t->raster.size)
        return gf_fail_cut(err, "%s: is cut short", r->name);
    if (read_extension(r, end, err) != 0)
        return -1;
    drop_alpha(r);
    if (find_alpha(r, err) != 0)
        return -1;
    t->raster.decode = decode;
    t->raster.line_bytes = t->runs ? 0 : (size_t)(t->width * pixel_bytes(t));
    r->format = (struct gf_format) { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = t->channels,
                                     .alpha = has_alpha(t), .width = t->width, .units = t->height };
    r->random = true;
    return 1;
}

static const struct gf_reader_ops tga_ops = {
    .next = tga_next, .read = gf_raster_read, .read_at = gf_raster_read_at, .close = gf_raster_close,
    .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_FILE,
};

static int tga_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    return gf_reader_begin(r, s, o, &tga_ops, sizeof(struct tga), err);
}

static int tga_resembles(struct gf_source *s, struct gf_error *err)
{
    const unsigned char *b;
    int64_t size = gf_source_peek(s, HEADER_BYTES, &b, err);

    return size < 0 ? -1 : size >= HEADER_BYTES && is_tga(b);
}

const struct gf_file_format gf_file_format_tga = {
    .name = "tga", .title = "TGA", .kinds = 1 << GF_IMAGE, .resembles = tga_resembles, .open = tga_open,
    .hardened = true, .image = &gf_stb_write_tga,
    .notes = { "TGA", "gray, palette, color, all origins", "metadata on writing; alpha that is not declared", NULL },
};
