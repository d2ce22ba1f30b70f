/* Parses headers of MPEG audio frames, layers I to III. */
#ifndef GF_FORMATS_MPEG_H
#define GF_FORMATS_MPEG_H

#include "base/signal.h"

struct gf_mpeg {
    int bytes;                   /* size of the frame; 0: unknown (free format) */
    int samples;                 /* audio frames in it */
    int rate, channels, layer;
    int side_bytes;              /* layer III: size of the side information after the header */
    bool checked;                /* a checksum of 2 bytes follows the header */
};

/* Parses a header of 4 bytes into `m`. Returns false if it has reserved values. */
bool gf_mpeg_header(const unsigned char *b, struct gf_mpeg *m);
/* Returns true if frames of both kinds can follow each other in one stream. */
bool gf_mpeg_is_same(const struct gf_mpeg *a, const struct gf_mpeg *b);
/* Returns true if the frame needs no data of those before it, as the first of a stream. */
bool gf_mpeg_starts_anew(const unsigned char *b, size_t size, const struct gf_mpeg *m);
/* Returns the bytes of the ID3v2, ID3v1 or APE tag at `b`, or 0 if there is none. */
int64_t gf_mpeg_tag_bytes(const unsigned char *b, size_t size);

/* The length that a first frame without audio states (Xing, Info, VBRI). */
struct gf_mpeg_length {
    int64_t frames, bytes;       /* MPEG frames after this one; bytes of the stream; 0: not stated */
    int frames_at, bytes_at;     /* offsets of these 4 bytes in the frame; 0: not stated */
    bool vbri;                   /* libmpg123 knows Xing and Info, but takes VBRI for audio */
};

/* Returns false if the frame has no such header. */
bool gf_mpeg_length_header(const unsigned char *b, size_t size, const struct gf_mpeg *m, struct gf_mpeg_length *length);

#endif
