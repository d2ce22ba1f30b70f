/* What the reader of TIFF keeps: the file, and the page that is read. */
#ifndef GF_FORMATS_TIFF_PAGE_H
#define GF_FORMATS_TIFF_PAGE_H

#include "io/formats/tiff.h"
#include "io/io.h"

/* How the rows of a page come out of libtiff. */
enum gf_tiff_way {
    GF_TIFF_ROWS,                /* strips of whole pixels: row by row */
    GF_TIFF_BANDS,               /* planes, tiles, deflated strips that are small: a row of strips or tiles at once */
    GF_TIFF_COLOURS              /* what libtiff turns into red, green and blue: the same, of 8 bits */
};

struct gf_tiff_page {
    enum gf_tiff_way way;
    int64_t width, height, row;          /* the next one to give */
    struct gf_tiff_pixel pixel;
    bool planes, tiles;
    uint16_t photometric, bits, sample_format;
    int64_t tile_width, band_rows;       /* rows of a strip or tile */
    size_t band_bytes, part_bytes;       /* what is kept of it, and what libtiff decodes at once */
    size_t loose_bytes;                  /* a row of decoded samples; 0: libtiff's are taken as they are */
};

struct gf_tiff {
    TIFF *t;
    struct gf_tiff_file file;
    struct gf_source *source;
    struct gf_read_options options;
    struct gf_tiff_page page;
    struct gf_notices *notices;
    struct gf_icc *icc;                  /* converts inks to sRGB; NULL: they are mixed without a profile */
    unsigned char *band, *part;
    unsigned char *samples, *inks;       /* a row of decoded samples, and one of inks, for pages that need them */
    int64_t band_start;                  /* rows that the band has now; -1: none */
};

/* A tag of the page at hand that is a short number, or what stands for it where it is missing. */
uint16_t gf_tiff_tag(const struct gf_tiff *p, uint32_t name);
/* Decides how the samples of a page become channels, by its tags and --channels: p->page and *f are filled in. */
int gf_tiff_find_channels(struct gf_tiff *p, struct gf_format *f, struct gf_error *err) GF_MUST_CHECK;
/* Takes metadata of the page, whose samples become `f`; its maxval grows if a profile is used. */
int gf_tiff_take_meta(struct gf_tiff *p, struct gf_meta *m, struct gf_format *f, struct gf_error *err) GF_MUST_CHECK;
/* Warns about images of an ImageJ stack that have no page. */
void gf_tiff_warn_stack(struct gf_tiff *p);
/* Looks at the page that libtiff stands at; *f is what comes out of it. */
int gf_tiff_page_begin(struct gf_tiff *p, struct gf_format *f, struct gf_error *err) GF_MUST_CHECK;
/* Frees the buffers of the page. */
void gf_tiff_page_end(struct gf_tiff *p);
/* Warns about samples that libtiff could not decode as they should be; fails if a strip is cut short. */
int gf_tiff_check_damage(struct gf_tiff *p, struct gf_error *err) GF_MUST_CHECK;
/* Its next rows: how many, 0 at its end, -1. */
int64_t gf_tiff_page_read(struct gf_tiff *p, const struct gf_format *f, void *units, int64_t count, struct gf_error *err) GF_MUST_CHECK;

#endif
