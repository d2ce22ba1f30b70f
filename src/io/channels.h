/* The orders that channels have: ours is WAV's, and Vorbis and Opus have another. */
#ifndef GF_IO_CHANNELS_H
#define GF_IO_CHANNELS_H

#include <stdbool.h>
#include <stdint.h>

#define GF_CHANNELS_ORDERED 8        /* beyond so many Vorbis and Opus have no order of their own */

/* For each place of Vorbis's order, the channel of ours that stands there; NULL where both are the same. */
const int8_t *gf_channels_vorbis(int channels);
/* Frames of Vorbis's order become ours, in place. */
void gf_channels_from_vorbis(float *frames, int64_t count, int channels);
/* One frame of ours in Vorbis's order. */
void gf_channels_to_vorbis(const float *from, float *to, int channels);

/* The loudspeakers of so many channels, as bits of a WAV's mask; 0 if their number does not say. */
uint32_t gf_channels_mask(int channels);
/* True if two masks mean the same: the pair beside the listener and the pair at the back are often exchanged. */
bool gf_channels_same_mask(uint32_t a, uint32_t b);

#endif
