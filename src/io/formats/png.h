/* PNG from within: its header, its rows and its chunks, for those who read and write it. */
#ifndef GF_FORMATS_PNG_H
#define GF_FORMATS_PNG_H

#include "io/bytes.h"
#include "io/format.h"
#include "io/formats/deflate.h"

/* A picture as its first chunks describe it. */
struct gf_png {
    uint32_t width, height;
    int depth;                   /* bits of a stored sample */
    int colour;                  /* 0 gray, 2 RGB, 3 palette, 4 and 6 the first two with alpha */
    bool interlaced;
    bool palette_seen;
    bool srgb;                   /* it says that its colours are sRGB */
    unsigned char palette[256][4];       /* with alpha; what is not told is black */
    bool keyed;                  /* there is alpha beside the colours: in the palette, or `key` is the colour that is clear */
    uint16_t key[3];
};

struct gf_png_animation;

/* Where a picture is being read. */
struct gf_png_reader {
    struct gf_png head;
    bool opened;                 /* a picture is, or was, at hand */
    bool ended;                  /* up to and with its last chunk */
    char type[5];                /* of the chunk at hand: its name, */
    uint32_t left, crc;          /* bytes to come, and the sum so far */
    struct gf_inflate *inflate;
    bool stream_ended;
    size_t row_bytes;            /* stored, behind the number of the filter */
    unsigned char *window;       /* the row before, then rows as they come */
    int64_t window_rows, there, at;
    int64_t row;                 /* the next of the picture */
    unsigned char *whole;        /* the samples of an interlaced picture */
    struct gf_png_animation *animation;  /* NULL: it is a still image */
};

/* Pass 0 to 6 of an interlaced picture: pixel (x, y) of it is (x0 + x·dx, y0 + y·dy) of the picture. */
struct gf_png_pass {
    uint32_t x0, y0, dx, dy, width, height;
};

extern const struct gf_writer_ops gf_write_png, gf_draw_png;

#define GF_PNG_SIGNATURE "\x89PNG\r\n\x1a\n"
#define GF_PNG_MOST_KEY 79
#define GF_PNG_XMP_KEY "XML:com.adobe.xmp"
#define GF_PNG_MOST_BESIDE ((size_t)16 << 20)        /* bytes of a chunk beside the picture, and of what it unpacks to */

/* ---- png_chunks.c: the chunks of one that is read ---- */

