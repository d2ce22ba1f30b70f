/* Reads and writes Photoshop resources, one of which has IPTC. */
#ifndef GF_FORMATS_PHOTOSHOP_H
#define GF_FORMATS_PHOTOSHOP_H

#include "io/metadata/meta.h"

/* Takes IPTC from resources, and notes clipping paths. `b` begins with "8BIM". */
int gf_photoshop_take(struct gf_meta *m, const unsigned char *b, size_t size, struct gf_error *err) GF_MUST_CHECK;
#define GF_PHOTOSHOP_HEAD_BYTES 12
/* Writes the head of a resource with IPTC. Data of odd length must be followed by a zero byte. */
void gf_photoshop_put_head(unsigned char *to, size_t iptc_bytes);

#endif
