/* Reads PBM, PGM, PPM, PAM (plain and binary) and PFM. A stream may have several images. */
#define _GNU_SOURCE
#include "io/formats/pnm.h"

#include "io/limits.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES 65536        /* rows are read together up to this size, because each read is a system call */

static int fail_short(const struct gf_reader *r, int64_t rows, struct gf_error *err)
{
    return gf_fail_cut(err, "%s: ends after row %lld of %lld", r->name, (long long)rows,
                       (long long)r->format.units);
}

/* Locates the stored rows: in the file, in memory, or in the order of a pipe. */
static int find_rows(struct gf_reader *r, struct gf_error *err)
{
    struct gf_pnm *p = r->state;
    struct gf_format *f = &r->format;
    size_t size;
    int64_t got;

    p->data = r->source->position;
    p->row = 0;
    r->random = r->source->random && p->stored_bytes > 0;
    if (r->random) {
        int64_t rows = (r->source->size - p->data) / (int64_t)p->stored_bytes;

        return rows < f->units ? fail_short(r, rows > 0 ? rows : 0, err) : 0;
    }
    if (p->kind != 'F' && p->kind != 'f')
        return 0;
    if (gf_limits_check_size(r->name, f->width, f->units, 4 * f->channels,
                             r->options, err) != 0)
        return -1;
    size = p->stored_bytes * (size_t)f->units;
    p->whole = malloc(size);
    if (p->whole == NULL)
        return gf_fail_memory_hint(err, r->name, "write it to a file first");
    got = gf_source_read(r->source, p->whole, size, err);
    if (got >= 0 && (size_t)got < size)
        return fail_short(r, got / (int64_t)p->stored_bytes, err);
    r->random = r->passing = true;
    return got < 0 ? -1 : 0;
}

static void warn_above(const struct gf_reader *r)
{
    gf_warn(r->notices, "maxval", r->name, "samples above its maxval, %u, are clipped", r->format.maxval);
}

/*
 * Reads one row of plain text. In a plain PBM each digit is a pixel, with or without spaces between
 * them.
 */
static int plain_row(struct gf_reader *r, void *row, struct gf_error *err)
{
    struct gf_pnm *p = r->state;
    const struct gf_format *f = &r->format;
    int64_t count = f->width * f->channels;
    bool above = false;

    for (int64_t i = 0; i < count; i++) {
        int c = gf_pnm_byte(r, err);
        int64_t value;

        if (c == -1)
            return fail_short(r, p->row, err);
        if (c >= 0 && (c < '0' || c > (p->kind == '1' ? '1' : '9')))
            return gf_fail(err, GF_FAILED, "%s: row %lld contains something that is not a number", r->name,
                           (long long)p->row + 1);
        if (c >= 0 && p->kind == '1')
            value = '1' - c;
        else if (gf_pnm_digits(r, c, &value, err) != 0)
            return -1;
        if (value > (int64_t)f->maxval) {
            above = true;
            value = f->maxval;
        }
        if (f->type == GF_U8)
            ((uint8_t *)row)[i] = (uint8_t)value;
        else
            ((uint16_t *)row)[i] = (uint16_t)value;
    }
    if (above)
        warn_above(r);
    return 0;
}

/* Moves to the end of the current image. */
static int skip_image(struct gf_reader *r, struct gf_error *err)
{
    struct gf_pnm *p = r->state;
    int64_t left = r->format.units - (r->source->random ? 0 : p->row);
    void *row;
    int result = 0;

    if (p->whole != NULL) {
        free(p->whole);
        p->whole = NULL;
        return 0;
    }
    if (p->stored_bytes > 0)
        return gf_source_skip(r->source, left * (int64_t)p->stored_bytes, err) < 0 ? -1 : 0;
    row = malloc(gf_unit_bytes(&r->format));
    if (row == NULL)
        return gf_fail_memory(err, r->name);
    for (; result == 0 && p->row < r->format.units; p->row++)
        result = plain_row(r, row, err);
    free(row);
    return result;
}

static int pnm_next(struct gf_reader *r, struct gf_error *err)
{
    struct gf_pnm *p = r->state;
    int c;

    if (p->images > 0 && skip_image(r, err) != 0)
        return -1;
    r->random = r->passing = false;
    do
        c = gf_source_byte(r->source, err);
    while (gf_pnm_blank(c) || (c == 0 && p->images > 0));
    if (c < 0)
        return c == -1 && p->images > 0 ? 0 : c == -1 ? gf_pnm_fail_header(r, err) : -1;
    p->kind = 0;
    if (c == 'P' && (c = gf_source_byte(r->source, err)) > 0)
        p->kind = (char)c;
    if (p->kind == 0 || strchr("1234567Ff", p->kind) == NULL)
        return p->images == 0 ? gf_fail(err, GF_FAILED, "%s: is not a PNM image", r->name)
                              : gf_fail(err, GF_FAILED, "%s: the data after image %lld is not another image",
                                        r->name, (long long)p->images);
    if (gf_pnm_header(r, err) != 0 || find_rows(r, err) != 0)
        return -1;
    p->images++;
    return 1;
}

