/*
 * Parses headers of MPEG audio frames, layers I to III: ISO 11172-3, 13818-3 and the extension to
 * 2.5.
 */
#include "io/formats/audio/mpeg.h"

#include "io/bytes.h"

#include <string.h>

/* Kilobits per second. Rows: MPEG 1 layers I, II, III; MPEG 2 layer I; MPEG 2 layers II and III. */
static const short rates[5][15] = {
    { 0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448 },
    { 0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384 },
    { 0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320 },
    { 0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256 },
    { 0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160 },
};

bool gf_mpeg_header(const unsigned char *b, struct gf_mpeg *m)
{
    static const int hertz[3] = { 44100, 48000, 32000 };
    /* version 3 means MPEG 1 */
    const int version = b[1] >> 3 & 3, layer = 4 - (b[1] >> 1 & 3), rate = b[2] >> 4, pad = b[2] >> 1 & 1;
    const bool one = version == 3, mono = b[3] >> 6 == 3;
    int kilobits;

    if (b[0] != 0xFF || (b[1] & 0xE0) != 0xE0 || version == 1 || layer == 4 || rate == 15 || (b[2] >> 2 & 3) == 3)
        return false;
    kilobits = rates[one ? layer - 1 : layer == 1 ? 3 : 4][rate];
    m->rate = hertz[b[2] >> 2 & 3] >> (one ? 0 : version == 2 ? 1 : 2);
    m->samples = layer == 1 ? 384 : layer == 3 && !one ? 576 : 1152;
    m->bytes = layer == 1 ? (12000 * kilobits / m->rate + pad) * 4 : m->samples / 8 * 1000 * kilobits / m->rate + pad;
    if (kilobits == 0)
        m->bytes = 0;
    m->channels = mono ? 1 : 2;
    m->layer = layer;
    m->checked = (b[1] & 1) == 0;
    m->side_bytes = one ? (mono ? 17 : 32) : mono ? 9 : 17;
    return true;
}

bool gf_mpeg_is_same(const struct gf_mpeg *a, const struct gf_mpeg *b)
{
    return a->rate == b->rate && a->layer == b->layer && a->channels == b->channels;
}

bool gf_mpeg_starts_anew(const unsigned char *b, size_t size, const struct gf_mpeg *m)
{
    const size_t side = m->checked ? 6 : 4;

    /* the side information begins with an offset back into earlier frames, of 9 or 8 bits */
    return m->layer < 3 || (size >= side + 2 && b[side] == 0 && (m->samples < 1152 || b[side + 1] < 0x80));
}

int64_t gf_mpeg_tag_bytes(const unsigned char *b, size_t size)
{
    enum { APE_HEADER = 0x20 };

    if (size >= 10 && memcmp(b, "ID3", 3) == 0 && (b[6] | b[7] | b[8] | b[9]) < 0x80)
        return 10 + (b[6] << 21 | b[7] << 14 | b[8] << 7 | b[9]) + ((b[5] & 0x10) != 0 ? 10 : 0);
    if (size >= 32 && memcmp(b, "APETAGEX", 8) == 0)
        return 32 + ((b[23] & APE_HEADER) != 0 ? (int64_t)gf_get32(b + 12, false) : 0);
    return size >= 128 && memcmp(b, "TAG", 3) == 0 ? 128 : 0;
}

bool gf_mpeg_length_header(const unsigned char *b, size_t size, const struct gf_mpeg *m, struct gf_mpeg_length *length)
{
    const size_t xing = 4 + (size_t)m->side_bytes, vbri = 4 + 32;

    *length = (struct gf_mpeg_length) { 0 };
    if (m->layer < 3)
        return false;
    if (size >= xing + 16 && (memcmp(b + xing, "Xing", 4) == 0 || memcmp(b + xing, "Info", 4) == 0)) {
        const uint32_t flags = gf_get32(b + xing + 4, true);

        length->frames_at = (flags & 1) != 0 ? (int)xing + 8 : 0;
        length->bytes_at = (flags & 2) != 0 ? (int)xing + ((flags & 1) != 0 ? 12 : 8) : 0;
    } else if (size >= vbri + 18 && memcmp(b + vbri, "VBRI", 4) == 0) {
        length->vbri = true;
        length->bytes_at = (int)vbri + 10;
        length->frames_at = (int)vbri + 14;
    } else {
        return false;
    }
    length->frames = length->frames_at > 0 ? gf_get32(b + length->frames_at, true) : 0;
    length->bytes = length->bytes_at > 0 ? gf_get32(b + length->bytes_at, true) : 0;
    return true;
}
