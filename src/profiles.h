/* What becomes of embedded profiles, for people to know. */
#ifndef GF_PROFILES_H
#define GF_PROFILES_H

#include "io/io.h"

/* What the input's line of --explain ends in; "" where there is no profile. */
const char *gf_profile_words(const struct gf_reader *r);
/* Whether `w`, which is written as `out`, leaves out a profile that says something else than sRGB. */
bool gf_profile_is_lost(const struct gf_reader *r, const struct gf_writer *w, const struct gf_format *out);
/* Whether both say the same: one profile, or sRGB, which is meant where there is none. */
bool gf_profile_same(const struct gf_meta *a, const struct gf_meta *b);
void gf_profile_warn_lost(const struct gf_reader *r, const struct gf_writer *w);
/* `beside` names an image next to the input that has another profile. */
void gf_profile_warn_other(const struct gf_reader *r, const char *beside);

#endif
