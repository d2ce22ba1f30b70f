/* Headers of MPEG audio frames, layers I to III. */
#ifndef GF_FORMATS_MPEG_H
#define GF_FORMATS_MPEG_H

#include "base/signal.h"

struct gf_mpeg {
    int bytes;                   /* of the frame; 0: it does not say (free format) */
    int samples;                 /* frames of audio that it holds */
    int rate;
    int side_bytes;              /* layer III: side information after the header */
};

/* True if 4 bytes are a header without reserved values; fills in `m`. */
bool gf_mpeg_header(const unsigned char *b, struct gf_mpeg *m);

#endif
