/* Deflate, both ways, and the checksums around it, by the library that was found: ISA-L, else zlib. */
#ifndef GF_FORMATS_DEFLATE_H
#define GF_FORMATS_DEFLATE_H

#include "base/signal.h"

/* As PNG and gzip count it: begins with 0, goes on from what it returned. */
uint32_t gf_crc32(uint32_t crc, const void *bytes, size_t size);
/* As zlib counts it: begins with 1. */
uint32_t gf_adler32(uint32_t adler, const void *bytes, size_t size);
/* That of two pieces in a row, of which the second was begun with 1. */
uint32_t gf_adler32_join(uint32_t first, uint32_t second, size_t second_size);

/* Whether a stream can be made of several pieces; else there is one, of all the data. */
bool gf_deflate_in_pieces(void);
/* Room that a piece of `size` bytes never exceeds. */
size_t gf_deflate_room(size_t size);
/*
 * One piece of a raw deflate stream, which needs nothing of the pieces before it; all but
 * the last end on a whole byte, so that they can be put one behind another. Level 0 only
 * stores, 9 tries hardest, -1 is a good choice. Returns the bytes at `to`, 0 where there
 * is no memory.
 */
size_t gf_deflate_piece(const unsigned char *bytes, size_t size, int level, bool last, unsigned char *to);

/* From here on only where there is ISA-L or zlib. */
struct gf_inflate;
/* A zlib stream from its start; NULL where there is no memory. */
struct gf_inflate *gf_inflate_new(void);
void gf_inflate_free(struct gf_inflate *z);
/* Back to the start of a stream. */
void gf_inflate_reset(struct gf_inflate *z);
/*
 * Goes on with *in bytes at `from` and room for *out at `to`; both become what was used.
 * 1 once the stream has ended and its checksum is right, 0 while there may be more, -1
 * where it is damaged. There may be no bytes to go on with: it may still hold some back.
 */
int gf_inflate_some(struct gf_inflate *z, const unsigned char *from, size_t *in, unsigned char *to, size_t *out);

#endif
