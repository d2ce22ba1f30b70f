/* A simple, slow PNG encoder for every type of image. */
#include "png_encoder.h"

#include <stdlib.h>
#include <string.h>

static uint32_t seed = 20240607;

void gf_seed(uint32_t to)
{
    seed = to;
}

uint32_t gf_dice(uint32_t sides)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % sides;
}

void gf_add(struct gf_bytes *b, const void *data, size_t size)
{
    if (b->size + size > b->room) {
        b->room = (b->size + size) * 2;
        b->at = realloc(b->at, b->room);
        if (b->at == NULL)
            exit(1);
    }
    if (size > 0)
        memcpy(b->at + b->size, data, size);
    b->size += size;
}

void gf_add32(struct gf_bytes *b, uint32_t v)
{
    const unsigned char big[] = { (unsigned char)(v >> 24), (unsigned char)(v >> 16), (unsigned char)(v >> 8),
                                  (unsigned char)v };

    gf_add(b, big, 4);
}

uint32_t gf_crc(const unsigned char *at, size_t size)
{
    uint32_t sum = UINT32_MAX;

    for (size_t i = 0; i < size; i++) {
        sum ^= at[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum & 1 ? sum >> 1 ^ 0xEDB88320u : sum >> 1;
    }
    return ~sum;
}

void gf_png_chunk(struct gf_bytes *b, const char *type, const void *data, size_t size)
{
    const size_t start = b->size + 4;

    gf_add32(b, (uint32_t)size);
    gf_add(b, type, 4);
    gf_add(b, data, size);
    gf_add32(b, gf_crc(b->at + start, size + 4));
}

/* Writes a zlib stream of stored blocks. */
void gf_zlib(struct gf_bytes *to, const unsigned char *at, size_t size)
{
    uint32_t a = 1, b = 0;

    gf_add(to, "\x78\x01", 2);
    for (size_t done = 0; done == 0 || done < size;) {
        const size_t n = size - done < 1000 ? size - done : 1000;
        const unsigned char head[] = { done + n == size, (unsigned char)n, (unsigned char)(n >> 8), (unsigned char)~n,
                                       (unsigned char)(~n >> 8) };

        gf_add(to, head, 5);
        gf_add(to, at + done, n);
        done += n;
        if (size == 0)
            break;
    }
    for (size_t i = 0; i < size; i++) {
        a = (a + at[i]) % 65521;
        b = (b + a) % 65521;
    }
    gf_add32(to, b << 16 | a);
}

static int channels_of(int colour)
{
    return colour == 2 ? 3 : colour == 4 ? 2 : colour == 6 ? 4 : 1;
}

static int paeth(int a, int b, int c)
{
    const int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);

    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* Adds the pixels (x0 + i·dx, y0 + j·dy) as rows, each with another of the five filters. */
static void add_rows(struct gf_bytes *to, const struct gf_png_kind *k, const uint16_t *v, uint32_t x0, uint32_t y0,
                     uint32_t dx, uint32_t dy)
{
    const int channels = channels_of(k->colour);
    const size_t width = k->width > x0 ? (k->width - x0 + dx - 1) / dx : 0;
    const size_t size = (width * (size_t)(channels * k->depth) + 7) / 8;
    const size_t pixel = (size_t)(channels * k->depth + 7) / 8;
    unsigned char *row = calloc(size + 1, 1), *above = calloc(size + 1, 1), *swap;

    for (uint32_t y = y0; width > 0 && y < k->height; y += dy) {
        const unsigned char filter = (unsigned char)gf_dice(5);
        size_t bit = 0;

        memset(row, 0, size);
        for (uint32_t x = x0; x < k->width; x += dx)
            for (int c = 0; c < channels; c++)
                for (int i = k->depth - 1; i >= 0; i--, bit++)
                    if (v[((size_t)y * k->width + x) * (size_t)channels + (size_t)c] >> i & 1)
                        row[bit / 8] |= (unsigned char)(0x80 >> bit % 8);
        gf_add(to, &filter, 1);
        for (size_t i = 0; i < size; i++) {
            const int a = i >= pixel ? row[i - pixel] : 0, b = above[i], c = i >= pixel ? above[i - pixel] : 0;
            const int guess = filter == 0 ? 0 : filter == 1 ? a : filter == 2 ? b : filter == 3 ? (a + b) / 2
                : paeth(a, b, c);
            const unsigned char byte = (unsigned char)(row[i] - guess);

            gf_add(to, &byte, 1);
        }
        swap = row;
        row = above;
        above = swap;
    }
    free(row);
    free(above);
}

void gf_png_begin(struct gf_bytes *b, const struct gf_png_kind *k)
{
    struct gf_bytes head = { 0 };
    const unsigned char rest[] = { (unsigned char)k->depth, (unsigned char)k->colour, 0, 0,
                                   (unsigned char)k->interlaced };

    b->size = 0;
    gf_add(b, "\x89PNG\r\n\x1a\n", 8);
    gf_add32(&head, k->width);
    gf_add32(&head, k->height);
    gf_add(&head, rest, 5);
    gf_png_chunk(b, "IHDR", head.at, head.size);
    free(head.at);
}

/* Adds a palette of 2^depth colors and alpha for half of them, or the transparent color. */
static void add_clear(struct gf_bytes *b, const struct gf_png_kind *k, const uint16_t *v)
{
    unsigned char palette[768], clear[256];

    for (int i = 0; i < 256; i++) {
        palette[3 * i] = (unsigned char)(i * 7);
        palette[3 * i + 1] = (unsigned char)(i * 13 + 5);
        palette[3 * i + 2] = (unsigned char)(255 - i);
        clear[i] = (unsigned char)(i * 31);
    }
    if (k->colour == 3) {
        gf_png_chunk(b, "PLTE", palette, 3u << k->depth);
        if (k->keyed)
            gf_png_chunk(b, "tRNS", clear, (1u << k->depth) / 2);
    } else if (k->keyed) {
        for (int c = 0; c < channels_of(k->colour); c++) {           /* the color of the first pixel */
            clear[2 * c] = (unsigned char)(v[c] >> 8);
            clear[2 * c + 1] = (unsigned char)v[c];
        }
        gf_png_chunk(b, "tRNS", clear, 2 * (size_t)channels_of(k->colour));
    }
}

void gf_png_picture(struct gf_bytes *b, const struct gf_png_kind *k, const uint16_t *v, size_t split)
{
    static const uint32_t x0[] = { 0, 4, 0, 2, 0, 1, 0 }, y0[] = { 0, 0, 4, 0, 2, 0, 1 };
    static const uint32_t dx[] = { 8, 8, 4, 4, 2, 2, 1 }, dy[] = { 8, 8, 8, 4, 4, 2, 2 };
    struct gf_bytes rows = { 0 }, stream = { 0 };

    for (int pass = 0; k->interlaced && pass < 7; pass++)
        add_rows(&rows, k, v, x0[pass], y0[pass], dx[pass], dy[pass]);
    if (!k->interlaced)
        add_rows(&rows, k, v, 0, 0, 1, 1);
    gf_zlib(&stream, rows.at, rows.size);
    for (size_t done = 0; done < stream.size; done += split)
        gf_png_chunk(b, "IDAT", stream.at + done, stream.size - done < split ? stream.size - done : split);
    free(rows.at);
    free(stream.at);
}

uint16_t *gf_png_make(struct gf_bytes *b, const struct gf_png_kind *k, size_t split)
{
    const size_t count = (size_t)k->width * k->height * (size_t)channels_of(k->colour);
    uint16_t *v = malloc(count * sizeof *v);

    for (size_t i = 0; i < count; i++)
        v[i] = (uint16_t)gf_dice(1u << k->depth);
    gf_png_begin(b, k);
    add_clear(b, k, v);
    gf_png_picture(b, k, v, split);
    gf_png_chunk(b, "IEND", NULL, 0);
    return v;
}

/* Returns the expected samples: 8 or 16 bits, palettes looked up, alpha if there is any. */
size_t gf_png_expected(const struct gf_png_kind *k, const uint16_t *v, unsigned char *to)
{
    const int channels = channels_of(k->colour);
    uint16_t *wide = (uint16_t *)(void *)to;
    size_t at = 0;

    for (size_t p = 0; p < (size_t)k->width * k->height; p++) {
        const uint16_t *pixel = v + p * (size_t)channels;
        const bool clear = k->keyed && memcmp(pixel, v, (size_t)channels * sizeof *v) == 0;

        if (k->colour == 3) {
            const int i = pixel[0];

            to[at++] = (unsigned char)(i * 7);
            to[at++] = (unsigned char)(i * 13 + 5);
            to[at++] = (unsigned char)(255 - i);
            if (k->keyed)
                to[at++] = i < (1 << k->depth) / 2 ? (unsigned char)(i * 31) : 255;
            continue;
        }
        for (int c = 0; c < channels; c++) {
            if (k->depth == 16)
                wide[at++] = pixel[c];
            else
                to[at++] = (unsigned char)(pixel[c] * (255 / ((1 << k->depth) - 1)));
        }
        if (k->keyed && k->depth == 16)
            wide[at++] = clear ? 0 : 65535;
        else if (k->keyed)
            to[at++] = clear ? 0 : 255;
    }
    return k->depth == 16 ? 2 * at : at;
}
