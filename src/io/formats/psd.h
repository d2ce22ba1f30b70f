/* The header of a PSD, and where its merged image lies: shared by the parts of the reader. */
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
    bool large;                          /* a PSB: lengths of sections have 8 bytes, those of rows 4 */
    int64_t width, height;
    int channels, depth;                 /* as stored; all bits of a sample */
    enum gf_psd_mode mode;
    int kept;                            /* channels that are read: colours, then alpha */
    bool alpha;
    bool merged_alpha;                   /* the alpha belongs to the merged layers, whose colours may be over white */
    bool matted;                         /* they are */
    int transparent;                     /* index without colour; -1: none */
    unsigned char palette[256][3];
    char first_extra[64], extra[200];    /* names of the channels after the colours: the first one, which is alpha; the others */
    int64_t merged;                      /* where the merged image begins: its compression */
    bool packed;
    int64_t *rows;                       /* packed: where each kept row begins, channel after channel, and the end */
    size_t most_packed;                  /* bytes of the longest of them */
};

/* Reads and checks everything before the merged image. */
int gf_psd_header(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;

static inline int64_t gf_psd_row_bytes(const struct gf_psd *p)
{
    return (p->width * p->depth + 7) / 8;
}

#endif
