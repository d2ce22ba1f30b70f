/* The parts of the GIF reader: blocks of a file, and the codes that pixels are stored in. */
#ifndef GF_FORMATS_GIF_H
#define GF_FORMATS_GIF_H

#include "io/format.h"

#define GF_GIF_TRAILER 0x3B
#define GF_GIF_NO_TRAILER 2

/* An extension before an image that is about this image alone. */
struct gf_gif_control {
    int delay;                   /* hundredths of a second */
    int disposal;                /* enum gf_gif_disposal, or another value that means nothing */
    int transparent;             /* the colour that is none; -1: all are */
};

enum gf_gif_disposal { GF_GIF_LEAVE = 1, GF_GIF_CLEAR = 2, GF_GIF_RESTORE = 3 };

/* The place of an image on the screen, and its layout. */
struct gf_gif_image {
    int x, y, width, height;
    bool interlaced;
    int colours;                 /* of its own; 0: those of the screen */
};

/* The screen. */
struct gf_gif_screen {
    int width, height, colours;
};

/* ---- gif_blocks.c: the file as blocks ---- */

/* All three fail with a line where the file is cut short; `pictures` are those before. */
int gf_gif_header(struct gf_source *s, struct gf_gif_screen *screen, struct gf_error *err) GF_MUST_CHECK;
/* Goes to the next picture: 1, 0 at the trailer, GF_GIF_NO_TRAILER if the file ends after a picture without one, -1. */
int gf_gif_next(struct gf_source *s, int64_t pictures, struct gf_gif_control *control, struct gf_gif_image *image,
                struct gf_error *err) GF_MUST_CHECK;
/* Three bytes for each of so many colours. */
int gf_gif_colours(struct gf_source *s, unsigned char *rgb, int colours, struct gf_error *err) GF_MUST_CHECK;
/* Passes over blocks of data, up to and with the one that is empty. */
int gf_gif_skip_data(struct gf_source *s, int64_t pictures, struct gf_error *err) GF_MUST_CHECK;
int gf_gif_fail_cut(const struct gf_source *s, int64_t pictures, struct gf_error *err);
/*
 * Images a second, as a quotient, so that all of a file take as long as it says; of a pipe, by the first alone. The source
 * stands before that one's pixels. Times below two hundredths count as ten, as in viewers.
 */
int gf_gif_rate(const struct gf_source *s, const struct gf_gif_control *first, struct gf_yuv *timing, struct gf_error *err) GF_MUST_CHECK;

/* ---- gif_lzw.c: pixels ---- */

#define GF_GIF_CODES 4096
#define GF_GIF_BLOCK_BYTES 255

struct gf_gif_lzw {
    unsigned char block[GF_GIF_BLOCK_BYTES];
    int at, there;               /* of the block */
    bool ended;                  /* the last block was read */
    uint32_t bits;               /* read, and not yet a code */
    int bit_count;
    int first_bits, code_bits;
    int next;                    /* the code that the next string will have */
    int before;                  /* the last code; -1: none */
    uint16_t prefix[GF_GIF_CODES], length[GF_GIF_CODES];
    uint8_t first[GF_GIF_CODES], last[GF_GIF_CODES];
};

/* Reads the size of its codes. */
int gf_gif_lzw_begin(struct gf_gif_lzw *z, struct gf_source *s, int64_t pictures, struct gf_error *err) GF_MUST_CHECK;
/* The pixels of the next code, at most GF_GIF_CODES, to `to`: how many, 0 where they end, -1. */
int gf_gif_lzw_next(struct gf_gif_lzw *z, struct gf_source *s, int64_t pictures, uint8_t *to, struct gf_error *err) GF_MUST_CHECK;
/* Passes over what is left. */
int gf_gif_lzw_end(struct gf_gif_lzw *z, struct gf_source *s, int64_t pictures, struct gf_error *err) GF_MUST_CHECK;

#endif
