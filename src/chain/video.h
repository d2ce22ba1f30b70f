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

/* ---- video in its planes: luma and chroma as gray images, without a conversion to red, green and blue ---- */

/* How a stage can work on the planes of a frame; a higher value allows more. */
enum gf_planes {
    GF_PLANES_NONE,              /* it needs red, green and blue */
    GF_PLANES_OTHER,             /* its result differs from that on red, green and blue: only with --video planes */
    GF_PLANES_EQUAL              /* its result is the same, except that chroma is not resampled */
};

/* --video: use the planes if that changes nothing else; never; or whenever the stages allow it. */
enum gf_video_choice { GF_VIDEO_AUTO, GF_VIDEO_RGB, GF_VIDEO_PLANES };

/*
 * A plane before a stage. A value v of luma, or of a color difference, is stored as
 * zero + range·v, where 1 is the largest sample.
 */
struct gf_plane {
    bool chroma;
    int sub_x, sub_y;            /* the plane has 1 / 2^sub as many columns and rows as the frame */
    const struct gf_format *frame;
    double zero, range;
};

/* Returns the number of planes of a frame: 1 or 3. */
static inline int gf_planes_count(const struct gf_format *frame)
{
    return frame->yuv.mono ? 1 : 3;
}

/* A `planes` of stages that treat all planes alike, whatever their options. */
enum gf_planes gf_planes_equal(const void *config, const struct gf_format *frame);
/* Returns the format of luma, or of one plane of chroma, as a gray image. */
struct gf_format gf_planes_format(const struct gf_format *frame, bool chroma);

/* Returns true if chroma is in the middle between columns of luma, or if each column has its own. */
bool gf_planes_are_centered(const struct gf_format *frame);
/*
 * Returns true if a position or a length is on the grid of chroma. In interlaced frames, it is also
 * on that of a field's chroma.
 */
bool gf_planes_column_fits(const struct gf_format *frame, int64_t columns);
bool gf_planes_row_fits(const struct gf_format *frame, int64_t rows);
/* Finds the grid: positions and lengths must be multiples of these numbers of columns and rows. */
void gf_planes_grid(const struct gf_format *frame, int *columns, int *rows);
/*
 * Returns GF_PLANES_OTHER for a stage whose lengths are the same along columns and rows, which needs
 * chroma with the same share of both; otherwise GF_PLANES_NONE.
 */
enum gf_planes gf_planes_if_square(const struct gf_format *frame);
/* Returns a radius in pixels of the frame as one in samples of the plane, rounded up. */
int64_t gf_plane_radius(const struct gf_plane *plane, int64_t radius);

#endif
