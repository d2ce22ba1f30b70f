/* State of the PSD reader: the header and where the merged image is stored. */
#ifndef GF_FORMATS_PSD_H
#define GF_FORMATS_PSD_H

#include "io/formats/raster.h"

#define GF_PSD_MOST_CHANNELS 56

enum gf_psd_mode {
    GF_PSD_BITMAP = 0, GF_PSD_GRAY = 1, GF_PSD_INDEXED = 2, GF_PSD_RGB = 3, GF_PSD_CMYK = 4, GF_PSD_MULTICHANNEL = 7,
    GF_PSD_DUOTONE = 8, GF_PSD_LAB = 9
};

struct gf_psd {
    struct gf_raster raster;
    bool large;                          /* a PSB: section lengths have 8 bytes, row lengths 4 */
    int64_t width, height;
    int channels, depth;                 /* channels in the file; bits per sample */
    enum gf_psd_mode mode;
    int kept;                            /* channels that are read: colors, then alpha */
    bool alpha;
    bool merged_alpha;                   /* alpha belongs to the merged layers, so colors may be blended with white */
    bool matted;                         /* they are blended with white */
    int transparent;                     /* index of the transparent color; -1: none */
    unsigned char palette[256][3];
    /* names of the channels after the colors: the first, which is alpha; the others */
    char first_extra[64], extra[200];
    int64_t merged;                      /* offset of the merged image, which begins with its compression */
    bool packed;
    /* compressed: offset of each row that is read, channel by channel, and of the end */
    int64_t *rows;
    size_t most_packed;                  /* size of the longest row */
};

/* Reads and checks everything before the merged image. */
int gf_psd_header(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;

static inline int64_t gf_psd_row_bytes(const struct gf_psd *p)
{
    return (p->width * p->depth + 7) / 8;
}

#endif
