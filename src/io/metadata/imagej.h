/* Updates the description that ImageJ stores in a TIFF: lines of "key=value". */
#ifndef GF_METADATA_IMAGEJ_H
#define GF_METADATA_IMAGEJ_H

#include "io/metadata/change.h"

#include <stdio.h>

bool gf_imagej_is(const char *text);
/* Returns true if pixels have a size in a unit of length. The resolution of the TIFF is then in pixels per unit. */
bool gf_imagej_is_measured(const char *text);
/*
 * Writes the description of a changed image. Adds to *parts what is left out of it, as bits of enum gf_meta_part.
 * Returns false if no description could be true.
 */
bool gf_imagej_write(const char *text, const struct gf_change *c, unsigned *parts, FILE *to);

#endif
