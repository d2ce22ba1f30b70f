/* Separates the channels of packed RGB or RGBA bytes, and joins them again. */
#ifndef GF_KERNELS_BYTE_SHUFFLE_H
#define GF_KERNELS_BYTE_SHUFFLE_H

#include <stdint.h>

/* Copies n pixels from one row of bytes, or of words, to one row for each channel. */
void gf_split_rgb(const uint8_t *rgb, int64_t n, uint8_t *r, uint8_t *g, uint8_t *b);
void gf_split_rgb_words(const uint16_t *rgb, int64_t n, uint16_t *r, uint16_t *g, uint16_t *b);
/* Copies them back. */
void gf_join_rgb(const uint8_t *r, const uint8_t *g, const uint8_t *b, int64_t n, uint8_t *rgb);
void gf_join_rgb_words(const uint16_t *r, const uint16_t *g, const uint16_t *b, int64_t n, uint16_t *rgb);

/* These do that with four channels. */
void gf_split_rgba(const uint8_t *rgba, int64_t n, uint8_t *r, uint8_t *g, uint8_t *b, uint8_t *a);
void gf_join_rgba(const uint8_t *r, const uint8_t *g, const uint8_t *b, const uint8_t *a, int64_t n, uint8_t *rgba);

#endif
