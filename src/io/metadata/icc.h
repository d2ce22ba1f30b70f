/* From the colours of an embedded profile to sRGB, pixel by pixel. */
#ifndef GF_METADATA_ICC_H
#define GF_METADATA_ICC_H

#include "base/error.h"
#include "base/signal.h"

/* The warning about inks that no profile describes. */
#define GF_PLAIN_INKS "CMYK without a color profile is converted to RGB by a simple formula; the colors are approximate"

struct gf_icc;

/* What a row holds before it is converted. */
enum gf_icc_from {
    GF_ICC_PIXELS,               /* what the format says: gray or RGB, with alpha or without */
    GF_ICC_INKS,                 /* cyan, magenta, yellow and black, of 8 or 16 bits, with alpha if the format has it */
    GF_ICC_LEFT_WHITE            /* the same the other way round: how much of the paper stays white */
};

/* Whether this program was built with lcms2. */
bool gf_icc_is_there(void);
/*
 * Relative colorimetric, with black point compensation. `f` is what comes out: gray stays gray, with the curve of sRGB.
 * NULL where the profile is damaged or is not one for such pixels; the line begins with `name`.
 */
struct gf_icc *gf_icc_open(const void *profile, size_t size, enum gf_icc_from from, const struct gf_format *f, const char *name,
                           struct gf_error *err) GF_MUST_CHECK;
/*
 * A profile of RGB in memory to be freed, from gamma and primaries as PNG has them, in 100000ths; NULL means those of sRGB.
 * -1 if they make no sense, or the program was built without lcms2.
 */
int gf_icc_make(const unsigned char *gamma, const unsigned char *primaries, void **profile, size_t *size) GF_MUST_CHECK;
/* Both the same place, unless these are inks. From any thread. */
void gf_icc_convert(const struct gf_icc *c, const void *from, void *to, int64_t pixels);
/* Whether samples of 1 or 3 colours are what they would be without it; false where nobody can tell. */
bool gf_icc_is_srgb(const void *profile, size_t size, int colours);
/* NULL is fine. */
void gf_icc_close(struct gf_icc *c);

#endif
