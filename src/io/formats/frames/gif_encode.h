/* The LZW encoder of the GIF writer. */
#ifndef GF_FORMATS_GIF_ENCODE_H
#define GF_FORMATS_GIF_ENCODE_H

#include "io/formats/frames/gif.h"

#define GF_GIF_STRINGS 16384             /* slots for strings, a power of two */

/* The data of an image: the size of codes, then blocks. All zero at first; its memory serves many images. */
struct gf_gif_data {
    unsigned char *bytes;
    size_t size, room;
    size_t block;                        /* where the size of the current block is stored */
    uint32_t bits;                       /* of codes, not yet stored */
    int bit_count, code_bits;
    uint32_t string[GF_GIF_STRINGS];     /* previous code, pixel and code of a string; 0: none */
};

/* Encodes n pixels of `bits` bits. Returns -1 if memory is short. */
int gf_gif_encode(struct gf_gif_data *d, const uint8_t *pixels, int64_t n, int bits);
void gf_gif_data_free(struct gf_gif_data *d);

#endif
