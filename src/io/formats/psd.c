/*
 * Reads the merged image of PSD and PSB (bitmap, gray, indexed, RGB; 8, 16, 32 bits). Rows can be
 * read in any order.
 */
#include "io/formats/psd.h"

#include "io/bytes.h"
#include "io/format.h"

#include <stdlib.h>
#include <string.h>

/* ---- locating rows ---- */

/* Ends the image after its last channel. Only the channels up to `needed` must be there. */
static int end_at(const struct gf_reader *r, int64_t needed, int64_t end, struct gf_error *err)
{
    struct gf_psd *p = r->state;

    p->raster.end = end < p->raster.size ? end : p->raster.size;
    return needed <= p->raster.size ? 0 : gf_fail_cut(err, "%s: is cut short", r->name);
}

/*
 * Reads the table of row lengths, which is before the rows: channel by channel, from top to bottom.
 */
static int find_packed_rows(struct gf_reader *r, int64_t at, struct gf_error *err)
{
    struct gf_psd *p = r->state;
    const int64_t bytes = p->large ? 4 : 2, all = p->channels * p->height, kept = p->kept * p->height;
    const size_t most = 2 * (size_t)gf_psd_row_bytes(p) + 256;
    unsigned char *lengths;
    int64_t row = at + all * bytes;

    if (row > p->raster.size)
        return gf_fail_cut(err, "%s: is cut short", r->name);
    lengths = malloc((size_t)(all * bytes));
    p->rows = malloc(((size_t)kept + 1) * sizeof *p->rows);
    if (lengths == NULL || p->rows == NULL) {
        free(lengths);
        return gf_fail_memory(err, r->name);
    }
    if (gf_raster_get(r, at, lengths, all * bytes, err) != 0) {
        free(lengths);
        return -1;
    }
    for (int64_t i = 0; i < all; i++) {
        const size_t length = p->large ? gf_get32(lengths + 4 * i, true) : gf_get16(lengths + 2 * i, true);

        if (i <= kept)
            p->rows[i] = row;
        row += (int64_t)length;
        if (i < kept)
            p->most_packed = length > p->most_packed ? length : p->most_packed;
    }
    if (all == kept)
        p->rows[kept] = row;
    free(lengths);
    if (p->most_packed > most)
        return gf_fail(err, GF_FAILED, "%s: is damaged: a compressed row is too long", r->name);
    return end_at(r, p->rows[kept], row, err);
}

static int find_rows(struct gf_reader *r, struct gf_error *err)
{
    struct gf_psd *p = r->state;
    unsigned char b[2];
    unsigned compression;

    if (gf_raster_get(r, p->merged, b, sizeof b, err) != 0)
        return -1;
    compression = gf_get16(b, true);
    p->merged += (int64_t)sizeof b;
    if (compression > 1)
        return gf_fail(err, GF_FAILED, "%s: PSD with %s is not supported; convert it to PNG or TIFF first", r->name,
                       compression <= 3 ? "ZIP compression" : "an unknown compression");
    p->packed = compression == 1;
    if (p->packed)
        return find_packed_rows(r, p->merged, err);
    return end_at(r, p->merged + p->kept * p->height * gf_psd_row_bytes(p),
                  p->merged + p->channels * p->height * gf_psd_row_bytes(p), err);
}

/* Decodes PackBits. Literal bytes and runs must fill the row exactly. */
static int decode_packbits(const struct gf_reader *r, const unsigned char *from, size_t size,
                           unsigned char *to, size_t room, struct gf_error *err)
{
    const unsigned char *const end = from + size;

    while (room > 0 && from < end) {
        const unsigned code = *from++;
        const size_t count = code < 128 ? code + 1 : 257 - code;

        if (code == 128)
            continue;
        if (count > room || (size_t)(end - from) < (code < 128 ? count : 1))
            break;
        if (code < 128)
            memcpy(to, from, count);
        else
            memset(to, *from, count);
        from += code < 128 ? count : 1;
        to += count;
        room -= count;
    }
    return room == 0 ? 0 : gf_fail(err, GF_FAILED, "%s: is damaged: a compressed row does not fill the width", r->name);
}

