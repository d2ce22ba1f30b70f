/* XMP packets: what they say of an image, and how they go on being true once it has changed. */
#ifndef GF_METADATA_XMP_H
#define GF_METADATA_XMP_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* The first tiff:Orientation, 1 to 8; 0 if there is none. */
int gf_xmp_orientation(const unsigned char *xmp, size_t size);
/* Sets each of them to 1. */
void gf_xmp_reset_orientation(unsigned char *xmp, size_t size);
/* True if an attribute or element of this name, as in "hdrgm:Version", has a value other than 0. */
bool gf_xmp_has(const unsigned char *xmp, size_t size, const char *name);

/* Removes thumbnails, which show the image before it was changed, and sets width and height. Both may move the packet. */
int gf_xmp_settle(unsigned char **xmp, size_t *size, int64_t width, int64_t height, struct gf_error *err) GF_MUST_CHECK;
/* Removes what announces parts of a file that are no longer there: a gain map, a video. It only becomes shorter. */
void gf_xmp_forget_parts(unsigned char *xmp, size_t *size);

#endif
