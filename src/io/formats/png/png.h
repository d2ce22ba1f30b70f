/* PNG internals, shared by the reader and the writer: header, rows and chunks. */
#ifndef GF_FORMATS_PNG_H
#define GF_FORMATS_PNG_H

#include "io/bytes.h"
#include "io/format.h"
#include "io/formats/deflate.h"

/* An image as the chunks before its data describe it. */
struct gf_png {
    uint32_t width, height;
    int depth;                   /* bits per stored sample */
    int colour;                  /* color type: 0 gray, 2 RGB, 3 palette, 4 gray and alpha, 6 RGB and alpha */
    bool interlaced;
    bool palette_seen;
    bool srgb;                   /* an sRGB chunk is present */
    unsigned char palette[256][4];       /* RGBA; missing entries are black */
    bool keyed;                  /* a tRNS chunk is present: the palette has alpha, or the color `key` is transparent */
    uint16_t key[3];
};

struct gf_png_animation;

/* State of the reader. */
struct gf_png_reader {
    struct gf_png head;
    bool opened;                 /* an image was found */
    bool ended;                  /* its last chunk was read */
    char type[5];                /* name of the current chunk */
    uint32_t left, crc;          /* its remaining bytes; its CRC so far */
    struct gf_inflate *inflate;
    bool stream_ended;
    size_t row_bytes;            /* of a stored row, without the filter byte */
    unsigned char *window;       /* the previous row, then decompressed rows */
    int64_t window_rows, there, at;
    int64_t row;                 /* the next row of the image */
    unsigned char *whole;        /* samples of an interlaced image */
    struct gf_png_animation *animation;  /* NULL: a still image */
};

/*
 * Pass 0 to 6 of an interlaced image. Its pixel (x, y) is pixel (x0 + x*dx, y0 + y*dy) of the
 * image.
 */
struct gf_png_pass {
    uint32_t x0, y0, dx, dy, width, height;
};

extern const struct gf_writer_ops gf_write_png, gf_draw_png;

#define GF_PNG_SIGNATURE "\x89PNG\r\n\x1a\n"
#define GF_PNG_MOST_KEY 79
#define GF_PNG_XMP_KEY "XML:com.adobe.xmp"
#define GF_PNG_MOST_BESIDE ((size_t)16 << 20)        /* most bytes of a metadata chunk, also after decompression */

/* ---- png_chunks.c: chunks that are read ---- */

static inline int gf_png_fail_cut(const struct gf_reader *r, struct gf_error *err)
{
    return gf_fail_cut(err, "%s: is cut short", r->name);
}

static inline int gf_png_fail_damaged(const struct gf_reader *r, const char *what, struct gf_error *err)
{
    return gf_fail_damaged(err, "%s: can't be decoded: %s", r->name, what);
}

/* Reads from the signature to the first image data: fills p->head and the metadata. */
int gf_png_take_front(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/*
 * Reads the metadata after the image data in advance, and checks that the file is complete. Files
 * only.
 */
int gf_png_check_trailing(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/* Moves to the next chunk of image data. */
int gf_png_next_data(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/* Skips `size` bytes. */
int gf_png_pass_over(struct gf_reader *r, int64_t size, struct gf_error *err) GF_MUST_CHECK;
/* Skips the rest of the current chunk and its CRC, which must be correct if `check` is true. */
int gf_png_end_chunk(struct gf_reader *r, bool check, struct gf_error *err) GF_MUST_CHECK;
/* Reads the header of the next chunk, and the sequence number of frame data. */
int gf_png_begin_chunk(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/* Reads exactly `size` bytes of the current chunk. */
int gf_png_take_some(struct gf_reader *r, void *to, uint32_t size, struct gf_error *err) GF_MUST_CHECK;
/* Skips all chunks up to and including IEND. If `check` is true, their CRCs must be correct. */
int gf_png_take_rest(struct gf_reader *r, bool check, struct gf_error *err) GF_MUST_CHECK;

/* ---- png_blend.c: pixels of frames ---- */

/*
 * Draws `width` pixels of format `f` on a canvas of that format with alpha, `step_pixels` apart.
 * They are blended if `over` is true, otherwise they replace the pixels there.
 */
void gf_png_blend(unsigned char *to, size_t step_pixels, const unsigned char *from, uint32_t width,
                  const struct gf_format *f, bool over);
/* Copies pixels of a canvas to format `f`, which has no alpha. */
void gf_png_drop_alpha(unsigned char *to, const unsigned char *from, int64_t pixels, const struct gf_format *f);

/* ---- png_rows.c: stored rows to samples ---- */

/* Returns the bytes of a stored row of `width` pixels, without the filter byte. */
size_t gf_png_row_bytes(const struct gf_png *p, uint32_t width);
/*
 * Undoes the filter of a row in place. `above` is the previous row, zeros for the first. Returns -1
 * for an unknown filter.
 */
int gf_png_unfilter(const struct gf_png *p, int filter, unsigned char *row, const unsigned char *above, size_t size);
/* Sets the format of the samples: 8 or 16 bits, palettes converted to RGB. */
void gf_png_format(const struct gf_png *p, struct gf_format *f);
/* Converts `width` pixels of a stored row to samples. */
void gf_png_expand(const struct gf_png *p, const unsigned char *row, uint32_t width, void *samples);

struct gf_png_pass gf_png_pass(const struct gf_png *p, int number);

/* ---- png_filter.c: rows to filtered rows ---- */

/*
 * Filters `count` consecutive rows of `size` bytes. The previous row must be at `rows` - `size`.
 * Each result has a leading byte with the number of the filter, which is chosen for good
 * compression.
 */
void gf_png_filter(const unsigned char *rows, size_t size, int64_t count, size_t pixel_bytes, unsigned char *to);

/* ---- png_meta.c, png_meta_write.c: metadata ---- */

/* Names and sizes of the chunks that define colors, by enum gf_colour_chunk. */
extern const struct gf_png_colour_chunk {
    char type[5];
    size_t bytes;
} gf_png_colour_chunks[GF_COLOUR_CHUNKS];
/*
 * Removes color chunks that only state sRGB, which is the default, and those that other chunks
 * override. `srgb`: there is an sRGB chunk.
 */
void gf_png_settle_colour(struct gf_meta *m, bool srgb);
/* Returns true if the key of a text is valid in PNG. */
bool gf_png_keeps_text(const struct gf_text *text);

/*
 * Adds a metadata chunk if its type is known. Malformed chunks are ignored. Returns -1 if memory is
 * short.
 */
int gf_png_take_meta(struct gf_meta *m, const char *type, const unsigned char *data, size_t size,
                     struct gf_error *err) GF_MUST_CHECK;
/* Writes the metadata chunks, which come before the image data. */
int gf_png_put_meta(struct gf_writer *w, struct gf_error *err) GF_MUST_CHECK;
/* Writes one chunk. */
int gf_png_put_chunk(struct gf_output *out, const char *type, const void *data, size_t size,
                     struct gf_error *err) GF_MUST_CHECK;

/* See single() of struct gf_file_format. */
bool gf_png_is_single(const struct gf_source *s);

#endif
