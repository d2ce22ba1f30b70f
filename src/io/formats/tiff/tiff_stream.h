/* Reads the headers inside of a compressed strip or tile, which say what its decoder will allocate. */
#ifndef GF_FORMATS_TIFF_STREAM_H
#define GF_FORMATS_TIFF_STREAM_H

#include "io/formats/tiff/libtiff.h"

#include <stdbool.h>
#include <stdint.h>

/* The bytes of a strip or tile in the file. */
struct gf_tiff_stream {
    TIFF *t;
    uint64_t start, size;
    uint64_t held, count;                /* the offset within the stream and the number of the bytes below */
    bool mirrored;                       /* the order of the bits in each byte is reversed */
    unsigned char bytes[4096];
};

/* Returns a byte, or -1 after the end. */
int gf_tiff_stream_byte(struct gf_tiff_stream *s, uint64_t at);
/* Returns a number of up to 8 bytes, or 0 if the stream ends before. */
uint64_t gf_tiff_stream_big(struct gf_tiff_stream *s, uint64_t at, int bytes);
uint64_t gf_tiff_stream_little(struct gf_tiff_stream *s, uint64_t at, int bytes);

/* Returns the bytes of the coefficients that libjpeg keeps if a JPEG has several scans; 0: it has one. */
uint64_t gf_tiff_jpeg_bytes(struct gf_tiff_stream *s);
/* Reads the size of a JBIG image. Returns false if the header is cut short or describes several planes. */
bool gf_tiff_jbig_size(struct gf_tiff_stream *s, uint64_t *width, uint64_t *height);
/* Returns the largest dictionary of an xz stream, or window of zstd frames. UINT64_MAX: not known. */
uint64_t gf_tiff_xz_bytes(struct gf_tiff_stream *s);
uint64_t gf_tiff_zstd_bytes(struct gf_tiff_stream *s);

#endif
