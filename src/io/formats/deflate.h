/* Deflate, in both directions, and its checksums, through ISA-L, zlib or stb. */
#ifndef GF_FORMATS_DEFLATE_H
#define GF_FORMATS_DEFLATE_H

#include "base/signal.h"

/* Adds bytes to a CRC-32 as PNG and gzip use it. `crc` is 0 at first, then the previous result. */
uint32_t gf_crc32(uint32_t crc, const void *bytes, size_t size);
/* Adds bytes to an Adler-32 as zlib uses it. `adler` is 1 at first, then the previous result. */
uint32_t gf_adler32(uint32_t adler, const void *bytes, size_t size);
/* Returns the Adler-32 of two consecutive pieces. The second sum must have begun with 1. */
uint32_t gf_adler32_join(uint32_t first, uint32_t second, size_t second_size);

/* Returns true if a stream can be made of several pieces. If false, all data must be one piece. */
bool gf_deflate_in_pieces(void);
/* Returns the most bytes that a piece of `size` bytes can take. */
size_t gf_deflate_room(size_t size);
/*
 * Compresses one piece of a raw deflate stream. A piece does not refer to earlier pieces, and all
 * but the last end on a whole byte, so pieces can be concatenated. Level 0 only stores, 9
 * compresses best, -1 selects a good default. Returns the number of
 * bytes at `to`, or 0 if memory is short.
 */
size_t gf_deflate_piece(const unsigned char *bytes, size_t size, int level, bool last, unsigned char *to);
struct gf_deflate;
/*
 * Like gf_deflate_piece(). *kept is NULL at first. It keeps the memory of the compressor for the next piece, which must
 * have the same level.
 */
size_t gf_deflate_next(struct gf_deflate **kept, const unsigned char *bytes, size_t size, int level, bool last,
                       unsigned char *to);
void gf_deflate_free(struct gf_deflate *kept);

/* ---- only in builds with ISA-L or zlib ---- */
struct gf_inflate;
/* Creates a decoder at the start of a zlib stream. Returns NULL if memory is short. */
struct gf_inflate *gf_inflate_new(void);
void gf_inflate_free(struct gf_inflate *z);
/* Prepares for a new stream. */
void gf_inflate_reset(struct gf_inflate *z);
/*
 * Decodes *in bytes at `from` into room for *out bytes at `to`, and sets both to the bytes used.
 * Returns 1 when the stream has ended with a correct checksum, 0 if more may follow, -1 if it is
 * damaged. *in may be 0, because the decoder may still have output.
 */
int gf_inflate_some(struct gf_inflate *z, const unsigned char *from, size_t *in, unsigned char *to, size_t *out);

#endif
