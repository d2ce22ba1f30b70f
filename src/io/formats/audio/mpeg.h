/* Parses headers of MPEG audio frames, layers I to III. */
#ifndef GF_FORMATS_MPEG_H
#define GF_FORMATS_MPEG_H

#include "base/signal.h"

struct gf_mpeg {
    int bytes;                   /* size of the frame; 0: unknown (free format) */
    int samples;                 /* audio frames in it */
    int rate;
    int side_bytes;              /* layer III: size of the side information after the header */
};

/* Parses a header of 4 bytes into `m`. Returns false if it has reserved values. */
bool gf_mpeg_header(const unsigned char *b, struct gf_mpeg *m);

#endif
