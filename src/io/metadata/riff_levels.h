/* Finds and drops loudness that chunks of a WAV state. */
#ifndef GF_METADATA_RIFF_LEVELS_H
#define GF_METADATA_RIFF_LEVELS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Drops loudness from a chunk, which begins with its name and its size, and UMIDs, which name other material. The
 * chunk keeps its size. Returns true if it stated a loudness.
 */
bool gf_riff_levels_drop(unsigned char *chunk, size_t size);
/*
 * Drops ReplayGain and the like from a chunk with an ID3 tag. Returns -1 if it has such data and cannot be changed,
 * 1 if something was dropped, else 0.
 */
int gf_riff_levels_drop_id3(unsigned char *chunk, size_t size);

#endif
