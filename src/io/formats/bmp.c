/*
 * Reads BMP of 1 to 32 bits per pixel, with palettes, bit masks and run-length coding. Rows can be
 * read in any order.
 */
#include "io/formats/bmp.h"

#include "io/bytes.h"
#include "io/format.h"
#include "io/formats/stb.h"

#include <stdlib.h>
#include <string.h>

#define ALPHA 3

/* ---- pixels ---- */

/*
 * Converts indexes of 1, 2, 4 or 8 bits to colors. The first index of a byte is in its highest
 * bits.
 */
static void put_indexes(const struct gf_reader *r, const unsigned char *from, unsigned bits, uint8_t *to)
{
    const struct gf_bmp *b = r->state;
    const unsigned mask = (1u << bits) - 1, in_byte = 8 / bits;
    unsigned most = 0;

    for (int64_t x = 0; x < b->width; x++, to += 3) {
        const unsigned index = (unsigned)from[x / in_byte] >> (8 - bits - (unsigned)(x % in_byte) * bits) & mask;

        most = index > most ? index : most;
        memcpy(to, b->palette[index], 3);
    }
    if (b->few_colours && (int)most >= b->colours)
        gf_warn(r->notices, "bmp-palette", r->name, "is damaged: pixels with an index outside the palette are black");
}

static void put_bgr(const struct gf_bmp *b, const unsigned char *from, uint8_t *to)
{
    for (int64_t i = 0; i < 3 * b->width; i += 3) {
        to[i] = from[i + 2];
        to[i + 1] = from[i + 1];
        to[i + 2] = from[i];
    }
}

static uint32_t pixel_at(const struct gf_bmp *b, const unsigned char *from, int64_t x)
{
    return b->bits == 16 ? gf_get16(from + 2 * x, false) : gf_get32(from + 4 * x, false);
}

static void put_fields(const struct gf_bmp *b, const unsigned char *from, int channels, uint8_t *to)
{
    for (int64_t x = 0; x < b->width; x++)
        for (int c = 0; c < channels; c++) {
            const struct gf_bmp_field *f = &b->fields[c];

            *to++ = f->scaled[(pixel_at(b, from, x) & f->mask) >> f->shift];
        }
}

static void put_deep_fields(const struct gf_bmp *b, const unsigned char *from, int channels, uint16_t *to)
{
    for (int64_t x = 0; x < b->width; x++)
        for (int c = 0; c < channels; c++) {
            const struct gf_bmp_field *f = &b->fields[c];
            const uint64_t top = f->mask >> f->shift, v = (pixel_at(b, from, x) & f->mask) >> f->shift;

            *to++ = (uint16_t)((2 * v * 65535 + top) / (2 * top));
        }
}

static int get_row(const struct gf_reader *r, int64_t row, struct gf_raster_line *line, struct gf_error *err)
{
    const struct gf_bmp *b = r->state;

    return gf_raster_get_row(r, line, 0, b->pixels + (b->top_down ? row : b->height - 1 - row) * b->stride, line->bytes,
                             (b->width * b->bits + 7) / 8, err);
}

static const unsigned char *find_row(const struct gf_reader *r, int64_t row, struct gf_raster_line *line,
                                     struct gf_error *err)
{
    return get_row(r, row, line, err) == 0 ? line->bytes : NULL;
}

static int decode(const struct gf_reader *r, int64_t row, struct gf_raster_line *line, void *to, struct gf_error *err)
{
    const struct gf_bmp *b = r->state;
    const unsigned char *from = line->bytes;

    if (b->raster.unpacked != NULL)
        from = b->raster.unpacked + (size_t)(row * b->width * (b->bits == 24 ? 3 : 1));
    else if (get_row(r, row, line, err) != 0)
        return -1;
    if (b->bits <= 8)
        put_indexes(r, from, b->raster.unpacked != NULL ? 8 : b->bits, to);
    else if (b->bits == 24)
        put_bgr(b, from, to);
    else if (b->deep)
        put_deep_fields(b, from, r->format.channels, to);
    else
        put_fields(b, from, r->format.channels, to);
    return 0;
}

/* ---- the reader ---- */

/*
 * Decides if the fourth byte of 32-bit pixels without masks is alpha. Some files store alpha there,
 * most store zeros, and the header does not say which. The byte counts as alpha if it is not 0
 * everywhere, with a warning. ImageMagick decides the same way.
 */
