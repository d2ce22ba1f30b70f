/*
 * Converts stored PNG rows to samples: undoes filters, unpacks bits, looks up palettes, locates
 * passes. Built if HAVE_INFLATE.
 */
#include "base/clones.h"
#include "io/formats/png/png.h"

#include <string.h>

static int channels_of(const struct gf_png *p)
{
    static const int channels[] = { 1, 0, 3, 1, 2, 0, 4 };

    return channels[p->colour];
}

size_t gf_png_row_bytes(const struct gf_png *p, uint32_t width)
{
    return ((size_t)width * (size_t)channels_of(p) * (size_t)p->depth + 7) / 8;
}

/* ---- filters ---- */

/*
 * Paeth predictor: of left, above and above left, the one nearest to left + above - above left.
 * Written without branches, because the next pixel waits for the result.
 */
GF_INLINE int paeth_of(int left, int up, int corner)
{
    const int to_left = up - corner, to_up = left - corner, to_corner = to_left + to_up;
    const int l = to_left < 0 ? -to_left : to_left, u = to_up < 0 ? -to_up : to_up;
    const int c = to_corner < 0 ? -to_corner : to_corner;
    const int first = u < l ? up : left, least = u < l ? u : l;

    return c < least ? corner : first;
}

/* `pixel` is a constant in the calls that matter, so that the left pixel stays in registers. */
GF_INLINE void undo_sub(unsigned char *row, size_t size, size_t pixel)
{
    int left[8] = { 0 };

    for (size_t i = 0; i + pixel <= size; i += pixel)
        for (size_t c = 0; c < pixel; c++) {
            left[c] = (left[c] + row[i + c]) & 255;
            row[i + c] = (unsigned char)left[c];
        }
}

GF_INLINE void undo_average(unsigned char *restrict row, const unsigned char *restrict above, size_t size, size_t pixel)
{
    int left[8] = { 0 };

    for (size_t i = 0; i + pixel <= size; i += pixel)
        for (size_t c = 0; c < pixel; c++) {
            left[c] = (row[i + c] + (left[c] + above[i + c]) / 2) & 255;
            row[i + c] = (unsigned char)left[c];
        }
}

GF_INLINE void undo_paeth(unsigned char *restrict row, const unsigned char *restrict above, size_t size, size_t pixel)
{
    int left[8] = { 0 }, corner[8] = { 0 };

    for (size_t i = 0; i + pixel <= size; i += pixel)
        for (size_t c = 0; c < pixel; c++) {
            const int up = above[i + c];

            left[c] = (row[i + c] + paeth_of(left[c], up, corner[c])) & 255;
            corner[c] = up;
            row[i + c] = (unsigned char)left[c];
        }
}

GF_CLONES static void undo_up(unsigned char *restrict row, const unsigned char *restrict above, size_t size)
{
    for (size_t i = 0; i < size; i++)
        row[i] = (unsigned char)(row[i] + above[i]);
}

GF_INLINE void undo_filter(int filter, unsigned char *row, const unsigned char *above, size_t size, size_t pixel)
{
    if (filter == 1)
        undo_sub(row, size, pixel);
    else if (filter == 3)
        undo_average(row, above, size, pixel);
    else
        undo_paeth(row, above, size, pixel);
}

int gf_png_unfilter(const struct gf_png *p, int filter, unsigned char *row, const unsigned char *above, size_t size)
{
    if (filter > 4)
        return -1;
    if (filter == 2)
        undo_up(row, above, size);
    if (filter == 0 || filter == 2)
        return 0;
    switch (channels_of(p) * p->depth) {
    case 16: undo_filter(filter, row, above, size, 2); break;
    case 24: undo_filter(filter, row, above, size, 3); break;
    case 32: undo_filter(filter, row, above, size, 4); break;
    case 48: undo_filter(filter, row, above, size, 6); break;
    case 64: undo_filter(filter, row, above, size, 8); break;
    default: undo_filter(filter, row, above, size, 1); break;       /* also if several pixels share a byte */
    }
    return 0;
}

/* ---- samples ---- */

