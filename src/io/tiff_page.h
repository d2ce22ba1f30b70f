/* What the reader of TIFF keeps: the file, and the page that is read. */
#ifndef GF_TIFF_PAGE_H
#define GF_TIFF_PAGE_H

#include "io/io.h"
#include "io/tiff.h"

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
    int64_t tile_width, band_rows;       /* rows of a strip or tile */
    size_t band_bytes, part_bytes;       /* what is kept of it, and what libtiff decodes at once */
};

struct gf_tiff {
    TIFF *t;
    struct gf_tiff_file file;
    struct gf_source *source;
    struct gf_read_options options;
    struct gf_tiff_page page;
    unsigned char *band, *part;
    int64_t band_start;                  /* rows that the band has now; -1: none */
};

/* A tag of the page at hand that is a short number, or what stands for it where it is missing. */
uint16_t gf_tiff_tag(struct gf_tiff *p, uint32_t name);
/* Looks at the page that libtiff stands at; *f is what comes out of it. */
int gf_tiff_page_begin(struct gf_tiff *p, struct gf_format *f, struct gf_error *err) GF_MUST_CHECK;
/* Its next rows: how many, 0 at its end, -1. */
int64_t gf_tiff_page_read(struct gf_tiff *p, const struct gf_format *f, void *units, int64_t count, struct gf_error *err) GF_MUST_CHECK;

#endif
