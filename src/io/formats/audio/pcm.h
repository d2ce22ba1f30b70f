/* Converts linear samples between the layout of a file and the packed layout of a signal. */
#ifndef GF_FORMATS_PCM_H
#define GF_FORMATS_PCM_H

#include "base/signal.h"

struct gf_pcm {
    int bytes;           /* of a stored sample: 1, 2, 3, 4 or 8 */
    bool big;            /* big-endian */
    bool offset;         /* audio: integers are unsigned (offset binary) */
    bool real;           /* floating point, of 4 or 8 bytes */
};

/*
 * Sets the type and bits of audio stored this way. 8-bit and 24-bit samples use the high bytes of
 * wider ones.
 */
void gf_pcm_sound(const struct gf_pcm *p, struct gf_format *f);
/* Returns the default layout for audio: little-endian, 8 bits as offset binary, others signed. */
struct gf_pcm gf_pcm_of_sound(const struct gf_format *f);
/* Returns true if stored and packed samples have the same bytes. */
bool gf_pcm_is_packed(const struct gf_pcm *p, enum gf_type type);
/*
 * Converts stored samples to packed ones. `stored` may be equal to `packed`, or the far end of its
 * buffer.
 */
void gf_pcm_unpack(const struct gf_pcm *p, const void *stored, void *packed, size_t count);
/* Converts packed samples to stored ones. The buffers must not overlap. */
void gf_pcm_pack(const struct gf_pcm *p, const void *packed, void *stored, size_t count);

#endif
