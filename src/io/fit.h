/* The samples that a format stores of a signal: type, bits and channels by --depth and by what the format has. */
#ifndef GF_IO_FIT_H
#define GF_IO_FIT_H

#include "io/io.h"

/* --depth of 1, 2 or 4 bits: whether it is one, and f stores them now, each in a byte. */
bool gf_fit_narrow(const struct gf_writer *w, struct gf_format *f);
/* The integer image format that --depth (0, 8, 16) and the signal ask for; -1 for a depth that `what` can't hold. */
int gf_fit_image(struct gf_writer *w, struct gf_format *f, const char *what, struct gf_error *err) GF_MUST_CHECK;
/* Samples of 8 bits, of a format that has no others. */
int gf_fit_bytes(const struct gf_writer *w, struct gf_format *f, struct gf_error *err) GF_MUST_CHECK;
/* The sample type that --depth and the signal ask for; 24 bits lie at the top of 32. */
void gf_fit_audio(const struct gf_writer *w, struct gf_format *f);
/* Refuses what is neither gray nor RGB, with alpha or without. */
int gf_fit_check_colours(const struct gf_writer *w, const struct gf_format *f, struct gf_error *err) GF_MUST_CHECK;

#endif
