/*
 * How the moves and scales of stages change what a video's header says: the shape of a pixel, and
 * the order of fields.
 */
#ifndef GF_CHAIN_VIDEO_H
#define GF_CHAIN_VIDEO_H

#include "base/error.h"
#include "base/signal.h"

/* True if frames hold two fields, of alternating rows: the letter is t, b or m. */
bool gf_video_is_interlaced(const struct gf_yuv *yuv);
/* True if the shape of a pixel is known, and is not a square. */
bool gf_video_is_anamorphic(const struct gf_yuv *yuv);
/* Columns and rows of about as many pixels, all of them square, that show an image of this format in its shape. */
void gf_video_square_size(const struct gf_format *f, int64_t *width, int64_t *height);

/*
 * `in` was scaled to the sides of `out`: it still fills the same area of a screen, so the shape of its pixels changes.
 * If the sides differ from exact proportions by less than a pixel, the shape stays. New rows belong to no field.
 */
void gf_video_scale(struct gf_format *out, const struct gf_format *in);
/* Rows became columns: pixels are turned, too. Fields, which have no such rows, are refused. */
int gf_video_turn(struct gf_format *out, const char *stage, struct gf_error *err) GF_MUST_CHECK;
/* Rows are mixed at an angle. */
int gf_video_rotate(struct gf_format *out, const char *stage, struct gf_error *err) GF_MUST_CHECK;
/* Row 0 of the result was row `rows` of the input; a negative number counts new rows above it. */
void gf_video_shift(struct gf_format *out, int64_t rows);
/* The last row comes first. */
void gf_video_flip(struct gf_format *out);

#endif
