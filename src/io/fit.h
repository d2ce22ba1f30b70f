/*
 * Chooses the sample type, bits and channels that a format
 * stores, from --depth and the limits of the format.
 */
#ifndef GF_IO_FIT_H
#define GF_IO_FIT_H

#include "io/io.h"

/* Sets f to 1, 2 or 4 bits, one sample per byte, if --depth selects that; returns true if so. */
bool gf_fit_narrow(const struct gf_writer *w, struct gf_format *f);
/* Sets f to 8 or 16 bits, by --depth or the signal; -1 for a depth that `what` cannot store. */
int gf_fit_image(struct gf_writer *w, struct gf_format *f, const char *what, struct gf_error *err) GF_MUST_CHECK;
/* Sets f to 8 bits, for formats that have no other depth. */
int gf_fit_bytes(const struct gf_writer *w, struct gf_format *f, struct gf_error *err) GF_MUST_CHECK;
/* Sets f to the type of --depth or of the signal. 24-bit samples are the upper bits of 32. */
void gf_fit_audio(const struct gf_writer *w, struct gf_format *f);
/* A `fit` of formats that store all of these types. */
int gf_fit_any_audio(struct gf_writer *w, struct gf_format *f, struct gf_error *err);
/* Refuses formats other than gray and RGB, with or without alpha. */
int gf_fit_check_colours(const struct gf_writer *w, const struct gf_format *f, struct gf_error *err) GF_MUST_CHECK;

#endif