/* Reads stored bytes of rows from `start`. Without random access, `start` must be the next row. */
static int read_stored(struct gf_reader *r, int64_t start, size_t skip, void *to, size_t size, struct gf_error *err)
{
    struct gf_pnm *p = r->state;
    int64_t offset = start * (int64_t)p->stored_bytes + (int64_t)skip;
    int64_t got;

    if (p->whole != NULL) {
        memcpy(to, p->whole + offset, size);
        return 0;
    }
    if (r->random)
        got = gf_source_read_at(r->source, p->data + offset, to, size, err);
    else
        got = gf_source_read(r->source, to, size, err);
    if (got < 0)
        return -1;
    return (size_t)got < size ? fail_short(r, (offset + got) / (int64_t)p->stored_bytes, err) : 0;
}

/* Unpacks bits to pixels, the first from the highest bit. A set bit is black. */
static void unpack_bits(const unsigned char *from, size_t count, uint8_t *to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (uint8_t)(~from[i / 8] >> (7 - i % 8) & 1);
}

/* Reads a row of bits that is longer than a block. */
static int long_bitmap_row(struct gf_reader *r, int64_t row, uint8_t *to, struct gf_error *err)
{
    const struct gf_pnm *p = r->state;
    const size_t width = (size_t)r->format.width;
    unsigned char block[BLOCK_BYTES];

    for (size_t at = 0; at < p->stored_bytes; at += sizeof block) {
        const size_t size = p->stored_bytes - at < sizeof block ? p->stored_bytes - at : sizeof block;

        if (read_stored(r, row, at, block, size, err) != 0)
            return -1;
        unpack_bits(block, width - at * 8 < size * 8 ? width - at * 8 : size * 8, to + at * 8);
    }
    return 0;
}

/* Reads rows of bits that fit into a block together. */
static int short_bitmap_rows(struct gf_reader *r, int64_t start, uint8_t *to, int64_t count, struct gf_error *err)
{
    const struct gf_pnm *p = r->state;
    const size_t width = (size_t)r->format.width;
    unsigned char block[BLOCK_BYTES];

    if (read_stored(r, start, 0, block, (size_t)count * p->stored_bytes, err) != 0)
        return -1;
    for (int64_t i = 0; i < count; i++)
        unpack_bits(block + (size_t)i * p->stored_bytes, width, to + (size_t)i * width);
    return 0;
}

static int bitmap_rows(struct gf_reader *r, int64_t start, uint8_t *to, int64_t count, struct gf_error *err)
{
    const struct gf_pnm *p = r->state;
    const int64_t fit = (int64_t)(BLOCK_BYTES / p->stored_bytes);

    for (int64_t i = 0, n; i < count; i += n, to += (size_t)n * (size_t)r->format.width) {
        n = fit < 1 ? 1 : fit < count - i ? fit : count - i;
        if ((fit < 1 ? long_bitmap_row(r, start + i, to, err) : short_bitmap_rows(r, start + i, to, n, err)) != 0)
            return -1;
    }
    return 0;
}

/* Converts stored samples to native byte order and clips them at maxval. */
static void clip_samples(const struct gf_reader *r, void *units, size_t count)
{
    uint8_t *small = units;
    uint16_t *wide = units;
    unsigned most = 0;

    if (r->format.type == GF_U8) {
        uint8_t top = (uint8_t)r->format.maxval, highest = 0;

        for (size_t i = 0; i < count && top < 255; i++) {
            highest = small[i] > highest ? small[i] : highest;
            small[i] = small[i] < top ? small[i] : top;
        }
        most = highest;
    } else {
        uint16_t top = (uint16_t)r->format.maxval, highest = 0;

        for (size_t i = 0; i < count; i++) {
            uint16_t v = be16toh(wide[i]);

            highest = v > highest ? v : highest;
            wide[i] = v < top ? v : top;
        }
        most = highest;
    }
    if (most > r->format.maxval)
        warn_above(r);
}

/* Reads rows of a PFM, which stores them from bottom to top: reads one block, then reverses it. */
static int float_rows(struct gf_reader *r, int64_t start, char *units, int64_t count, struct gf_error *err)
{
    struct gf_pnm *p = r->state;
    size_t bytes = p->stored_bytes;
    char chunk[4096];

    if (read_stored(r, r->format.units - start - count, 0, units, (size_t)count * bytes, err) != 0)
        return -1;
    for (int64_t i = 0, j = count - 1; i < j; i++, j--) {
        char *a = units + (size_t)i * bytes, *b = units + (size_t)j * bytes;

        for (size_t at = 0; at < bytes; at += sizeof chunk) {
            size_t size = bytes - at < sizeof chunk ? bytes - at : sizeof chunk;

            memcpy(chunk, a + at, size);
            memcpy(a + at, b + at, size);
            memcpy(b + at, chunk, size);
        }
    }
    for (size_t i = 0; p->big_endian && i < (size_t)count * bytes / 4; i++)
        ((uint32_t *)(void *)units)[i] = be32toh(((uint32_t *)(void *)units)[i]);
    return 0;
}

