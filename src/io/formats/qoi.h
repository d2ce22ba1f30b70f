/* Shared by the QOI reader and writer: chunk types and the table of recent pixels. */
#ifndef GF_FORMATS_QOI_H
#define GF_FORMATS_QOI_H

#include "io/format.h"

extern const struct gf_writer_ops gf_write_qoi;

#define GF_QOI_MAGIC "qoif"
#define GF_QOI_HEAD_BYTES 14
#define GF_QOI_END_BYTES 8               /* seven zeros and a one */
#define GF_QOI_SEEN 64

/* Chunk types: the upper two bits of the first byte, or the whole byte for RGB and RGBA. */
enum gf_qoi_chunk { GF_QOI_INDEX = 0x00, GF_QOI_DIFF = 0x40, GF_QOI_LUMA = 0x80, GF_QOI_RUN = 0xC0, GF_QOI_RGB = 0xFE,
                    GF_QOI_RGBA = 0xFF };

#define GF_QOI_MOST_RUN 62

struct gf_qoi_pixel {
    uint8_t r, g, b, a;
};

/* Returns the index of a pixel in the table of recent pixels. */
static inline unsigned gf_qoi_place(struct gf_qoi_pixel p)
{
    return (p.r * 3u + p.g * 5u + p.b * 7u + p.a * 11u) % GF_QOI_SEEN;
}

#endif
