/* Embedded profiles, and the chunks by which a PNG describes its colours without one: warnings about losses. */
#ifndef GF_METADATA_PROFILE_H
#define GF_METADATA_PROFILE_H

#include "io/io.h"

/* The end of the input's line of --explain; "" if there is no profile. */
const char *gf_profile_description(const struct gf_reader *r);
/* True if both mean the same: one profile, or sRGB, which is assumed if there is none. */
bool gf_profile_same(const struct gf_meta *a, const struct gf_meta *b);
/* Warns if `w`, which is written as `out`, cannot store what `m` says of the colours, and this is not sRGB. */
void gf_profile_warn(const struct gf_meta *m, const struct gf_reader *r, const struct gf_writer *w, const struct gf_format *out);
/* `beside` names an image next to the input that has another profile. */
void gf_profile_warn_other(const struct gf_reader *r, const char *beside);

#endif