/* Reads a row of one channel to `to`. line->bytes is a buffer for a compressed row. */
static int get_plane(const struct gf_reader *r, int channel, int64_t row, struct gf_raster_line *line,
                     unsigned char *to, struct gf_error *err)
{
    const struct gf_psd *p = r->state;
    const int64_t n = channel * p->height + row, bytes = gf_psd_row_bytes(p);

    if (!p->packed)
        return gf_raster_get_row(r, line, channel, p->merged + n * bytes, to, bytes, err);
    if (gf_raster_get_row(r, line, channel, p->rows[n], line->bytes, p->rows[n + 1] - p->rows[n], err) != 0)
        return -1;
    return decode_packbits(r, line->bytes, (size_t)(p->rows[n + 1] - p->rows[n]), to, (size_t)bytes, err);
}

/* ---- samples ---- */

static void put_plane(const struct gf_psd *p, const unsigned char *from, int channel, void *to)
{
    uint8_t *small = to;
    uint16_t *wide = to;
    uint32_t *bits = to;                         /* of floats */

    for (int64_t x = 0, at = channel; x < p->width; x++, at += p->kept) {
        if (p->depth == 1)
            small[at] = (uint8_t)(~from[x / 8] >> (7 - x % 8) & 1);
        else if (p->depth == 8)
            small[at] = from[x];
        else if (p->depth == 16)
            wide[at] = (uint16_t)gf_get16(from + 2 * x, true);
        else
            bits[at] = gf_get32(from + 4 * x, true);
    }
}

static void put_indexes(const struct gf_psd *p, const unsigned char *from, uint8_t *to)
{
    for (int64_t x = 0; x < p->width; x++) {
        memcpy(to, p->palette[from[x]], 3);
        to += 3;
        if (p->alpha)
            *to++ = from[x] == p->transparent ? 0 : 255;
    }
}

/* Reads a row with its channels interleaved, before the white matte is removed. */
static int get_row(const struct gf_reader *r, int64_t row, struct gf_raster_line *line, void *to, struct gf_error *err)
{
    const struct gf_psd *p = r->state;
    unsigned char *plane = line->bytes + p->most_packed;

    for (int c = 0; c < p->kept; c++) {
        if (get_plane(r, c, row, line, plane, err) != 0)
            return -1;
        if (p->mode == GF_PSD_INDEXED)
            put_indexes(p, plane, to);
        else
            put_plane(p, plane, c, to);
    }
    return 0;
}

/* ---- colors blended with white ---- */

/*
 * Returns true if a row may be blended with white: then color plus alpha is at least white
 * everywhere.
 */
static bool is_over_white(const struct gf_psd *p, const void *row)
{
    const int64_t colours = p->kept - 1;
    const int rounding = p->depth == 8 ? 1 : 4;              /* Photoshop edits 16-bit samples as 15 bits */

    for (int64_t x = 0; x < p->width; x++)
        for (int64_t c = x * p->kept, alpha = c + colours; c < alpha; c++) {
            if (p->depth == 8 && ((const uint8_t *)row)[c] + ((const uint8_t *)row)[alpha] + rounding < 255)
                return false;
            if (p->depth == 16 && ((const uint16_t *)row)[c] + ((const uint16_t *)row)[alpha] + rounding < 65535)
                return false;
            if (p->depth == 32 && !(((const float *)row)[c] + ((const float *)row)[alpha] > .999F))
                return false;
        }
    return true;
}

/* Solves v = c*a + white*(1 - a) for the color c. `alpha` must not be 0. */
static unsigned take_off_white(unsigned v, unsigned alpha, unsigned white)
{
    const uint64_t over = v + alpha > white ? v + alpha - white : 0;
    const uint64_t colour = (2 * over * white + alpha) / (2 * (uint64_t)alpha);

    return colour < white ? (unsigned)colour : white;
}

static void remove_white(const struct gf_psd *p, void *row)
{
    const int64_t colours = p->kept - 1;
    uint8_t *small = row;
    uint16_t *wide = row;
    float *real = row;

    for (int64_t x = 0; x < p->width; x++)
        for (int64_t c = x * p->kept, alpha = c + colours; c < alpha; c++) {
            if (p->depth == 8 && small[alpha] > 0)
                small[c] = (uint8_t)take_off_white(small[c], small[alpha], 255);
            else if (p->depth == 16 && wide[alpha] > 0)
                wide[c] = (uint16_t)take_off_white(wide[c], wide[alpha], 65535);
            else if (p->depth == 32 && real[alpha] > 0)
                real[c] = (real[c] - (1 - real[alpha])) / real[alpha];
        }
}

/*
 * Sets p->matted. Photoshop stores the merged image blended with white. Other programs store plain
 * colors with the same header: then some pixel is darker than blending allows.
 */
