/* Channel orders: gpufilter uses the order of WAV; Vorbis and Opus have another one. */
#ifndef GF_IO_CHANNELS_H
#define GF_IO_CHANNELS_H

#include <stdbool.h>
#include <stdint.h>

#define GF_CHANNELS_ORDERED 8        /* Vorbis and Opus define no order for more channels */

/* Returns our channel for each position of the Vorbis order; NULL if both orders are the same. */
const int8_t *gf_channels_vorbis(int channels);
/* Converts frames from the Vorbis order to ours, in place. */
void gf_channels_from_vorbis(float *frames, int64_t count, int channels);
/* Converts one frame from our order to the Vorbis order. */
void gf_channels_to_vorbis(const float *from, float *to, int channels);

/*
 * Returns the usual loudspeakers for a number of
 * channels, as a WAV mask; 0 if there is no usual set.
 */
uint32_t gf_channels_mask(int channels);
/*
 * Returns true if two masks are equivalent: files often
 * use the pair at the sides for the pair at the back.
 */
bool gf_channels_same_mask(uint32_t a, uint32_t b);

#endif
