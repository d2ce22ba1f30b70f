/* Encodes PNG of 8 and 16 bits: the best of five filters a row, then deflate. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "io/formats.h"

#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

/* stb_image_write's own, for where zlib is missing: as fast, and a good deal larger. */
unsigned char *stbi_zlib_compress(unsigned char *data, int data_len, int *out_len, int quality);

static uint32_t crc_of(uint32_t crc, const unsigned char *b, size_t size)
{
    static const uint32_t nibbles[16] = {
        0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
        0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
    };

    for (size_t i = 0; i < size; i++) {
        crc ^= b[i];
        crc = crc >> 4 ^ nibbles[crc & 15];
        crc = crc >> 4 ^ nibbles[crc & 15];
    }
    return crc;
}

static unsigned char *put32(unsigned char *b, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        *b++ = (unsigned char)(value >> shift);
    return b;
}

static unsigned char *put_chunk(unsigned char *b, const char *type, const void *data, size_t size)
{
    unsigned char *body = put32(b, (uint32_t)size);

    memcpy(body, type, 4);
    if (size > 0)
        memcpy(body + 4, data, size);
    return put32(body + 4 + size, ~crc_of(UINT32_MAX, body, size + 4));
}

static int distance(int a, int b)
{
    return a > b ? a - b : b - a;
}

/* What PNG calls Paeth: of left, above and above left, the one nearest to left + above - above left. */
static int nearest(int left, int up, int corner)
{
    int to_left = distance(up, corner), to_up = distance(left, corner), to_corner = distance(left + up, 2 * corner);

    if (to_left <= to_up && to_left <= to_corner)
        return left;
    return to_up <= to_corner ? up : corner;
}

/* Filters a row; `left` and `corner` are the row and the one above, a pixel behind, with zeros before the start. */
static void filter_row(int filter, const unsigned char *restrict row, const unsigned char *restrict left,
                       const unsigned char *restrict up, const unsigned char *restrict corner,
                       unsigned char *restrict to, size_t size)
{
    switch (filter) {
    case 0:
        memcpy(to, row, size);
        break;
    case 1:
        for (size_t i = 0; i < size; i++)
            to[i] = (unsigned char)(row[i] - left[i]);
        break;
    case 2:
        for (size_t i = 0; i < size; i++)
            to[i] = (unsigned char)(row[i] - up[i]);
        break;
    case 3:
        for (size_t i = 0; i < size; i++)
            to[i] = (unsigned char)(row[i] - (left[i] + up[i]) / 2);
        break;
    default:
        for (size_t i = 0; i < size; i++)
            to[i] = (unsigned char)(row[i] - nearest(left[i], up[i], corner[i]));
    }
}

/* How far from zero a filtered row is, its bytes taken as signed: what is small tends to compress well. */
static uint64_t cost(const unsigned char *row, size_t size)
{
    uint64_t sum = 0;

    for (size_t at = 0; at < size; at += 65536) {
        size_t end = size - at < 65536 ? size : at + 65536;
        uint32_t part = 0;

        for (size_t i = at; i < end; i++)
            part += row[i] < 128 ? row[i] : 256u - row[i];
        sum += part;
    }
    return sum;
}

/* A row as PNG stores it: 16 bits with the high byte first. */
static void store_row(const struct gf_format *f, const unsigned char *from, unsigned char *to, size_t size)
{
    const uint16_t *wide = (const uint16_t *)(const void *)from;

    if (f->type == GF_U8) {
        memcpy(to, from, size);
        return;
    }
    for (size_t i = 0; i < size / 2; i++) {
        to[2 * i] = (unsigned char)(wide[i] >> 8);
        to[2 * i + 1] = (unsigned char)wide[i];
    }
}

