/* State of the TIFF reader: the file and the current page. */
#ifndef GF_FORMATS_TIFF_PAGE_H
#define GF_FORMATS_TIFF_PAGE_H

#include "io/formats/tiff/tiff.h"
#include "io/io.h"

/* How rows are read from libtiff. */
enum gf_tiff_way {
    GF_TIFF_ROWS,                /* row by row */
    GF_TIFF_STRIPS,              /* a strip at once: for small deflated strips and JBIG */
    GF_TIFF_BANDS,               /* in bands, a row of strips or tiles: for planes and tiles */
    GF_TIFF_COLOURS              /* in bands, through libtiff's conversion to 8-bit RGB */
};

struct gf_tiff_page {
    enum gf_tiff_way way;
    int64_t width, height, row;          /* next row to be read */
    struct gf_tiff_pixel pixel;
    bool planes, tiles;
    uint16_t photometric, bits, sample_format;
    int64_t tile_width, band_rows;       /* rows of a strip or tile */
    size_t band_bytes, part_bytes;       /* bytes of a band of kept channels; bytes that libtiff decodes at once */
    size_t loose_bytes;                  /* bytes of a row of decoded samples; 0: libtiff's samples are used directly */
    uint64_t needed_bytes;               /* all of these, and what the codec allocates */
    uint32_t parts;                      /* strips or tiles */
};

struct gf_tiff {
    TIFF *t;
    struct gf_tiff_file file;
    struct gf_source *source;
    struct gf_read_options options;
    struct gf_tiff_page page;
    struct gf_notices *notices;
    struct gf_icc *icc;                  /* converts CMYK to sRGB; NULL: converted without a profile */
    unsigned char *band, *part;
    unsigned char *samples, *inks;       /* a row of decoded samples; a row of CMYK; only if needed */
    int64_t band_start;                  /* first row in `band`, or in `part` if that is a strip; -1: none */
    int64_t checked_part;                /* the strip or tile whose header was checked; -1: none */
    uint64_t stored_bytes;               /* of the strips and tiles of all pages, without those that samples explain */
    uint64_t metadata_bytes;             /* of all pages */
    bool measured;                       /* the description, on the first page, says so of all pages */
    bool stray;                          /* a page has samples that no directory refers to */
};

/* Returns a 16-bit tag of the current page, or its default if it is missing. */
static inline uint16_t gf_tiff_tag(const struct gf_tiff *p, uint32_t name)
{
    uint16_t value = 0;

    TIFFGetFieldDefaulted(p->t, name, &value);
    return value;
}

/* Decides how samples become channels, by tags and --channels. Fills p->page and *f. */
int gf_tiff_find_channels(struct gf_tiff *p, struct gf_format *f, struct gf_error *err) GF_MUST_CHECK;
/* Reads the metadata of the page, the first one or another. f->maxval may grow if a profile is used. */
int gf_tiff_take_meta(struct gf_tiff *p, struct gf_meta *m, struct gf_format *f, bool first,
                      struct gf_error *err) GF_MUST_CHECK;
/* Warns about images of an ImageJ stack that have no page. */
void gf_tiff_warn_stack(struct gf_tiff *p);
/* Counts the bytes of the page's strips or tiles. Fails if few bytes are used very often. */
int gf_tiff_count_parts(struct gf_tiff *p, struct gf_error *err) GF_MUST_CHECK;
/* Counts bytes of metadata. Fails if few bytes are used very often. */
int gf_tiff_count_metadata(struct gf_tiff *p, uint64_t bytes, struct gf_error *err) GF_MUST_CHECK;
/* Returns the memory that libtiff's codec needs for any strip or tile of the page. */
uint64_t gf_tiff_codec_bytes(const struct gf_tiff *p);
/* Refuses a strip or tile, or those of a band, that decoders would need too much memory for. */
int gf_tiff_check_part(struct gf_tiff *p, uint32_t part, struct gf_error *err) GF_MUST_CHECK;
int gf_tiff_check_band(struct gf_tiff *p, int64_t start, struct gf_error *err) GF_MUST_CHECK;
/* Prepares for the current page of libtiff and sets *f to its format. */
int gf_tiff_page_begin(struct gf_tiff *p, struct gf_format *f, struct gf_error *err) GF_MUST_CHECK;
/* Frees the buffers of the page. */
void gf_tiff_page_end(struct gf_tiff *p);
/* Warns about samples that libtiff could not decode correctly. Fails if a strip is cut short. */
int gf_tiff_check_damage(struct gf_tiff *p, struct gf_error *err) GF_MUST_CHECK;
/* Reads the next rows of the page. Returns their number, 0 at the end, or -1. */
int64_t gf_tiff_page_read(struct gf_tiff *p, const struct gf_format *f, void *units, int64_t count,
                          struct gf_error *err) GF_MUST_CHECK;

#endif
