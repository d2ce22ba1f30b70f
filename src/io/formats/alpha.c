/* Divides color samples by alpha, for files that store them premultiplied. */
#include "io/formats/alpha.h"

static unsigned divide(unsigned colour, unsigned alpha, unsigned full)
{
    const uint64_t v = alpha == 0 ? 0 : ((uint64_t)colour * full + alpha / 2) / alpha;

    return v > full ? full : (unsigned)v;
}

void gf_alpha_divide(const struct gf_format *f, void *samples, size_t count)
{
    const size_t channels = (size_t)f->channels;
    uint8_t *small = samples;
    uint16_t *wide = samples;
    float *real = samples;

    for (size_t i = 0; i < count; i++)
        for (size_t at = i * channels, alpha = at + channels - 1; at < alpha; at++) {
            if (f->type == GF_U8)
                small[at] = (uint8_t)divide(small[at], small[alpha], f->maxval);
            else if (f->type == GF_U16)
                wide[at] = (uint16_t)divide(wide[at], wide[alpha], f->maxval);
            else
                real[at] = real[alpha] > 0 ? real[at] / real[alpha] : 0;
        }
}
