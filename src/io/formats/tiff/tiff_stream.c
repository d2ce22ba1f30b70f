/* Reads the headers of JPEG and JBIG inside of a strip or tile. Built if HAVE_TIFF. */
#include "io/formats/tiff/tiff_stream.h"

#include <stdio.h>

/* ---- bytes ---- */

static unsigned char mirror(unsigned b)
{
    b = (b & 0xf0) >> 4 | (b & 0x0f) << 4;
    b = (b & 0xcc) >> 2 | (b & 0x33) << 2;
    return (unsigned char)((b & 0xaa) >> 1 | (b & 0x55) << 1);
}

int gf_tiff_stream_byte(struct gf_tiff_stream *s, uint64_t at)
{
    const thandle_t file = TIFFClientdata(s->t);
    tmsize_t got = 0;

    if (at >= s->size)
        return -1;
    if (at < s->held || at - s->held >= s->count) {
        const uint64_t left = s->size - at, wanted = left < sizeof s->bytes ? left : sizeof s->bytes;

        if (TIFFGetSeekProc(s->t)(file, s->start + at, SEEK_SET) == s->start + at)
            got = TIFFGetReadProc(s->t)(file, s->bytes, (tmsize_t)wanted);
        s->held = at;
        s->count = got > 0 ? (uint64_t)got : 0;
        if (s->count == 0)
            return -1;
    }
    return s->mirrored ? mirror(s->bytes[at - s->held]) : s->bytes[at - s->held];
}

uint64_t gf_tiff_stream_big(struct gf_tiff_stream *s, uint64_t at, int bytes)
{
    uint64_t value = 0;

    for (int i = 0; i < bytes; i++) {
        const int b = gf_tiff_stream_byte(s, at + (uint64_t)i);

        if (b < 0)
            return 0;
        value = value << 8 | (uint64_t)b;
    }
    return value;
}

uint64_t gf_tiff_stream_little(struct gf_tiff_stream *s, uint64_t at, int bytes)
{
    uint64_t value = 0;

    for (int i = bytes - 1; i >= 0; i--) {
        const int b = gf_tiff_stream_byte(s, at + (uint64_t)i);

        if (b < 0)
            return 0;
        value = value << 8 | (uint64_t)b;
    }
    return value;
}

/* ---- JPEG ---- */

/* Returns the bytes of all coefficients of the frame whose header is at `at`: 2 for each, in blocks of 8 by 8. */
static uint64_t frame_bytes(struct gf_tiff_stream *s, uint64_t at)
{
    const uint64_t height = gf_tiff_stream_big(s, at + 5, 2), width = gf_tiff_stream_big(s, at + 7, 2);
    const int channels = (int)gf_tiff_stream_big(s, at + 9, 1);
    uint64_t most_h = 1, most_v = 1, blocks = 0;

    for (int c = 0; c < channels; c++) {
        const uint64_t factors = gf_tiff_stream_big(s, at + 11 + 3 * (uint64_t)c, 1);
        const uint64_t h = factors >> 4, v = factors & 15;

        most_h = h > most_h ? h : most_h;
        most_v = v > most_v ? v : most_v;
    }
    for (int c = 0; c < channels; c++) {
        const uint64_t factors = gf_tiff_stream_big(s, at + 11 + 3 * (uint64_t)c, 1);

        blocks += (width + 8 * most_h - 1) / (8 * most_h) * (factors >> 4)
                * ((height + 8 * most_v - 1) / (8 * most_v)) * (factors & 15);
    }
    return blocks * 128;
}

/* Returns true if libjpeg decodes a scan at once: it has all channels, and the frame is not progressive. */
static bool is_only_scan(struct gf_tiff_stream *s, uint64_t scan, uint64_t frame, int kind)
{
    return (kind == 0xc0 || kind == 0xc1 || kind == 0xc9)
        && gf_tiff_stream_byte(s, scan + 4) >= gf_tiff_stream_byte(s, frame + 9);
}

static bool is_frame(int marker)
{
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

/* Returns true for markers without a length: TEM, RST0 to RST7, SOI. */
static bool is_lone(int marker)
{
    return marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

uint64_t gf_tiff_jpeg_bytes(struct gf_tiff_stream *s)
{
    uint64_t frame = 0;
    int marker = 0, kind = 0;

    for (uint64_t at = 0; marker >= 0;) {
        while ((marker = gf_tiff_stream_byte(s, at)) >= 0 && marker != 0xff)
            at++;                                        /* libjpeg skips what is not a marker */
        while ((marker = gf_tiff_stream_byte(s, at + 1)) == 0xff)
            at++;
        if (marker == 0xd9)
            return 0;
        if (marker == 0xda)
            return kind == 0 || is_only_scan(s, at, frame, kind) ? 0 : frame_bytes(s, frame);
        if (is_frame(marker)) {
            kind = marker;
            frame = at;
        }
        at += marker == 0 || is_lone(marker) ? 2 : 2 + gf_tiff_stream_big(s, at + 2, 2);
    }
    return 0;
}

/* ---- JBIG ---- */

/*
 * Finds the height after the first marker NEWLEN, which libtiff puts into the header before decoding. Scans
 * have no markers: in them, 0 follows each 0xff.
 */
static bool find_height(struct gf_tiff_stream *s, uint64_t *height)
{
    /* the tables of own prediction, if they are in the header */
    uint64_t at = (gf_tiff_stream_byte(s, 19) & 7) == 6 ? 20 + 1728 : 20;

    for (int b; (b = gf_tiff_stream_byte(s, at)) >= 0;) {
        const int marker = gf_tiff_stream_byte(s, at + 1);

        if (b != 0xff)
            at++;
        else if (marker == 5 && gf_tiff_stream_byte(s, at + 5) >= 0) {
            *height = gf_tiff_stream_big(s, at + 2, 4);
            return true;
        } else if (marker == 0 || marker == 2 || marker == 3)
            at += 2;
        else if (marker == 6)
            at += 8;
        else if (marker == 7)
            at += 6 + gf_tiff_stream_big(s, at + 2, 4);
        else
            return false;
    }
    return false;
}

bool gf_tiff_jbig_size(struct gf_tiff_stream *s, uint64_t *width, uint64_t *height)
{
    if (gf_tiff_stream_byte(s, 19) < 0 || gf_tiff_stream_byte(s, 2) != 1)
        return false;
    *width = gf_tiff_stream_big(s, 4, 4);
    *height = gf_tiff_stream_big(s, 8, 4);
    (void)find_height(s, height);
    return true;
}
