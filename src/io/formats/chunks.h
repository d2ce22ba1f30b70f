/* Iterates over the chunks of RIFF, IFF (AIFF, 8SVX), W64 and CAF. */
#ifndef GF_FORMATS_CHUNKS_H
#define GF_FORMATS_CHUNKS_H

#include "io/seekable.h"

#define GF_MOST_CHUNKS 4096              /* later chunks are ignored */

enum gf_container { GF_CONTAINER_NONE, GF_CONTAINER_RIFF, GF_CONTAINER_IFF, GF_CONTAINER_W64, GF_CONTAINER_CAF };

struct gf_chunks {
    const struct gf_seekable *in;
    enum gf_container container;
    bool big;                    /* numbers are big-endian */
    int64_t next;                /* offset of the next chunk header */
    int64_t long_bytes;          /* RF64: the 64-bit size of "data"; 0: none */
    int count;
    bool limited;                /* GF_MOST_CHUNKS ended the iteration before the end of the file */
    char id[5];                  /* name of the current chunk; lower case in W64 */
    int64_t at;                  /* offset of its content */
    int64_t bytes;               /* its stated size; GF_UNKNOWN: it continues to the end of the file */
};

/*
 * Recognizes the container and moves before its first chunk. Returns 1, 0 if it is not one of
 * these, or -1.
 */
int gf_chunks_open(struct gf_chunks *c, const struct gf_seekable *in, struct gf_error *err) GF_MUST_CHECK;
/* Moves to the next chunk. Returns 1, 0 at the end of the file or after GF_MOST_CHUNKS, or -1. */
int gf_chunks_next(struct gf_chunks *c, struct gf_error *err) GF_MUST_CHECK;
/* Returns true if the current chunk has the encoded audio. */
bool gf_chunks_is_audio(const struct gf_chunks *c);
/* Returns the bytes of the current chunk that are in the file. */
int64_t gf_chunks_there(const struct gf_chunks *c);

#endif