void gf_png_format(const struct gf_png *p, struct gf_format *f)
{
    f->kind = GF_IMAGE;
    f->type = p->depth == 16 ? GF_U16 : GF_U8;
    /* maxval is 255: samples are scaled to 8 bits */
    f->bits = p->depth == 16 ? 16 : p->colour == 0 && !p->keyed ? p->depth : 8;
    f->maxval = p->depth == 16 ? 65535 : 255;
    f->alpha = p->keyed || p->colour >= 4;
    f->channels = (p->colour == 3 ? 3 : p->colour >= 4 ? channels_of(p) - 1 : channels_of(p)) + (f->alpha ? 1 : 0);
    f->width = p->width;
    f->units = p->height;
}

/* Returns sample `i` of a row with 1 to 8 bits per sample. */
GF_INLINE unsigned bits_at(const unsigned char *row, size_t i, int depth)
{
    const size_t bit = i * (size_t)depth;

    return row[bit / 8] >> (8 - depth - (int)(bit % 8)) & ((1u << depth) - 1);
}

/* Converts indexes to colors. Colors outside the palette are black, as in most readers. */
static void look_up_palette(const struct gf_png *p, const unsigned char *row, uint32_t width,
                            unsigned char *to, int channels)
{
    for (size_t x = 0; x < width; x++, to += channels)
        memcpy(to, p->palette[bits_at(row, x, p->depth)], (size_t)channels);
}

static void unpack_gray(const struct gf_png *p, const unsigned char *row, uint32_t width, unsigned char *to)
{
    const unsigned step = 255 / ((1u << p->depth) - 1);

    for (size_t x = 0; x < width; x++) {
        const unsigned v = bits_at(row, x, p->depth);

        *to++ = (unsigned char)(v * step);
        if (p->keyed)
            *to++ = v == p->key[0] ? 0 : 255;
    }
}

static void add_key_8(const struct gf_png *p, const unsigned char *row, uint32_t width, unsigned char *to, int colours)
{
    for (size_t x = 0; x < width; x++, row += colours, to += colours + 1) {
        bool clear = true;

        for (int c = 0; c < colours; c++) {
            to[c] = row[c];
            clear = clear && row[c] == p->key[c];
        }
        to[colours] = clear ? 0 : 255;
    }
}

static void add_key_16(const struct gf_png *p, const unsigned char *row, uint32_t width, uint16_t *to, int colours)
{
    for (size_t x = 0; x < width; x++, row += 2 * colours, to += colours + 1) {
        bool clear = true;

        for (int c = 0; c < colours; c++) {
            to[c] = (uint16_t)(row[2 * c] << 8 | row[2 * c + 1]);
            clear = clear && to[c] == p->key[c];
        }
        to[colours] = clear ? 0 : 65535;
    }
}

GF_CLONES static void swap_bytes(const unsigned char *restrict row, size_t count, uint16_t *restrict to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (uint16_t)(row[2 * i] << 8 | row[2 * i + 1]);
}

void gf_png_expand(const struct gf_png *p, const unsigned char *row, uint32_t width, void *samples)
{
    const int channels = channels_of(p);

    if (p->colour == 3) {
        look_up_palette(p, row, width, samples, p->keyed ? 4 : 3);
    } else if (p->depth < 8) {
        unpack_gray(p, row, width, samples);
    } else if (p->depth == 8 && p->keyed) {
        add_key_8(p, row, width, samples, channels);
    } else if (p->keyed) {
        add_key_16(p, row, width, samples, channels);
    } else if (p->depth == 8) {
        memcpy(samples, row, (size_t)width * (size_t)channels);
    } else {
        swap_bytes(row, (size_t)width * (size_t)channels, samples);
    }
}

/* ---- interlaced images ---- */

struct gf_png_pass gf_png_pass(const struct gf_png *p, int number)
{
    static const unsigned char x0[] = { 0, 4, 0, 2, 0, 1, 0 }, y0[] = { 0, 0, 4, 0, 2, 0, 1 };
    static const unsigned char dx[] = { 8, 8, 4, 4, 2, 2, 1 }, dy[] = { 8, 8, 8, 4, 4, 2, 2 };
    struct gf_png_pass pass = { .x0 = x0[number], .y0 = y0[number], .dx = dx[number], .dy = dy[number] };

    pass.width = p->width > pass.x0 ? (p->width - pass.x0 - 1) / pass.dx + 1 : 0;
    pass.height = p->height > pass.y0 ? (p->height - pass.y0 - 1) / pass.dy + 1 : 0;
    return pass;
}
