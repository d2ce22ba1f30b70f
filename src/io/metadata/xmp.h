/* Reads XMP, and updates it when the image changes. */
#ifndef GF_METADATA_XMP_H
#define GF_METADATA_XMP_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Returns the first tiff:Orientation, 1 to 8; 0 if there is none. */
int gf_xmp_orientation(const unsigned char *xmp, size_t size);
/* Sets each tiff:Orientation to 1. */
void gf_xmp_reset_orientation(unsigned char *xmp, size_t size);
/* Returns true if an attribute or element such as "hdrgm:Version" has a value other than 0. */
bool gf_xmp_has(const unsigned char *xmp, size_t size, const char *name);

struct gf_change;
/*
 * Updates a packet for a changed image: removes thumbnails, which show the unchanged one, and sets sizes, resolutions,
 * the place in a panorama, and face regions. Adds to *parts what is removed, as bits of enum gf_meta_part. May
 * reallocate the packet.
 */
int gf_xmp_settle(unsigned char **xmp, size_t *size, const struct gf_change *c, unsigned *parts,
                  struct gf_error *err) GF_MUST_CHECK;
/*
 * Removes properties that announce lost parts of a
 * file: a gain map, a video. The packet does not grow.
 */
void gf_xmp_forget_parts(unsigned char *xmp, size_t *size);
void gf_xmp_forget_thumbnails(unsigned char *xmp, size_t *size);
void gf_xmp_forget_resolution(unsigned char *xmp, size_t *size);
/* Removes positions and names of places. Returns false if one has no end, or the packet is not UTF-8. */
bool gf_xmp_forget_place(unsigned char *xmp, size_t *size);

#endif
