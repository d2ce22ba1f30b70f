/* Parts of the GIF reader: the blocks of a file and the LZW decoder. */
#ifndef GF_FORMATS_GIF_H
#define GF_FORMATS_GIF_H

#include "io/format.h"

#define GF_GIF_TRAILER 0x3B
#define GF_GIF_NO_TRAILER 2
#define GF_GIF_PER_SECOND 100            /* units of a delay */

extern const struct gf_writer_ops gf_write_gif;

/* Graphic control extension: it applies to the next image only. */
struct gf_gif_control {
    int delay;                   /* hundredths of a second */
    int disposal;                /* enum gf_gif_disposal; other values have no effect */
    int transparent;             /* index of the transparent color; -1: none */
    int plays;                   /* times that the animation plays; 0: without end; -1: not stated before this image */
};

enum gf_gif_disposal { GF_GIF_LEAVE = 1, GF_GIF_CLEAR = 2, GF_GIF_RESTORE = 3 };

/* Position and layout of an image on the screen. */
struct gf_gif_image {
    int x, y, width, height;
    bool interlaced;
    int colours;                 /* size of its own palette; 0: it uses the screen's */
};

/* The logical screen, on which all images are placed. */
struct gf_gif_screen {
    int width, height, colours;
};

/* ---- gif_blocks.c: blocks of the file ---- */

/*
 * The functions below fail if the file is cut short. `pictures` is the number of complete frames,
 * for messages.
 */
int gf_gif_header(struct gf_source *s, struct gf_gif_screen *screen, struct gf_error *err) GF_MUST_CHECK;
/*
 * Moves to the next image. Returns 1, 0 at the trailer, GF_GIF_NO_TRAILER if the file ends without
 * one, or -1.
 */
int gf_gif_next(struct gf_source *s, int64_t pictures, struct gf_gif_control *control, struct gf_gif_image *image,
                struct gf_error *err) GF_MUST_CHECK;
/* Reads a palette: three bytes for each of `colours` entries. */
int gf_gif_colours(struct gf_source *s, unsigned char *rgb, int colours, struct gf_error *err) GF_MUST_CHECK;
/* Skips data blocks up to and including the empty one that ends them. */
int gf_gif_skip_data(struct gf_source *s, int64_t pictures, struct gf_error *err) GF_MUST_CHECK;
int gf_gif_fail_cut(const struct gf_source *s, int64_t pictures, struct gf_error *err);
/*
 * Counts the frames, and sets the frame rate, as a quotient, that keeps the total duration of a file; in a pipe only
 * the first frame is known, and *frames is GF_UNKNOWN. The source must be just before the first frame's pixels.
 * Durations below 20 ms count as 100 ms, as in viewers.
 */
int gf_gif_rate(const struct gf_source *s, const struct gf_gif_control *first, struct gf_yuv *timing,
                int64_t *frames, struct gf_error *err) GF_MUST_CHECK;

/* ---- gif_lzw.c: pixels ---- */

#define GF_GIF_CODES 4096
#define GF_GIF_BLOCK_BYTES 255

struct gf_gif_lzw {
    unsigned char block[GF_GIF_BLOCK_BYTES];
    int at, there;               /* position in the block, and its size */
    bool ended;                  /* the empty block at the end was read */
    uint32_t bits;               /* bits that are read but not yet decoded */
    int bit_count;
    int first_bits, code_bits;
    int next;                    /* the code of the next new string */
    int before;                  /* the previous code; -1: none */
    uint16_t prefix[GF_GIF_CODES], length[GF_GIF_CODES];
    uint8_t first[GF_GIF_CODES], last[GF_GIF_CODES];
};

/* Reads the code size and starts a new image. */
int gf_gif_lzw_begin(struct gf_gif_lzw *z, struct gf_source *s, int64_t pictures, struct gf_error *err) GF_MUST_CHECK;
/*
 * Decodes the pixels of the next code to `to`, at most GF_GIF_CODES. Returns their number, 0 at the
 * end, or -1.
 */
int gf_gif_lzw_next(struct gf_gif_lzw *z, struct gf_source *s, int64_t pictures, uint8_t *to,
                    struct gf_error *err) GF_MUST_CHECK;
/* Skips the rest of the data. */
int gf_gif_lzw_end(struct gf_gif_lzw *z, struct gf_source *s, int64_t pictures, struct gf_error *err) GF_MUST_CHECK;

#endif
