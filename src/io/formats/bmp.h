/* State of the BMP reader: its header and the layout of its pixels. */
#ifndef GF_FORMATS_BMP_H
#define GF_FORMATS_BMP_H

#include "io/formats/raster.h"

#define GF_BMP_FILE_BYTES 14             /* size of the file header, which comes before the image header */
#define GF_BMP_MOST_HEADER 124
#define GF_BMP_MOST_FIELD 16             /* most bits of a sample */

/*
 * Compressions of a BMP. Numbers from 64 on are not stored in files: OS/2 uses the numbers of
 * Windows for other methods.
 */
enum gf_bmp_compression {
    GF_BMP_RGB = 0, GF_BMP_RLE8 = 1, GF_BMP_RLE4 = 2, GF_BMP_FIELDS = 3, GF_BMP_JPEG = 4, GF_BMP_PNG = 5,
    GF_BMP_ALPHA_FIELDS = 6, GF_BMP_CMYK = 11, GF_BMP_CMYK_RLE8 = 12, GF_BMP_CMYK_RLE4 = 13, GF_BMP_HUFFMAN = 64,
    GF_BMP_RLE24 = 65
};

/* Bits of one channel in a pixel of 16 or 32 bits. */
struct gf_bmp_field {
    uint32_t mask;
    int shift, bits;
    uint8_t scaled[256];                 /* for fields of up to 8 bits: each value scaled to 0..255 */
};

struct gf_bmp {
    struct gf_raster raster;
    unsigned char header[GF_BMP_MOST_HEADER];    /* bytes after its own size are zero */
    int64_t header_bytes;
    int64_t width, height;
    bool top_down;
    unsigned bits, compression;
    int64_t pixels;                      /* offset of the stored rows */
    int64_t stride;                      /* bytes from one stored row to the next */
    int64_t end, stated;                 /* offset after pixels and profile; size of the file that the header states */
    int colours;                         /* number of palette entries */
    bool few_colours;                    /* the palette is smaller than the indexes allow */
    unsigned char palette[256][3];       /* red, green, blue; black after its last entry */
    struct gf_bmp_field fields[4];       /* red, green, blue, alpha; a mask of 0: no such channel */
    bool deep;                           /* a field has more than 8 bits */
};

/* Reads and checks everything before the pixels. */
int gf_bmp_header(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/* Decodes run-length coding. Each pixel becomes an index, or blue, green and red. */
int gf_bmp_unpack(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;

/* Ends the image after its pixels, unless its profile is after them. */
static inline void gf_bmp_end_pixels(struct gf_bmp *b, int64_t at)
{
    b->end = b->end > at ? b->end : at;
}

static inline bool gf_bmp_is_runs(const struct gf_bmp *b)
{
    return b->compression == GF_BMP_RLE8 || b->compression == GF_BMP_RLE4 || b->compression == GF_BMP_RLE24;
}

#endif
