/* Reads BMP headers (OS/2 1 and 2, Windows 3, 4 and 5) and the masks and palettes after them. */
#include "io/bytes.h"
#include "io/format.h"
#include "io/formats/bmp.h"
#include "io/limits.h"

#include <stdlib.h>

#define CALIBRATED 0u                    /* color space in V4 and V5 headers; the other two are letters */
#define LINKED     0x4C494E4Bu
#define EMBEDDED   0x4D424544u

static uint32_t header_field(const struct gf_bmp *b, int at)
{
    return gf_get32(b->header + at, false);
}

static int fail_damaged(const struct gf_reader *r, const char *what, struct gf_error *err)
{
    return gf_fail(err, GF_FAILED, "%s: is damaged: %s", r->name, what);
}

/*
 * Returns true for a header size that Windows does not use. OS/2 headers may end after any field.
 */
static bool is_os2(const struct gf_bmp *b)
{
    const int64_t n = b->header_bytes;

    return n < 40 || (n > 40 && n < 108 && n != 52 && n != 56);
}

static unsigned find_compression(const struct gf_bmp *b)
{
    const uint32_t number = header_field(b, 16);

    if (number == GF_BMP_FIELDS && b->bits == 1)
        return GF_BMP_HUFFMAN;
    if (number == GF_BMP_JPEG && b->bits == 24 && is_os2(b))
        return GF_BMP_RLE24;
    return number >= GF_BMP_HUFFMAN ? UINT32_MAX : number;
}

static int read_sizes(struct gf_reader *r, struct gf_error *err)
{
    struct gf_bmp *b = r->state;
    int64_t height;

    if (b->header_bytes == 12) {
        b->width = gf_get16(b->header + 4, false);
        height = gf_get16(b->header + 6, false);
        b->bits = gf_get16(b->header + 10, false);
    } else {
        b->width = (int32_t)header_field(b, 4);
        height = (int32_t)header_field(b, 8);
        b->bits = gf_get16(b->header + 14, false);
        b->compression = find_compression(b);
    }
    b->top_down = height < 0;
    b->height = height < 0 ? -height : height;
    if (gf_get16(b->header + (b->header_bytes == 12 ? 8 : 12), false) != 1)
        return fail_damaged(r, "the number of planes is not 1", err);
    return gf_limits_check_size(r->name, b->width, b->height, 0, r->options, err);
}

/* Returns the name of a BMP variant that is not supported, or NULL. */
static const char *unsupported_variant(const struct gf_bmp *b)
{
    switch (b->compression) {
    case GF_BMP_JPEG:
        return "JPEG inside BMP";
    case GF_BMP_PNG:
        return "PNG inside BMP";
    case GF_BMP_HUFFMAN:
        return "BMP with Huffman 1D compression";
    case GF_BMP_CMYK:
    case GF_BMP_CMYK_RLE8:
    case GF_BMP_CMYK_RLE4:
        return "CMYK BMP";
    default:
        return b->bits == 64 ? "BMP with 64 bits per pixel" : NULL;
    }
}

static int check_packing(const struct gf_reader *r, struct gf_error *err)
{
    const struct gf_bmp *b = r->state;
    const unsigned bits = b->bits;
    bool fits = false;

    if (unsupported_variant(b) != NULL)
        return gf_fail(err, GF_FAILED, "%s: %s is not supported; convert it to PNG first", r->name,
                       unsupported_variant(b));
    switch (b->compression) {
    case GF_BMP_RGB:
        fits = bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16 || bits == 24 || bits == 32;
        break;
    case GF_BMP_RLE8:
        fits = bits == 8;
        break;
    case GF_BMP_RLE4:
        fits = bits == 4;
        break;
    case GF_BMP_RLE24:
        fits = bits == 24;
        break;
    case GF_BMP_FIELDS:
    case GF_BMP_ALPHA_FIELDS:
        fits = bits == 16 || bits == 32;
        break;
    default:
        return gf_fail(err, GF_FAILED, "%s: BMP compression %u is unknown; convert the file to PNG first",
                       r->name, header_field(b, 16));
    }
    if (!fits)
        return gf_fail(err, GF_FAILED, "%s: is damaged: BMP compression %u with %u bits per pixel", r->name,
                       b->compression, bits);
    if (gf_bmp_is_runs(b) && b->top_down)
        return fail_damaged(r, "a compressed BMP cannot be stored from top to bottom", err);
    return 0;
}