/* Copies the channels of --channels from one stored row. */
static void pick_channels(const struct gf_reader *r, const char *row, char *to)
{
    const struct gf_pnm *p = r->state;
    const struct gf_format *f = &r->format;
    const size_t bytes = gf_type_bytes(f->type);

    for (int64_t x = 0; x < f->width; x++)
        for (int c = 0; c < f->channels; c++, to += bytes)
            memcpy(to, row + ((size_t)x * (size_t)p->depth + (size_t)r->options->channels.number[c] - 1) * bytes,
                   bytes);
}

/* Reads rows of a PAM, with only the channels of --channels. */
static int picked_rows(struct gf_reader *r, int64_t start, char *units, int64_t count, struct gf_error *err)
{
    const struct gf_pnm *p = r->state;
    const int64_t fit = (int64_t)(BLOCK_BYTES / p->stored_bytes), rows = fit < 1 ? 1 : fit < count ? fit : count;
    char *block = malloc((size_t)rows * p->stored_bytes);
    int result = block != NULL ? 0 : gf_fail_memory(err, r->name);

    for (int64_t y = 0; y < count && result == 0; y += rows) {
        const int64_t n = count - y < rows ? count - y : rows;

        result = read_stored(r, start + y, 0, block, (size_t)n * p->stored_bytes, err);
        for (int64_t i = 0; i < n && result == 0; i++, units += gf_unit_bytes(&r->format))
            pick_channels(r, block + (size_t)i * p->stored_bytes, units);
    }
    free(block);
    return result;
}

static int pnm_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    struct gf_pnm *p = r->state;
    const struct gf_format *f = &r->format;
    size_t bytes = gf_unit_bytes(f);

    if (p->kind == 'F' || p->kind == 'f')
        return float_rows(r, start, units, count, err);
    if (p->kind == '4')
        return bitmap_rows(r, start, units, count, err);
    if ((r->options->channels.count > 0 ? picked_rows(r, start, units, count, err)
         : read_stored(r, start, 0, units, (size_t)count * bytes, err)) != 0)
        return -1;
    clip_samples(r, units, (size_t)count * (size_t)f->width * (size_t)f->channels);
    return 0;
}

static int64_t pnm_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct gf_pnm *p = r->state;

    if (count > r->format.units - p->row)
        count = r->format.units - p->row;
    if (p->stored_bytes > 0) {
        if (pnm_read_at(r, p->row, units, count, err) != 0)
            return -1;
        p->row += count;
        return count;
    }
    for (int64_t i = 0; i < count; i++, p->row++) {
        if (plain_row(r, (char *)units + (size_t)i * gf_unit_bytes(&r->format), err) != 0)
            return -1;
    }
    return count;
}

static void pnm_close(struct gf_reader *r)
{
    struct gf_pnm *p = r->state;

    free(p->whole);
}

static const struct gf_reader_ops pnm_ops = {
    .next = pnm_next, .read = pnm_read, .read_at = pnm_read_at, .close = pnm_close,
    .view_bytes = sizeof(struct gf_pnm),
};

static int pnm_match(struct gf_source *s, struct gf_error *err)
{
    const unsigned char *b;
    int64_t size = gf_source_peek(s, 3, &b, err);

    if (size < 0)
        return -1;
    return size >= 3 && b[0] == 'P' && b[1] != '\0' && strchr("1234567Ff", b[1]) != NULL
        && (gf_pnm_blank(b[2]) || b[2] == '#');
}

static int pnm_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    return gf_reader_begin(r, s, o, &pnm_ops, sizeof(struct gf_pnm), err);
}

/* Readers of all PNM formats are the same: the content decides, not the name. */
#define PNM(word, called, flow) \
    .name = #word, .title = called, .kinds = 1 << GF_IMAGE, .streams = flow, .open = pnm_open, .picks = true, \
    .hardened = true, .counted = true, .image = &gf_write_##word, .sequence = true

const struct gf_file_format gf_file_format_pbm = { PNM(pbm, "PBM", GF_STREAMS_BOTH) };
const struct gf_file_format gf_file_format_pgm = { PNM(pgm, "PGM", GF_STREAMS_BOTH) };
const struct gf_file_format gf_file_format_ppm = { PNM(ppm, "PPM", GF_STREAMS_BOTH) };
const struct gf_file_format gf_file_format_pam = { PNM(pam, "PAM", GF_STREAMS_BOTH) };
const struct gf_file_format gf_file_format_pfm = { PNM(pfm, "PFM", 0) };
const struct gf_file_format gf_file_format_pnm = {
    PNM(pnm, "PGM, PPM or PAM", GF_STREAMS_BOTH), .match = pnm_match, .usual = GF_USUAL_IMAGE,
    .notes = { "PNM, PAM, PFM", "samples; PAM with any number of channels",
               "alpha in PPM and PGM; samples above the maxval; the scale of PFM", "files that are cut short" },
};
