/* Reads EXIF, and updates it when the image changes. */
#ifndef GF_METADATA_EXIF_H
#define GF_METADATA_EXIF_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the orientation, 1 to 8; 0 if it is missing or invalid. */
int gf_exif_orientation(const unsigned char *exif, size_t size);
/*
 * Copies the text number `i` of those that --info lists, such as the model of the camera, as much of it as fits; "" if
 * the block has none. Returns its name; NULL after the last one.
 */
const char *gf_exif_text(const unsigned char *exif, size_t size, int i, char *text, size_t room);
/* Returns true if the block repeats a text, whose key is one of PNG: Description, Author, Copyright or Software. */
bool gf_exif_repeats(const unsigned char *exif, size_t size, const char *key, const char *value);
/* Removes the text with such a key, and clears its bytes. */
void gf_exif_drop_text(unsigned char *exif, size_t size, const char *key);
/* Sets the orientation to 1, if there is one. */
void gf_exif_reset_orientation(unsigned char *exif, size_t size);

/*
 * Removes the thumbnail, its directory, and JPEG images inside maker notes, because they show the
 * image before it was changed. All other bytes keep their offsets, because maker notes refer to
 * them. A thumbnail at the end is cut off, which reduces *size. Returns -1 if the block is damaged
 * or memory is short.
 */
int gf_exif_drop_thumbnail(unsigned char *exif, size_t *size) GF_MUST_CHECK;
/*
 * Removes the directories of the place, that of the thumbnail included, and clears their bytes. Returns -1 if the
 * block is damaged or memory is short.
 */
int gf_exif_drop_gps(unsigned char *exif, size_t size) GF_MUST_CHECK;
struct gf_change;
/*
 * Updates sizes, resolutions and the subject area for a changed image, if the block has them. Entries that would be
 * false are removed from their directories.
 */
void gf_exif_settle(unsigned char *exif, size_t size, const struct gf_change *c);
/* Reads the resolution in pixels per meter. Returns false if the block states none, or in no unit of length. */
bool gf_exif_resolution(const unsigned char *exif, size_t size, double *x, double *y);
/* Removes the resolution of the image and of its thumbnail. */
void gf_exif_drop_resolution(unsigned char *exif, size_t size);
/* Returns true if the block has a place. */
bool gf_exif_has_gps(const unsigned char *exif, size_t size);
/* Sets the color space to sRGB, if the block has one. */
void gf_exif_set_srgb(unsigned char *exif, size_t size);
/*
 * Returns true if a block has only size, resolution,
 * orientation, color space, program and time of writing.
 */
bool gf_exif_is_trivial(const unsigned char *exif, size_t size);

#endif