/* ---- masks ---- */

static int set_field(const struct gf_reader *r, struct gf_bmp *b, int i, uint32_t mask, struct gf_error *err)
{
    struct gf_bmp_field *f = &b->fields[i];
    uint32_t top;

    *f = (struct gf_bmp_field) { .mask = mask };
    if (mask == 0)
        return i == 3 ? 0 : fail_damaged(r, "the mask of a color channel is 0", err);
    f->shift = __builtin_ctz(mask);
    top = mask >> f->shift;
    f->bits = gf_maxval_bits(top);
    if ((top & (top + 1)) != 0 || (b->bits == 16 && mask > 0xFFFF))
        return fail_damaged(r, "the mask of a channel has gaps or is too wide", err);
    if (f->bits > GF_BMP_MOST_FIELD)
        return gf_fail(err, GF_FAILED, "%s: BMP with %d bits per sample is not supported; must be 1 to 16",
                       r->name, f->bits);
    for (int before = 0; before < i; before++)
        if ((b->fields[before].mask & mask) != 0)
            return fail_damaged(r, "two channels use the same bits", err);
    for (uint32_t v = 0; f->bits <= 8 && v <= top; v++)
        f->scaled[v] = (uint8_t)((2 * v * 255 + top) / (2 * top));
    b->deep = b->deep || f->bits > 8;
    return 0;
}

/*
 * Reads the masks. They follow headers of 40 bytes and are part of larger ones. *bytes is their
 * size after the header.
 */
static int read_masks(struct gf_reader *r, int64_t *bytes, struct gf_error *err)
{
    static const uint32_t small[4] = { 0x7C00, 0x03E0, 0x001F, 0 };
    static const uint32_t large[4] = { 0xFF0000, 0x00FF00, 0x0000FF, 0xFF000000 };
    struct gf_bmp *b = r->state;
    const uint32_t *masks = b->bits == 16 ? small : large;
    uint32_t own[4] = { 0 };

    *bytes = 0;
    if (b->bits != 16 && b->bits != 32)
        return 0;
    if (b->compression != GF_BMP_RGB) {
        unsigned char after[16] = { 0 };
        const unsigned char *at = b->header + 40;
        int count = b->header_bytes >= 56 ? 4 : 3;

        if (b->header_bytes < 52) {
            count = b->compression == GF_BMP_ALPHA_FIELDS ? 4 : 3;
            *bytes = 4 * count;
            at = after;
            if (gf_raster_get(r, GF_BMP_FILE_BYTES + b->header_bytes, after, *bytes, err) != 0)
                return -1;
        }
        for (int i = 0; i < count; i++)
            own[i] = gf_get32(at + (size_t)4 * (size_t)i, false);
        masks = own;
    }
    for (int i = 0; i < 4; i++)
        if (set_field(r, b, i, masks[i], err) != 0)
            return -1;
    return 0;
}

/* ---- the palette and the place of the pixels ---- */

static int read_palette(struct gf_reader *r, int64_t at, struct gf_error *err)
{
    struct gf_bmp *b = r->state;
    const int entry = b->header_bytes == 12 ? 3 : 4, most = b->bits <= 8 ? 1 << b->bits : 0;
    const int64_t stated = b->header_bytes >= 36 ? header_field(b, 32) : 0;
    int64_t count = stated == 0 ? most : stated;
    unsigned char stored[256 * 4];

    if (b->pixels == 0)                          /* some programs do not write the offset */
        b->pixels = at + count * entry;
    if (b->pixels < at)
        return fail_damaged(r, "the pixels begin inside the header", err);
    if (most == 0)
        return 0;                                /* for 24-bit pixels the palette is only a hint for displays */
    count = count < most ? count : most;
    count = count < (b->pixels - at) / entry ? count : (b->pixels - at) / entry;
    if (count == 0)
        return fail_damaged(r, "it has no palette", err);
    if (gf_raster_get(r, at, stored, count * entry, err) != 0)
        return -1;
    for (int i = 0; i < (int)count; i++)
        for (int c = 0; c < 3; c++)
            b->palette[i][c] = stored[i * entry + 2 - c];
    b->colours = (int)count;
    b->few_colours = count < most;
    return 0;
}

