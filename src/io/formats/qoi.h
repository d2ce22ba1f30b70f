/* What the reader and the writer of QOI share: the kinds of chunks, and the table of pixels seen. */
#ifndef GF_FORMATS_QOI_H
#define GF_FORMATS_QOI_H

#include "io/format.h"

extern const struct gf_writer_ops gf_write_qoi;

#define GF_QOI_MAGIC "qoif"
#define GF_QOI_HEAD_BYTES 14
#define GF_QOI_END_BYTES 8               /* seven zeros and a one */
#define GF_QOI_SEEN 64

/* The upper two bits of a chunk's first byte, or all of them. */
enum gf_qoi_chunk { GF_QOI_INDEX = 0x00, GF_QOI_DIFF = 0x40, GF_QOI_LUMA = 0x80, GF_QOI_RUN = 0xC0, GF_QOI_RGB = 0xFE, GF_QOI_RGBA = 0xFF };

#define GF_QOI_MOST_RUN 62

struct gf_qoi_pixel {
    uint8_t r, g, b, a;
};

/* Where in the table a pixel is remembered. */
static inline unsigned gf_qoi_place(struct gf_qoi_pixel p)
{
    return (p.r * 3u + p.g * 5u + p.b * 7u + p.a * 11u) % GF_QOI_SEEN;
}

#endif
