/*
 * Finds how much of their output the decoders of xz and zstd keep. Only headers are read: each block and
 * chunk says where the next one begins. Built if HAVE_TIFF.
 */
#include "io/formats/tiff/tiff_stream.h"

/* ---- xz ---- */

#define XZ_SIGNATURE UINT64_C(0xfd377a585a00)

/* Reads a number in groups of 7 bits and moves *at after it. */
static uint64_t read_groups(struct gf_tiff_stream *s, uint64_t *at)
{
    uint64_t value = 0;
    int b = 128;

    for (int shift = 0; shift < 63 && b >= 128; shift += 7) {
        b = gf_tiff_stream_byte(s, (*at)++);
        if (b < 0)
            return 0;
        value |= (uint64_t)(b & 127) << shift;
    }
    return value;
}

/* Returns the dictionary of the block whose header is at `at`. Other filters than LZMA2 keep nothing. */
static uint64_t dictionary_bytes(struct gf_tiff_stream *s, uint64_t at)
{
    const int flags = gf_tiff_stream_byte(s, at + 1);
    uint64_t most = 0;

    at += 2;
    for (int i = 0x40; i <= 0x80; i *= 2)                /* sizes of the block, which may be missing */
        if ((flags & i) != 0)
            read_groups(s, &at);
    for (int i = 0; i <= (flags & 3); i++) {
        const uint64_t kind = read_groups(s, &at), bytes = read_groups(s, &at);

        if (kind == 0x21 && bytes == 1) {
            const int b = gf_tiff_stream_byte(s, at) & 63;
            const uint64_t size = b >= 40 ? UINT32_MAX : (uint64_t)(2 | (b & 1)) << (b / 2 + 11);

            most = size > most ? size : most;
        }
        at += bytes;
    }
    return most;
}

/* Returns the end of a sequence of LZMA2 chunks. */
static uint64_t skip_chunks(struct gf_tiff_stream *s, uint64_t at)
{
    for (int control; (control = gf_tiff_stream_byte(s, at)) > 0;) {
        if (control >= 0x80)
            at += 6 + (uint64_t)(control >= 0xc0) + gf_tiff_stream_big(s, at + 3, 2);
        else
            at += 4 + gf_tiff_stream_big(s, at + 1, 2);
    }
    return at + 1;
}

uint64_t gf_tiff_xz_bytes(struct gf_tiff_stream *s)
{
    const int check = gf_tiff_stream_byte(s, 7) & 15;
    const uint64_t check_bytes = check == 0 ? 0 : UINT64_C(4) << (check - 1) / 3;
    uint64_t most = 0, at = 12;

    if (gf_tiff_stream_big(s, 0, 6) != XZ_SIGNATURE)
        return 0;
    for (int size; (size = gf_tiff_stream_byte(s, at)) > 0;) {
        const uint64_t bytes = dictionary_bytes(s, at), data = at + ((uint64_t)size + 1) * 4;

        most = bytes > most ? bytes : most;
        at = data + (skip_chunks(s, data) - data + 3) / 4 * 4 + check_bytes;
    }
    return most;
}

/* ---- zstd ---- */

#define ZSTD_SIGNATURE 0xfd2fb528u
#define ZSTD_SKIPPED 0x184d2a50u                         /* with any low 4 bits: a frame without samples */

/* Returns the window of the frame at *at, and moves *at to the first block. */
static uint64_t frame_header(struct gf_tiff_stream *s, uint64_t *at)
{
    static const int name_bytes[4] = { 0, 1, 2, 4 }, size_bytes[4] = { 0, 2, 4, 8 };
    const int flags = gf_tiff_stream_byte(s, *at + 4);
    const bool single = (flags & 32) != 0;               /* the window is as large as the content */
    const int b = gf_tiff_stream_byte(s, *at + 5), sized = flags >> 6 & 3;
    const int bytes = single && sized == 0 ? 1 : size_bytes[sized];
    const uint64_t place = *at + 5 + !single + (uint64_t)name_bytes[flags & 3];
    const uint64_t base = UINT64_C(1) << (10 + (b >> 3 & 31));

    *at = place + (uint64_t)bytes;
    if (single)
        return gf_tiff_stream_little(s, place, bytes) + (sized == 1 ? 256 : 0);
    return base + base / 8 * (uint64_t)(b & 7);
}

/* Returns the end of a sequence of blocks. */
static uint64_t skip_blocks(struct gf_tiff_stream *s, uint64_t at)
{
    bool last = false;

    while (!last && gf_tiff_stream_byte(s, at) >= 0) {
        const uint64_t header = gf_tiff_stream_little(s, at, 3);

        last = (header & 1) != 0;
        at += 3 + ((header >> 1 & 3) == 1 ? 1 : header >> 3);    /* a run is one byte */
    }
    return at;
}

uint64_t gf_tiff_zstd_bytes(struct gf_tiff_stream *s)
{
    uint64_t most = 0, at = 0;

    while (gf_tiff_stream_byte(s, at) >= 0) {
        const uint64_t signature = gf_tiff_stream_little(s, at, 4);

        if (signature == ZSTD_SIGNATURE) {
            const uint64_t checksum = (gf_tiff_stream_byte(s, at + 4) & 4) != 0 ? 4 : 0, bytes = frame_header(s, &at);

            most = bytes > most ? bytes : most;
            at = skip_blocks(s, at) + checksum;
        } else if ((signature & ~UINT64_C(15)) == ZSTD_SKIPPED) {
            at += 8 + gf_tiff_stream_little(s, at + 4, 4);
        } else {
            return UINT64_MAX;                           /* old versions of the format */
        }
    }
    return most;
}