/* ---- metadata ---- */

static bool is_calibrated(const struct gf_bmp *b)
{
    for (int at = 60; at < 108; at++)
        if (b->header[at] != 0)
            return header_field(b, 56) == CALIBRATED;
    return false;
}

static int read_profile(struct gf_reader *r, struct gf_error *err)
{
    struct gf_bmp *b = r->state;
    const int64_t at = GF_BMP_FILE_BYTES + (int64_t)header_field(b, 112), size = header_field(b, 116);
    unsigned char *profile;
    int result;

    if (size == 0)
        return 0;
    profile = gf_raster_load(r, at, size, err);
    if (profile == NULL)
        return -1;
    result = gf_meta_set_icc(&r->meta, profile, (size_t)size, err);
    free(profile);
    return result;
}

static int read_meta(struct gf_reader *r, struct gf_error *err)
{
    struct gf_bmp *b = r->state;
    const int32_t x = (int32_t)header_field(b, 24), y = (int32_t)header_field(b, 28);

    if (b->header_bytes >= 124 && (header_field(b, 56) == LINKED || header_field(b, 56) == EMBEDDED))
        b->end = GF_BMP_FILE_BYTES + (int64_t)header_field(b, 112) + (int64_t)header_field(b, 116);
    if (b->header_bytes >= 32 && x > 0 && y > 0) {
        r->meta.x_per_metre = x;
        r->meta.y_per_metre = y;
    }
    if (b->header_bytes >= 108 && is_calibrated(b))
        gf_warn(r->notices, "bmp-calibration", r->name, "the color calibration in its header is ignored; colors are "
                "interpreted as sRGB");
    if (b->header_bytes >= 124 && header_field(b, 56) == LINKED)
        gf_warn(r->notices, "bmp-link", r->name, "its color profile is in another file and is ignored; colors are "
                "interpreted as sRGB");
    return b->header_bytes >= 124 && header_field(b, 56) == EMBEDDED ? read_profile(r, err) : 0;
}

int gf_bmp_header(struct gf_reader *r, struct gf_error *err)
{
    struct gf_bmp *b = r->state;
    unsigned char file[GF_BMP_FILE_BYTES + 4];
    int64_t mask_bytes;

    if (gf_raster_get(r, 0, file, sizeof file, err) != 0)
        return -1;
    if (file[0] != 'B' || file[1] != 'M')
        return gf_fail(err, GF_FAILED, "%s: is not a BMP file", r->name);
    b->header_bytes = gf_get32(file + GF_BMP_FILE_BYTES, false);
    if (b->header_bytes != 12 && (b->header_bytes < 16 || b->header_bytes > GF_BMP_MOST_HEADER))
        return gf_fail(err, GF_FAILED, "%s: BMP with a header of %lld bytes is not supported", r->name,
                       (long long)b->header_bytes);
    if (gf_raster_get(r, GF_BMP_FILE_BYTES, b->header, b->header_bytes, err) != 0)
        return -1;
    b->pixels = gf_get32(file + 10, false);
    b->stated = gf_get32(file + 2, false);
    if (read_sizes(r, err) != 0 || check_packing(r, err) != 0 || read_masks(r, &mask_bytes, err) != 0
        || read_palette(r, GF_BMP_FILE_BYTES + b->header_bytes + mask_bytes, err) != 0)
        return -1;
    b->stride = (b->width * b->bits + 31) / 32 * 4;
    return read_meta(r, err);
}
