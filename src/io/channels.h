/* The orders that channels have: ours is WAV's, and Vorbis and Opus have another. */
#ifndef GF_IO_CHANNELS_H
#define GF_IO_CHANNELS_H

#include <stdint.h>

#define GF_CHANNELS_ORDERED 8        /* beyond so many Vorbis and Opus have no order of their own */

/* For each place of Vorbis's order, the channel of ours that stands there; NULL where both are the same. */
const int8_t *gf_channels_vorbis(int channels);
/* Frames of Vorbis's order become ours, in place. */
void gf_channels_from_vorbis(float *frames, int64_t count, int channels);
/* One frame of ours in Vorbis's order. */
void gf_channels_to_vorbis(const float *from, float *to, int channels);

#endif
