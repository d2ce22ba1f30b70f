/* An encoder of PNG of our own, slow and plain: chunk by chunk, so that what is wrong can be made, too. */
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

/* Random numbers, one of `sides`; and where they go on from. */
uint32_t gf_dice(uint32_t sides);
void gf_seed(uint32_t to);

void gf_add(struct gf_bytes *b, const void *data, size_t size);
void gf_add32(struct gf_bytes *b, uint32_t v);           /* the high byte first */
uint32_t gf_crc(const unsigned char *at, size_t size);
/* A zlib stream of blocks that are stored, which every decoder understands. */
void gf_zlib(struct gf_bytes *to, const unsigned char *at, size_t size);

void gf_png_begin(struct gf_bytes *b, const struct gf_png_kind *k);
void gf_png_chunk(struct gf_bytes *b, const char *type, const void *data, size_t size);
/* The samples v in IDAT chunks of `split` bytes, filtered at random. */
void gf_png_picture(struct gf_bytes *b, const struct gf_png_kind *k, const uint16_t *v, size_t split);
/* A whole file of random samples, which are returned. */
uint16_t *gf_png_make(struct gf_bytes *b, const struct gf_png_kind *k, size_t split);
/* What has to come out: 8 or 16 bits, the palette looked up, alpha where there is any. */
size_t gf_png_expected(const struct gf_png_kind *k, const uint16_t *v, unsigned char *to);

#endif
