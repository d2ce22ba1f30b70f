/* The header of a BMP, and how its pixels are stored: shared by the parts of the reader. */
#ifndef GF_FORMATS_BMP_H
#define GF_FORMATS_BMP_H

#include "io/formats/raster.h"

#define GF_BMP_FILE_BYTES 14             /* the file header, before the image's own */
#define GF_BMP_MOST_HEADER 124
#define GF_BMP_MOST_FIELD 16             /* bits of a sample */

/* Numbers from 64 on are ours: OS/2 numbers its compressions differently. */
enum gf_bmp_compression {
    GF_BMP_RGB = 0, GF_BMP_RLE8 = 1, GF_BMP_RLE4 = 2, GF_BMP_FIELDS = 3, GF_BMP_JPEG = 4, GF_BMP_PNG = 5, GF_BMP_ALPHA_FIELDS = 6,
    GF_BMP_CMYK = 11, GF_BMP_CMYK_RLE8 = 12, GF_BMP_CMYK_RLE4 = 13, GF_BMP_HUFFMAN = 64, GF_BMP_RLE24 = 65
};

/* The bits of one channel in a pixel of 16 or 32 bits. */
struct gf_bmp_field {
    uint32_t mask;
    int shift, bits;
    uint8_t scaled[256];                 /* values of up to 8 bits, as shares of 255 */
};

struct gf_bmp {
    struct gf_raster raster;
    unsigned char header[GF_BMP_MOST_HEADER];    /* zeros after its own size */
    int64_t header_bytes;
    int64_t width, height;
    bool top_down;
    unsigned bits, compression;
    int64_t pixels;                      /* where the stored rows begin */
    int64_t stride;                      /* bytes from one to the next */
    int colours;                         /* of the palette */
    bool few_colours;                    /* fewer than the indexes could name */
    unsigned char palette[256][3];       /* red, green, blue; black beyond its end */
    struct gf_bmp_field fields[4];       /* red, green, blue, alpha; a mask of 0: none */
    bool deep;                           /* a field has more than 8 bits */
};

/* Reads and checks everything before the pixels. */
int gf_bmp_header(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/* Unpacks the runs: an index, or blue, green and red, for each pixel. */
int gf_bmp_unpack(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;

static inline bool gf_bmp_is_runs(const struct gf_bmp *b)
{
    return b->compression == GF_BMP_RLE8 || b->compression == GF_BMP_RLE4 || b->compression == GF_BMP_RLE24;
}

#endif
