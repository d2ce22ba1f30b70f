/* Blocks of EXIF: what they say of an image, and how they go on being true once it has changed. */
#ifndef GF_METADATA_EXIF_H
#define GF_METADATA_EXIF_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* The orientation that a block states, 1 to 8; 0 if it states none that can be understood. */
int gf_exif_orientation(const unsigned char *exif, size_t size);
/* Sets it to 1, if there is one. */
void gf_exif_reset_orientation(unsigned char *exif, size_t size);

/*
 * Removes the directory of the thumbnail, its bytes, and JPEG images inside maker notes, for they show the image before it
 * was changed. All other bytes keep their places, because maker notes refer to them by offset; a thumbnail at the end is
 * cut off, which makes *size smaller. -1 if the block is damaged or memory is short: it cannot be cleaned then.
 */
int gf_exif_drop_thumbnail(unsigned char *exif, size_t *size) GF_MUST_CHECK;
/* Sets the width and height that a block states. */
void gf_exif_set_size(unsigned char *exif, size_t size, int64_t width, int64_t height);
/* Sets the colour space that a block states to sRGB. */
void gf_exif_set_srgb(unsigned char *exif, size_t size);
/* True if a block holds nothing but size, resolution, orientation, colour space, program and time of writing. */
bool gf_exif_is_trivial(const unsigned char *exif, size_t size);

#endif
