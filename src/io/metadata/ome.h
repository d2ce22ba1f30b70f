/* Updates OME-XML, the description of microscope images in a TIFF. */
#ifndef GF_METADATA_OME_H
#define GF_METADATA_OME_H

#include "io/metadata/change.h"

#include <stdio.h>

bool gf_ome_is(const char *text);
/* Returns true if it states the size of a pixel. */
bool gf_ome_is_measured(const char *text);
/*
 * Writes the description of a changed image. Adds to *parts what is left out of it, as bits of enum gf_meta_part.
 * Returns false if no description could be true.
 */
bool gf_ome_write(const char *text, const struct gf_change *c, unsigned *parts, FILE *to);

#endif
