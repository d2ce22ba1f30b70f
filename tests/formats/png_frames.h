/* Animated PNG for tests: each pixel is a letter. */
#ifndef GF_PNG_FRAMES_H
#define GF_PNG_FRAMES_H

#include "png_encoder.h"

enum { NONE, CLEAR, RESTORE };           /* dispose */
enum { SOURCE, OVER };                   /* blend */

struct gf_frame {
    uint32_t x, y, width, height;
    int dispose, blend;
    const char *pixels;          /* one letter per pixel */
};

/* The number of the next fcTL or fdAT chunk. */
extern uint32_t gf_frame_sequence;

/* Writes the first `channels` samples of a letter and returns `channels`. */
size_t gf_add_letter(unsigned char *to, char letter, int channels);
/* Adds the header and an acTL chunk. */
void gf_begin_animation(struct gf_bytes *b, const struct gf_png_kind *k, uint32_t frames);
/* Adds an fcTL chunk with a duration of count / per_second. */
void gf_add_control(struct gf_bytes *b, const struct gf_frame *f, unsigned count, unsigned per_second);
/* Adds a zlib stream as IDAT (`still`), or as two fdAT chunks. */
void gf_add_frame_stream(struct gf_bytes *b, const struct gf_bytes *z, bool still);
void gf_add_frame(struct gf_bytes *b, const struct gf_frame *f, int channels, bool still);
/* Makes a file of these frames, RGB or RGBA. `hidden` adds a default image that is not a frame. */
void gf_make_animation(struct gf_bytes *b, const struct gf_png_kind *k, const struct gf_frame *frames, uint32_t count,
                       const char *hidden);

#endif
