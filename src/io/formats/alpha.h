/* Colours that files store multiplied by alpha. */
#ifndef GF_FORMATS_ALPHA_H
#define GF_FORMATS_ALPHA_H

#include "base/signal.h"

/* Divides the colours of `count` pixels, whose last channel is alpha, by it. A colour under alpha 0 becomes 0. */
void gf_alpha_divide(const struct gf_format *f, void *samples, size_t count);

#endif
