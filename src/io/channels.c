/* Channel orders: gpufilter uses the order of WAV; Vorbis and Opus have another one. */
#include "io/channels.h"

#include <stddef.h>
#include <string.h>

/*
 * WAV orders channels by the bits of its mask: L R C LFE, back, sides. Vorbis I, 4.3.9, and RFC
 * 7845, 5.1.1.2, put the center between left and right, the sides before the back, and LFE last.
 * For 1, 2 and 4 channels, and for more than 8, both orders are the same.
 */
static const int8_t orders[GF_CHANNELS_ORDERED + 1][GF_CHANNELS_ORDERED] = {
    [3] = { 0, 2, 1 },
    [5] = { 0, 2, 1, 3, 4 },
    [6] = { 0, 2, 1, 4, 5, 3 },
    [7] = { 0, 2, 1, 5, 6, 4, 3 },
    [8] = { 0, 2, 1, 6, 7, 4, 5, 3 },
};

const int8_t *gf_channels_vorbis(int channels)
{
    return channels >= 0 && channels <= GF_CHANNELS_ORDERED && orders[channels][1] != 0 ? orders[channels] : NULL;
}

void gf_channels_from_vorbis(float *frames, int64_t count, int channels)
{
    const int8_t *order = gf_channels_vorbis(channels);
    float frame[GF_CHANNELS_ORDERED];

    for (int64_t i = 0; order != NULL && i < count; i++, frames += channels) {
        for (int c = 0; c < channels; c++)
            frame[order[c]] = frames[c];
        memcpy(frames, frame, (size_t)channels * sizeof *frame);
    }
}

void gf_channels_to_vorbis(const float *from, float *to, int channels)
{
    const int8_t *order = gf_channels_vorbis(channels);

    for (int c = 0; c < channels; c++)
        to[c] = from[order != NULL ? order[c] : c];
}

/* With seven channels, as in FLAC and Vorbis, one is at the back and two are at the sides. */
uint32_t gf_channels_mask(int channels)
{
    static const uint32_t masks[] = { 0, 0x4, 0x3, 0x7, 0x33, 0x37, 0x3F, 0x70F, 0x63F };

    return channels >= 0 && channels <= 8 ? masks[channels] : 0;
}

bool gf_channels_same_mask(uint32_t a, uint32_t b)
{
    enum { BACK = 0x30, SIDES = 0x600 };
    const uint32_t both[2] = { a, b };
    uint32_t plain[2];

    for (int i = 0; i < 2; i++)
        plain[i] = (both[i] & BACK) == 0 && (both[i] & SIDES) == SIDES ? both[i] ^ SIDES ^ BACK : both[i];
    return plain[0] == plain[1];
}