static int find_alpha(const struct gf_reader *r, struct gf_bmp *b, struct gf_error *err)
{
    const struct gf_raster_pixels pixels = { .width = b->width, .height = b->height, .bytes = 4, .mask = 255,
                                             .find_row = find_row };
    int found;

    if (b->bits != 32 || b->compression != GF_BMP_RGB)
        return 0;
    found = gf_raster_find_alpha(r, &pixels, err);
    if (found == 0)
        b->fields[ALPHA].mask = 0;
    return found < 0 ? -1 : 0;
}

/* Checks that all rows are in the file. The padding of the last row may be missing. */
static int check_length(struct gf_reader *r, struct gf_error *err)
{
    struct gf_bmp *b = r->state;
    const int64_t bytes = (b->height - 1) * b->stride + (b->width * b->bits + 7) / 8;

    if (b->pixels > b->raster.size || bytes > b->raster.size - b->pixels)
        return gf_fail_cut(err, "%s: is cut short", r->name);
    gf_bmp_end_pixels(b, b->pixels + b->height * b->stride);
    return 0;
}

/* Two letters alone are too few to recognize BMP, so the size of its second header counts, too. */
static bool begins(const unsigned char *b)
{
    return b[0] == 'B' && b[1] == 'M' && gf_get16(b + 16, false) == 0 && gf_get16(b + 14, false) >= 12
        && gf_get16(b + 14, false) <= GF_BMP_MOST_HEADER;
}

/*
 * Finds the end of the image: after its pixels and profile if another image is there, or where the header says,
 * which is often wrong. The padding of the last row may be missing.
 */
static int find_end(struct gf_reader *r, struct gf_error *err)
{
    struct gf_bmp *b = r->state;
    const int64_t size = b->raster.size, end = b->end < size ? b->end : size;
    const int more = gf_raster_begins(r, end, begins, err);

    if (more < 0)
        return -1;
    b->raster.end = more == 0 && b->stated > b->end - 4 && b->stated <= size ? b->stated : end;
    return 0;
}

static int bmp_next(struct gf_reader *r, struct gf_error *err)
{
    struct gf_bmp *b = r->state;
    const int more = gf_raster_begin(r, begins, err);

    if (more != 1)
        return more;
    memset(&b->raster + 1, 0, sizeof *b - sizeof b->raster);
    if (gf_bmp_header(r, err) != 0)
        return -1;
    if ((gf_bmp_is_runs(b) ? gf_bmp_unpack(r, err) : check_length(r, err)) != 0 || find_end(r, err) != 0
        || find_alpha(r, b, err) != 0)
        return -1;
    b->raster.decode = decode;
    b->raster.line_bytes = gf_bmp_is_runs(b) ? 0 : (size_t)b->stride;
    r->format = (struct gf_format) {
        .kind = GF_IMAGE, .type = b->deep ? GF_U16 : GF_U8, .bits = b->deep ? 16 : 8, .maxval = b->deep ? 65535 : 255,
        .channels = b->fields[ALPHA].mask != 0 ? 4 : 3, .alpha = b->fields[ALPHA].mask != 0, .width = b->width,
        .units = b->height,
    };
    r->random = true;
    return 1;
}

static const struct gf_reader_ops bmp_ops = {
    .next = bmp_next, .read = gf_raster_read, .read_at = gf_raster_read_at, .close = gf_raster_close,
    .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_FILE,
};

static int bmp_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    return gf_reader_begin(r, s, o, &bmp_ops, sizeof(struct gf_bmp), err);
}

static int bmp_match(struct gf_source *s, struct gf_error *err)
{
    const unsigned char *b;
    int64_t size = gf_source_peek(s, 2, &b, err);

    if (size < 2 || b[0] != 'B' || b[1] != 'M')
        return size < 0 ? -1 : 0;
    size = gf_source_peek(s, 18, &b, err);
    return size < 18 ? (size < 0 ? -1 : 0) : begins(b);
}

const struct gf_file_format gf_file_format_bmp = {
    .name = "bmp", .title = "BMP", .kinds = 1 << GF_IMAGE, .match = bmp_match, .open = bmp_open, .hardened = true,
    .image = &gf_stb_write_bmp,
    .notes = { "BMP", "1 to 32 bits, RLE, OS/2; profile, resolution read", "metadata on writing; alpha",
               "JPEG, PNG, Huffman, CMYK inside" },
};
