/* Descriptions of whole images by ImageJ and in OME-XML, which are texts of other metadata. */
#ifndef GF_METADATA_DESCRIPTION_H
#define GF_METADATA_DESCRIPTION_H

#include "io/metadata/change.h"
#include "io/metadata/meta.h"

/* Returns true if a text describes the images of a file: how many there are, and what their pixels measure. */
bool gf_description_is(const char *text);
/* Returns true if the resolution is a scale to measure with, not one to print with. */
bool gf_description_is_measured(const char *text);
/* Updates the descriptions, and removes those that cannot be true, with a part for a warning. */
int gf_description_settle(struct gf_meta *m, const struct gf_change *c, struct gf_error *err) GF_MUST_CHECK;

#endif