int gf_png_fail_cut(const struct gf_reader *r, struct gf_error *err);
int gf_png_fail_damaged(const struct gf_reader *r, const char *what, struct gf_error *err);
/* From behind the signature up to the first picture data: fills head and what is told beside it. */
int gf_png_take_front(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/* What a file says behind its picture, before the first row is read; and whether it is all there. */
int gf_png_check_trailing(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/* On to the next chunk of picture data. */
int gf_png_next_data(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/* Takes `size` bytes that were looked at, or nobody looks at. */
int gf_png_pass_over(struct gf_reader *r, int64_t size, struct gf_error *err) GF_MUST_CHECK;
/* Takes the rest of the chunk at hand and its sum, which has to be right with `check`. */
int gf_png_end_chunk(struct gf_reader *r, bool check, struct gf_error *err) GF_MUST_CHECK;
/* Takes the header of the next chunk, and the sequence number of frame data. */
int gf_png_begin_chunk(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/* Takes exactly `size` bytes of the chunk at hand. */
int gf_png_take_some(struct gf_reader *r, void *to, uint32_t size, struct gf_error *err) GF_MUST_CHECK;
/* Takes what is left, up to and with the last chunk; with `check` sums have to be right. */
int gf_png_take_rest(struct gf_reader *r, bool check, struct gf_error *err) GF_MUST_CHECK;

/* ---- png.c: rows in order, for frames of an animation too ---- */

/* Prepares for rows of the size in p->head, within the limits. */
int gf_png_begin_rows(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/* Receives a row of a pass as samples. */
typedef void gf_png_put_row(struct gf_reader *r, const struct gf_png_pass *pass, uint32_t y,
                            const unsigned char *samples);
/* Hands over every row of an image, pass after pass, up to the end of its stream. */
int gf_png_read_passes(struct gf_reader *r, gf_png_put_row *put, struct gf_error *err) GF_MUST_CHECK;

/* ---- png_animation.c: frames ---- */

/* Takes acTL, and fcTL before the first image data. */
int gf_png_take_animation(struct gf_reader *r, const char *type, const unsigned char *data, size_t size,
                          struct gf_error *err) GF_MUST_CHECK;
/* Checks the sequence number of a chunk. */
int gf_png_check_sequence(const struct gf_reader *r, const unsigned char *number, struct gf_error *err) GF_MUST_CHECK;
/* Looks ahead at an fcTL chunk: adds up the time of all frames. */
void gf_png_scan_control(struct gf_reader *r, const unsigned char *data, size_t size);
/* Goes to the next frame and draws it: 1, 0 after the last chunk, -1. */
int gf_png_next_frame(struct gf_reader *r, struct gf_error *err) GF_MUST_CHECK;
/* The bodies of ops->read and ->read_at. */
int64_t gf_png_frame_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err);
int gf_png_frame_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err);
void gf_png_free_animation(struct gf_png_reader *p);

/* ---- png_blend.c: pixels of frames ---- */

/*
 * Draws `width` pixels of format `f` on a canvas of that format with alpha, `step_pixels` apart: over what is there, or
 * in its place.
 */
void gf_png_blend(unsigned char *to, size_t step_pixels, const unsigned char *from, uint32_t width,
                  const struct gf_format *f, bool over);
/* Copies pixels of a canvas without their alpha, as `f` has them. */
void gf_png_drop_alpha(unsigned char *to, const unsigned char *from, int64_t pixels, const struct gf_format *f);

/* ---- png_rows.c: from what is stored to samples ---- */

/* Bytes of a row of `width` pixels as it is stored, without the number of its filter. */
size_t gf_png_row_bytes(const struct gf_png *p, uint32_t width);
/* Takes the filter off a row in place; `above` is the row before it, zeros for the first. 0, or -1 where there is no such filter. */
int gf_png_unfilter(const struct gf_png *p, int filter, unsigned char *row, const unsigned char *above, size_t size);
/* What the samples are once they are taken out: 8 or 16 bits, no palette. */
void gf_png_format(const struct gf_png *p, struct gf_format *f);
/* `width` pixels of a stored row as samples. */
void gf_png_expand(const struct gf_png *p, const unsigned char *row, uint32_t width, void *samples);

struct gf_png_pass gf_png_pass(const struct gf_png *p, int number);

/* ---- png_filter.c: and back ---- */

/*
 * Filters `rows` rows of `size` bytes one behind another, as PNG stores them; in front of
 * them at `rows` - `size` stands the one before. Each comes out behind the number of the
 * filter that seems best for it.
 */
void gf_png_filter(const unsigned char *rows, size_t size, int64_t count, size_t pixel_bytes, unsigned char *to);

/* ---- png_meta.c, png_meta_write.c: what stands beside the picture ---- */

/* The names of those that say what samples mean, by enum gf_colour_chunk, and their sizes. */
extern const struct gf_png_colour_chunk {
    char type[5];
    size_t bytes;
} gf_png_colour_chunks[GF_COLOUR_CHUNKS];
/* Forgets chunks that say what is assumed without them, sRGB, and those that others overrule; `srgb`: there is a chunk sRGB. */
void gf_png_settle_colour(struct gf_meta *m, bool srgb);
/* True if a text has a key that is allowed. */
bool gf_png_keeps_text(const struct gf_text *text);

/* Takes in a chunk, if it is one of those that are kept; what makes no sense is passed over. -1: out of memory. */
int gf_png_take_meta(struct gf_meta *m, const char *type, const unsigned char *data, size_t size, struct gf_error *err) GF_MUST_CHECK;
/* Writes the chunks that stand before the picture. */
int gf_png_put_meta(struct gf_writer *w, struct gf_error *err) GF_MUST_CHECK;
/* Writes one chunk. */
int gf_png_put_chunk(struct gf_output *out, const char *type, const void *data, size_t size, struct gf_error *err) GF_MUST_CHECK;

#endif
