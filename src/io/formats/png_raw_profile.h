/* Profiles as ImageMagick writes them into texts of PNG: "Raw profile type NAME", with hexadecimal digits. */
#ifndef GF_FORMATS_PNG_RAW_PROFILE_H
#define GF_FORMATS_PNG_RAW_PROFILE_H

#include "io/metadata/meta.h"

#define GF_PNG_RAW_PROFILE_KEY "Raw profile type "

/*
 * Takes in the profile of a text: exif, app1, icc, icm, iptc, 8bim or xmp, whatever is not there yet. 1; 0 if it is no such
 * text and stays one; -1 if memory is short.
 */
int gf_png_raw_profile_take(struct gf_meta *m, const char *key, const char *text, size_t size, struct gf_error *err) GF_MUST_CHECK;
/* The text for records of IPTC, in memory to be freed; NULL if memory is short. */
char *gf_png_raw_profile_iptc(const unsigned char *iptc, size_t size, size_t *made);

#endif
