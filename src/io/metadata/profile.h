/* Warns about lost or different embedded profiles, and about lost color chunks of PNG. */
#ifndef GF_METADATA_PROFILE_H
#define GF_METADATA_PROFILE_H

#include "io/io.h"

/* Returns text about the profile for the input line of --explain; "" if there is none. */
const char *gf_profile_description(const struct gf_reader *r);
/* Returns true if both have the same profile, or both are sRGB. Images without a profile are sRGB. */
bool gf_profile_same(const struct gf_meta *a, const struct gf_meta *b);
/* Warns if the colors of `m` are not sRGB, and `w`, which stores `out`, cannot describe them. */
void gf_profile_warn(const struct gf_meta *m, const struct gf_reader *r, const struct gf_writer *w,
                     const struct gf_format *out);
/* Warns that the second image `beside` has another profile than the input. */
void gf_profile_warn_other(struct gf_notices *n, const char *name, const char *beside);

#endif