/* Every row behind the number of its filter. */
static unsigned char *filter_rows(const struct gf_format *f, const unsigned char *samples)
{
    size_t size = gf_unit_bytes(f), pixel = (size_t)f->channels * gf_type_bytes(f->type);
    size_t height = (size_t)f->units, pitch = size + pixel;
    unsigned char *rows = calloc(2, pitch), *tries = malloc(2 * size + 1), *all = malloc(height * (size + 1));
    unsigned char *row = rows, *above = rows + pitch;

    if (rows == NULL || tries == NULL || all == NULL) {
        free(all);
        all = NULL;
        goto out;
    }
    for (size_t y = 0; y < height; y++) {
        unsigned char *to = all + y * (size + 1), *spare = row;
        uint64_t best = UINT64_MAX;

        store_row(f, samples + y * size, row + pixel, size);
        for (int filter = 0; filter < 5; filter++) {
            uint64_t c;

            filter_row(filter, row + pixel, row, above + pixel, above, tries, size);
            c = cost(tries, size);
            if (c < best) {
                best = c;
                to[0] = (unsigned char)filter;
                memcpy(to + 1, tries, size);
            }
        }
        row = above;
        above = spare;
    }
out:
    free(rows);
    free(tries);
    return all;
}

/* A zlib stream that only stores: --compression 0. */
static unsigned char *stored(const unsigned char *data, size_t size, size_t *out_size)
{
    size_t blocks = size / 65535 + 1;
    unsigned char *bytes = malloc(size + blocks * 5 + 6), *b = bytes;
    uint32_t a = 1, sum = 0;

    if (bytes == NULL)
        return NULL;
    *b++ = 0x78;
    *b++ = 0x01;
    for (size_t i = 0; i < blocks; i++) {
        size_t n = i + 1 < blocks ? 65535 : size - i * 65535;

        *b++ = i + 1 == blocks;
        *b++ = (unsigned char)n;
        *b++ = (unsigned char)(n >> 8);
        *b++ = (unsigned char)~n;
        *b++ = (unsigned char)(~n >> 8);
        memcpy(b, data + i * 65535, n);
        b += n;
    }
    for (size_t i = 0; i < size; i++) {
        a = (a + data[i]) % 65521;
        sum = (sum + a) % 65521;
    }
    b = put32(b, sum << 16 | a);
    *out_size = (size_t)(b - bytes);
    return bytes;
}

#ifdef HAVE_ZLIB
static unsigned char *deflated(const unsigned char *data, size_t size, int level, size_t *out_size)
{
    uLongf length = compressBound((uLong)size);
    unsigned char *bytes = malloc(length);

    if (bytes != NULL && compress2(bytes, &length, data, (uLong)size, level > 9 ? 9 : level) != Z_OK) {
        free(bytes);
        bytes = NULL;
    }
    *out_size = length;
    return bytes;
}
#else
static unsigned char *deflated(unsigned char *data, size_t size, int level, size_t *out_size)
{
    int length = 0;
    unsigned char *bytes = stbi_zlib_compress(data, (int)size, &length, level < 0 ? 8 : level);

    *out_size = (size_t)length;
    return bytes;
}
#endif

static unsigned char *pack(unsigned char *data, size_t size, int level, size_t *out_size)
{
    return level == 0 ? stored(data, size, out_size) : deflated(data, size, level, out_size);
}

int gf_png_encode(const struct gf_format *f, const void *samples, int level, unsigned char **bytes, size_t *size)
{
    static const unsigned char colour_types[] = { 0, 0, 4, 2, 6 };
    size_t raw = (size_t)f->units * (gf_unit_bytes(f) + 1), packed_size = 0;
    unsigned char header[13], *b, *packed = NULL, *rows = filter_rows(f, samples);
    int result = -1;

    *bytes = NULL;
    if (rows != NULL)
        packed = pack(rows, raw, level, &packed_size);
    if (packed == NULL)
        goto out;
    *bytes = malloc(packed_size + 100);
    if (*bytes == NULL)
        goto out;
    put32(put32(header, (uint32_t)f->width), (uint32_t)f->units);
    header[8] = f->type == GF_U8 ? 8 : 16;
    header[9] = colour_types[f->channels];
    header[10] = header[11] = header[12] = 0;
    memcpy(*bytes, "\x89PNG\r\n\x1a\n", 8);
    b = put_chunk(*bytes + 8, "IHDR", header, sizeof header);
    b = put_chunk(b, "IDAT", packed, packed_size);
    b = put_chunk(b, "IEND", NULL, 0);
    *size = (size_t)(b - *bytes);
    result = 0;
out:
    free(rows);
    free(packed);
    return result;
}
