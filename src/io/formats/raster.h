/* Images in which each row can be decoded independently. */
#ifndef GF_FORMATS_RASTER_H
#define GF_FORMATS_RASTER_H

#include "io/io.h"
#include "io/source.h"

#define GF_RASTER_AHEAD 16384        /* bytes that are read ahead, because each read is a system call */
#define GF_RASTER_BEGINNING 18       /* bytes that show if another image begins */
#define GF_RASTER_PLANES 4           /* the most parts of a row that are stored apart: its channels */

/* Part of the file that was read ahead, for one plane. */
struct gf_raster_ahead {
    int64_t at;                  /* offset in the file */
    int64_t size;                /* 0: nothing yet */
    unsigned char bytes[GF_RASTER_AHEAD];
};

/* Buffers for rows that one thread decodes, one after another. */
struct gf_raster_line {
    int64_t rows;                /* to be decoded from now on, which limits what is read ahead */
    struct gf_raster_ahead ahead[GF_RASTER_PLANES];
    unsigned char bytes[];       /* as many as the format needs for a stored row */
};

/* First member of a reader's state. */
struct gf_raster {
    unsigned char *bytes;        /* the whole of a pipe; NULL: the source has random access */
    /* Offsets are from the beginning of the current image, which is here in the input. */
    int64_t base;
    int64_t size;                /* bytes from there to the end of the input */
    int64_t end;                 /* size of the image, set by ops->next: another one may begin after it */
    /* rows of a compressed image, from top to bottom; NULL: rows are decoded from the file */
    unsigned char *unpacked;
    bool opened;
    int64_t row;                 /* next row to be read in order */
    size_t line_bytes;           /* size of line->bytes that decode() gets */
    /* Decodes row `row`, counted from the top, to `to`. Called from any thread. */
    int (*decode)(const struct gf_reader *r, int64_t row, struct gf_raster_line *line, void *to, struct gf_error *err);
};

/* Returns true if an image of the format begins with these GF_RASTER_BEGINNING bytes; the end of the input is zeros. */
typedef bool gf_raster_beginning(const unsigned char *b);
/*
 * Prepares for the first image and reads a pipe to its end; later for the image after this one. Returns 1,
 * 0 if there is none, or -1.
 */
int gf_raster_begin(struct gf_reader *r, gf_raster_beginning *begins, struct gf_error *err) GF_MUST_CHECK;
/* Returns 1 if an image begins at that offset, 0 if not, or -1. */
int gf_raster_begins(const struct gf_reader *r, int64_t offset, gf_raster_beginning *begins,
                     struct gf_error *err) GF_MUST_CHECK;
/* Copies `size` bytes of the file from `offset`. Fails if the file ends before. */
int gf_raster_get(const struct gf_reader *r, int64_t offset, void *to, int64_t size,
                  struct gf_error *err) GF_MUST_CHECK;
/* Allocates buffers for `rows` rows, with `bytes` for a stored row. Free them with free(). NULL: out of memory. */
struct gf_raster_line *gf_raster_line(int64_t rows, size_t bytes);
/* Like gf_raster_get() for a row, or one plane of it. Reads neighboring rows ahead, up or down, if rows are narrow. */
int gf_raster_get_row(const struct gf_reader *r, struct gf_raster_line *line, int plane, int64_t offset, void *to,
                      int64_t size, struct gf_error *err) GF_MUST_CHECK;
/*
 * Returns `size` bytes from `offset`, which the caller frees. Returns NULL after an error, or if
 * they exceed the limits.
 */
unsigned char *gf_raster_load(const struct gf_reader *r, int64_t offset, int64_t size,
                              struct gf_error *err) GF_MUST_CHECK;
/* Allocates cleared memory for the rows of a compressed image, within the limits. */
int gf_raster_unpack(struct gf_reader *r, int64_t width, int64_t height, int64_t pixel_bytes,
                     struct gf_error *err) GF_MUST_CHECK;
void gf_raster_close(struct gf_reader *r);

/* Stored pixels whose last byte may have alpha, in the bits `mask`. */
struct gf_raster_pixels {
    int64_t width, height;
    int bytes;                   /* of a pixel */
    unsigned char mask;
    bool declared;               /* the header says that it is alpha */
    /* Returns row `row`, which it may read into line->bytes, or NULL after an error. */
    const unsigned char *(*find_row)(const struct gf_reader *r, int64_t row, struct gf_raster_line *line,
                                     struct gf_error *err);
};

/*
 * Decides if the last byte is alpha. Returns 1, 0 if it is 0 everywhere and so is padding, or -1.
 * Warns if the header does not declare alpha and some pixel is not opaque.
 */
int gf_raster_find_alpha(const struct gf_reader *r, const struct gf_raster_pixels *p,
                         struct gf_error *err) GF_MUST_CHECK;

/* Implement ops->read and ops->read_at. */
int64_t gf_raster_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err);
int gf_raster_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err);

/* A position in the file for reading bytes in order. */
struct gf_raster_cursor {
    int64_t at;                  /* offset of the byte at `next` */
    int next, there;
    unsigned char ahead[4096];
};

/* Returns the next byte; -1 at the end of the file, -2 after an error. */
int gf_raster_byte(const struct gf_reader *r, struct gf_raster_cursor *c, struct gf_error *err) GF_MUST_CHECK;
/* Reads the next `size` bytes. Fails if the file ends before. */
int gf_raster_take(const struct gf_reader *r, struct gf_raster_cursor *c, unsigned char *to, size_t size,
                   struct gf_error *err) GF_MUST_CHECK;

#endif
