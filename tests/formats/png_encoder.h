/* A simple, slow PNG encoder. It works chunk by chunk, so that it can write invalid files, too. */
#ifndef GF_PNG_ENCODER_H
#define GF_PNG_ENCODER_H

#include "base/signal.h"

struct gf_bytes {
    unsigned char *at;
    size_t size, room;
};

struct gf_png_kind {
    int colour, depth, interlaced, keyed;
    uint32_t width, height;
};

/* Returns a random number below `sides`; and the state of the generator. */
uint32_t gf_dice(uint32_t sides);
void gf_seed(uint32_t to);

void gf_add(struct gf_bytes *b, const void *data, size_t size);
void gf_add32(struct gf_bytes *b, uint32_t v);           /* big-endian */
uint32_t gf_crc(const unsigned char *at, size_t size);
/* Writes a zlib stream of stored blocks. */
void gf_zlib(struct gf_bytes *to, const unsigned char *at, size_t size);

void gf_png_begin(struct gf_bytes *b, const struct gf_png_kind *k);
void gf_png_chunk(struct gf_bytes *b, const char *type, const void *data, size_t size);
/* Adds the samples `v` in IDAT chunks of `split` bytes, with random filters. */
void gf_png_picture(struct gf_bytes *b, const struct gf_png_kind *k, const uint16_t *v, size_t split);
/* Makes a whole file of random samples, and returns the samples. */
uint16_t *gf_png_make(struct gf_bytes *b, const struct gf_png_kind *k, size_t split);
/* Returns the expected samples: 8 or 16 bits, palettes looked up, alpha if there is any. */
size_t gf_png_expected(const struct gf_png_kind *k, const uint16_t *v, unsigned char *to);

#endif
