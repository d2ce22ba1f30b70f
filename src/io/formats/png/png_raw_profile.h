/*
 * Raw profiles: PNG texts "Raw profile type NAME" with hexadecimal digits, as ImageMagick writes
 * them.
 */
#ifndef GF_FORMATS_PNG_RAW_PROFILE_H
#define GF_FORMATS_PNG_RAW_PROFILE_H

#include "io/metadata/meta.h"

#define GF_PNG_RAW_PROFILE_KEY "Raw profile type "

/*
 * Stores the profile of a text, unless `m` has one of that type: exif, app1, icc, icm, iptc, 8bim
 * or xmp. Returns 1, 0 if the text is not such a profile, or -1 if memory is short.
 */
int gf_png_raw_profile_take(struct gf_meta *m, const char *key, const char *text, size_t size,
                            struct gf_error *err) GF_MUST_CHECK;
/* Returns true if a text has the key of a raw profile, and `m` has a profile of that type. */
bool gf_png_raw_profile_is_known(const struct gf_meta *m, const char *key);
/* Returns a raw profile text with IPTC, which the caller frees, or NULL if memory is short. */
char *gf_png_raw_profile_iptc(const unsigned char *iptc, size_t size, size_t *made);

#endif
