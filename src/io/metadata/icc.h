/* Converts colors from an embedded profile to sRGB. */
#ifndef GF_METADATA_ICC_H
#define GF_METADATA_ICC_H

#include "base/error.h"
#include "base/signal.h"

/* The warning about CMYK without a profile. */
#define GF_PLAIN_INKS "CMYK without a color profile is converted to RGB by a simple formula; the colors are approximate"

struct gf_icc;

/* Pixel layouts before the conversion. */
enum gf_icc_from {
    GF_ICC_PIXELS,               /* as in the format: gray or RGB, with or without alpha */
    GF_ICC_INKS,                 /* CMYK of 8 or 16 bits, with alpha if the format has it */
    GF_ICC_LEFT_WHITE            /* inverted CMYK: 0 is full ink */
};

/* Returns true if this program was built with lcms2. */
bool gf_icc_is_there(void);
/*
 * Opens a conversion: relative colorimetric, with black point compensation. `f` is the format of
 * the result; gray stays gray, with the curve of sRGB. Fails if the profile is damaged or does not
 * fit the pixels. Messages begin with `name`.
 */
struct gf_icc *gf_icc_open(const void *profile, size_t size, enum gf_icc_from from, const struct gf_format *f,
                           const char *name, struct gf_error *err) GF_MUST_CHECK;
/*
 * Makes an RGB profile, to be freed, from gamma and primaries as in PNG, in units of 1/100000;
 * NULL means those of sRGB. Returns -1 if they are invalid, or the program was built without
 * lcms2.
 */
int gf_icc_make(const unsigned char *gamma, const unsigned char *primaries, void **profile, size_t *size) GF_MUST_CHECK;
/* Converts pixels, on any thread. `from` and `to` are the same address, except for CMYK. */
void gf_icc_convert(const struct gf_icc *c, const void *from, void *to, int64_t pixels);
/* Returns true if a profile equals sRGB for images of 1 or 3 colors; false if unknown. */
bool gf_icc_is_srgb(const void *profile, size_t size, int colours);
/* Closes a conversion. NULL is fine. */
void gf_icc_close(struct gf_icc *c);

#endif
