/* Walks over the chunks of containers: RIFF, IFF (AIFF, 8SVX), W64, CAF. */
#ifndef GF_FORMATS_CHUNKS_H
#define GF_FORMATS_CHUNKS_H

#include "io/seekable.h"

enum gf_container { GF_CONTAINER_NONE, GF_CONTAINER_RIFF, GF_CONTAINER_IFF, GF_CONTAINER_W64, GF_CONTAINER_CAF };

struct gf_chunks {
    const struct gf_seekable *in;
    enum gf_container container;
    bool big;                    /* numbers have their highest byte first */
    int64_t next;                /* offset of the next chunk's header */
    int64_t long_bytes;          /* of RF64: the size of "data" in 64 bits; 0: none */
    int count;
    char id[5];                  /* of the chunk at hand; in lower case if W64 */
    int64_t at;                  /* its first byte */
    int64_t bytes;               /* its stated size; GF_UNKNOWN: it goes on to the end of the file */
};

/* Recognises the container and stands before its first chunk: 1, 0 if it is none of these, -1. */
int gf_chunks_open(struct gf_chunks *c, const struct gf_seekable *in, struct gf_error *err) GF_MUST_CHECK;
/* Goes to the next chunk: 1, 0 at the end of the file, -1. */
int gf_chunks_next(struct gf_chunks *c, struct gf_error *err) GF_MUST_CHECK;
/* True if the chunk at hand holds the encoded audio. */
bool gf_chunks_is_audio(const struct gf_chunks *c);
/* Bytes of the chunk at hand that the file has. */
int64_t gf_chunks_there(const struct gf_chunks *c);

#endif
