/* Divides color samples by alpha, for files that store them premultiplied. */
#ifndef GF_FORMATS_ALPHA_H
#define GF_FORMATS_ALPHA_H

#include "base/signal.h"

/*
 * Divides the colors of `count` pixels by their last channel, alpha. Colors of pixels with alpha 0
 * become 0.
 */
void gf_alpha_divide(const struct gf_format *f, void *samples, size_t count);

#endif
