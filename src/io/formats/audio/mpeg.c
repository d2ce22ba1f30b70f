/*
 * Parses headers of MPEG audio frames, layers I to III: ISO 11172-3, 13818-3 and the extension to
 * 2.5.
 */
#include "io/formats/audio/mpeg.h"

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
    m->side_bytes = one ? (mono ? 17 : 32) : mono ? 9 : 17;
    return true;
}