static int find_matte(const struct gf_reader *r, struct gf_psd *p, struct gf_error *err)
{
    struct gf_raster_line *line = gf_raster_line(p->height, p->raster.line_bytes);
    void *row = malloc(gf_unit_bytes(&r->format));
    int result = 0;

    if (line == NULL || row == NULL)
        result = gf_fail_memory(err, r->name);
    p->matted = true;
    for (int64_t y = 0; result == 0 && p->matted && y < p->height; y++, line->rows--) {
        result = get_row(r, y, line, row, err);
        p->matted = result == 0 && is_over_white(p, row);
    }
    free(line);
    free(row);
    return result;
}

static int decode(const struct gf_reader *r, int64_t row, struct gf_raster_line *line, void *to, struct gf_error *err)
{
    const struct gf_psd *p = r->state;

    if (get_row(r, row, line, to, err) != 0)
        return -1;
    if (p->matted)
        remove_white(p, to);
    return 0;
}

/* ---- the reader ---- */

/*
 * Selects the channels to read. Alpha is the first channel after the colors. Unless the merged
 * layers have alpha, it may be a saved selection.
 */
static void choose_channels(struct gf_reader *r)
{
    struct gf_psd *p = r->state;
    const int colours = p->mode == GF_PSD_RGB ? 3 : 1, extra = p->channels - colours;
    const bool plain = p->mode == GF_PSD_RGB || p->mode == GF_PSD_GRAY;

    p->alpha = plain ? extra > 0 : p->transparent >= 0;
    p->kept = colours + (plain && extra > 0 ? 1 : 0);
    if (plain && p->alpha && !p->merged_alpha)
        gf_warn(r->notices, "psd-alpha", r->name, "channel %d%s%s%s is interpreted as alpha; if it is a saved "
                "selection, add the stage alpha:off",
                p->kept, p->first_extra[0] != '\0' ? " (" : "", p->first_extra, p->first_extra[0] != '\0' ? ")" : "");
    if (p->channels == p->kept)
        return;
    if (p->extra[0] != '\0')
        gf_warn(r->notices, "psd-extra", r->name, "channels other than colors and alpha are ignored: %s", p->extra);
    else
        gf_warn(r->notices, "psd-extra", r->name, "channels other than colors and alpha are ignored: %d",
                p->channels - p->kept);
}

static void set_format(struct gf_reader *r)
{
    const struct gf_psd *p = r->state;

    r->format = (struct gf_format) {
        .kind = GF_IMAGE, .type = p->depth == 32 ? GF_F32 : p->depth == 16 ? GF_U16 : GF_U8, .bits = p->depth,
        .maxval = p->depth == 32 ? 1 : (1u << p->depth) - 1, .alpha = p->alpha, .width = p->width, .units = p->height,
        .channels = p->mode == GF_PSD_INDEXED ? (p->alpha ? 4 : 3) : p->kept,
    };
}

static bool begins(const unsigned char *b)
{
    return memcmp(b, "8BPS", 4) == 0;
}

static int psd_next(struct gf_reader *r, struct gf_error *err)
{
    struct gf_psd *p = r->state;
    const int more = gf_raster_begin(r, begins, err);

    if (more != 1)
        return more;
    free(p->rows);
    memset(&p->raster + 1, 0, sizeof *p - sizeof p->raster);
    if (gf_psd_header(r, err) != 0)
        return -1;
    choose_channels(r);
    set_format(r);
    if (find_rows(r, err) != 0)
        return -1;
    p->raster.decode = decode;
    p->raster.line_bytes = p->most_packed + (size_t)gf_psd_row_bytes(p);
    if (p->alpha && p->merged_alpha && p->mode != GF_PSD_INDEXED && find_matte(r, p, err) != 0)
        return -1;
    r->random = true;
    return 1;
}

static void psd_close(struct gf_reader *r)
{
    struct gf_psd *p = r->state;

    free(p->rows);
    gf_raster_close(r);
}

static const struct gf_reader_ops psd_ops = {
    .next = psd_next, .read = gf_raster_read, .read_at = gf_raster_read_at, .close = psd_close,
    .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_FILE,
};

static int psd_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    return gf_reader_begin(r, s, o, &psd_ops, sizeof(struct gf_psd), err);
}

const struct gf_file_format gf_file_format_psd = {
    .name = "psd", .title = "PSD", .endings = { "psb" }, .kinds = 1 << GF_IMAGE, .signature = { "8BPS" },
    .open = psd_open, .hardened = true,
    .notes = { "PSD", "the merged image; profile, EXIF, XMP, IPTC, resolution", "further channels",
               "CMYK, Lab, duotone, no merged image" },
};
