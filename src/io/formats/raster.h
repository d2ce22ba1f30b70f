/* Images whose rows can be decoded from any place of the file, each on its own. */
#ifndef GF_FORMATS_RASTER_H
#define GF_FORMATS_RASTER_H

#include "io/io.h"
#include "io/source.h"

/* The head of a reader's state. */
struct gf_raster {
    unsigned char *bytes;        /* the whole of a pipe; NULL: the source is read at any place */
    int64_t size;                /* bytes of the file */
    unsigned char *unpacked;     /* the rows of a compressed image, from top to bottom; NULL: each is read from the file */
    bool opened;
    int64_t row;                 /* the next one read in order */
    size_t line_bytes;           /* room that decode gets at `line` */
    /* Decodes row `row`, counted from the top, to `to`. Any thread may call it. */
    int (*decode)(const struct gf_reader *r, int64_t row, unsigned char *line, void *to, struct gf_error *err);
};

/* Begins the first image: 1 if it is the first call, 0 later, -1. Reads a pipe to its end. */
int gf_raster_begin(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/* Copies `size` bytes of the file from `offset`. A file that ends before them is an error. */
int gf_raster_get(const struct gf_reader *r, int64_t offset, void *to, int64_t size, struct gf_error *err) GF_MUST_CHECK;
/* Returns `size` bytes from `offset` in memory to be freed, unless they are more than the limits allow; NULL after an error. */
unsigned char *gf_raster_load(const struct gf_reader *r, int64_t offset, int64_t size, struct gf_error *err) GF_MUST_CHECK;
/* Warns if the file goes on at `end` with these `size` bytes, the signature of a second image. */
int gf_raster_warn_second(const struct gf_reader *r, int64_t end, const char *signature, int64_t size,
                          struct gf_error *err) GF_MUST_CHECK;
/* Allocates the rows of a compressed image, cleared; the limits are checked. */
int gf_raster_unpack(struct gf_reader *r, int64_t width, int64_t height, int64_t pixel_bytes, struct gf_error *err) GF_MUST_CHECK;
void gf_raster_close(struct gf_reader *r);

/* Pixels as they are stored, whose last byte may have alpha in the bits `mask`. */
struct gf_raster_pixels {
    int64_t width, height;
    int bytes;                   /* a pixel */
    unsigned char mask;
    bool declared;               /* the header says that it is alpha */
    /* Returns row `row`, which it may read to `line`; NULL after an error. */
    const unsigned char *(*find_row)(const struct gf_reader *r, int64_t row, unsigned char *line, struct gf_error *err);
};

/*
 * Looks for alpha: 1, 0 if it is 0 everywhere, which is padding, -1. Warns if the header does not declare it and some pixel
 * is not opaque.
 */
int gf_raster_find_alpha(const struct gf_reader *r, const struct gf_raster_pixels *p, struct gf_error *err) GF_MUST_CHECK;

/* The bodies of ops->read and ->read_at. */
int64_t gf_raster_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err);
int gf_raster_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err);

/* A place of the file from which bytes are taken in order. */
struct gf_raster_cursor {
    int64_t at;                  /* of the byte at `next` */
    int next, there;
    unsigned char ahead[4096];
};

/* The next byte; -1 at the end of the file, -2 after an error. */
int gf_raster_byte(const struct gf_reader *r, struct gf_raster_cursor *c, struct gf_error *err) GF_MUST_CHECK;
/* The next `size` bytes. A file that ends before them is an error. */
int gf_raster_take(const struct gf_reader *r, struct gf_raster_cursor *c, unsigned char *to, size_t size,
                   struct gf_error *err) GF_MUST_CHECK;

#endif
