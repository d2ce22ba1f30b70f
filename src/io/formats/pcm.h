/* Linear samples as files store them, to and from the packed ones of a signal. */
#ifndef GF_FORMATS_PCM_H
#define GF_FORMATS_PCM_H

#include "base/signal.h"

struct gf_pcm {
    int bytes;           /* of a stored sample: 1, 2, 3, 4 or 8 */
    bool big;            /* the most significant byte comes first */
    bool offset;         /* of sound: integers count from the lowest value, not from the middle */
    bool real;           /* floating point, of 4 or 8 bytes */
};

/* The type and bits of sound that is stored so: narrow integers lie at the top of wide ones. */
void gf_pcm_sound(const struct gf_pcm *p, struct gf_format *f);
/* How sound of a type is stored where nothing else is said: little-endian, bytes as offset binary, the rest signed. */
struct gf_pcm gf_pcm_of_sound(const struct gf_format *f);
/* Whether stored samples and packed ones are the same bytes. */
bool gf_pcm_is_packed(const struct gf_pcm *p, enum gf_type type);
/* From stored to packed; `stored` may be the same place, or the far end of the room for the packed ones. */
void gf_pcm_unpack(const struct gf_pcm *p, const void *stored, void *packed, size_t count);
/* From packed to stored, at another place. */
void gf_pcm_pack(const struct gf_pcm *p, const void *packed, void *stored, size_t count);

#endif
