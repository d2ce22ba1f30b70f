/* The shape of a video's pixels, and the order of its fields, after moves and scales. */
#include "chain/video.h"


#include <math.h>
#include <stdlib.h>

#define MOST_RATIO 999999999             /* readers of Y4M accept nine digits */

bool gf_video_is_interlaced(const struct gf_yuv *yuv)
{
    return yuv->used && (yuv->interlace == 't' || yuv->interlace == 'b' || yuv->interlace == 'm');
}

bool gf_video_is_anamorphic(const struct gf_yuv *yuv)
{
    return yuv->used && yuv->aspect[0] > 0 && yuv->aspect[1] > 0 && yuv->aspect[0] != yuv->aspect[1];
}

void gf_video_square_size(const struct gf_format *f, int64_t *width, int64_t *height)
{
    const double wide = (double)f->yuv.aspect[0] / f->yuv.aspect[1];

    *width = f->width;
    *height = f->units;
    if (wide > 1)
        *width = llround((double)f->width * wide);
    else
        *height = llround((double)f->units / wide);
}

/* Multiplies a ratio by a / b. One with too many digits is rounded; if that leaves nothing, the ratio is unknown. */
static void multiply_ratio(int *ratio, int64_t a, int64_t b)
{
    const int64_t same = gf_common_divisor(a, b);
    const int64_t up = gf_common_divisor(ratio[0], b / same), down = gf_common_divisor(a / same, ratio[1]);
    double over = (double)(ratio[0] / up) * (double)(a / same / down),
        under = (double)(ratio[1] / down) * (double)(b / same / up);

    while (over > MOST_RATIO || under > MOST_RATIO) {
        over /= 2;
        under /= 2;
    }
    ratio[0] = (int)rint(over);
    ratio[1] = (int)rint(under);
    if (ratio[0] == 0 || ratio[1] == 0)
        ratio[0] = ratio[1] = 0;
}

/* True if one side follows from the other in proportion, rounded to a pixel. */
static bool keeps_shape(const struct gf_format *out, const struct gf_format *in)
{
    const double across = (double)out->width / (double)in->width, down = (double)out->units / (double)in->units;

    return fabs((double)in->width * down - (double)out->width) < 1
        || fabs((double)in->units * across - (double)out->units) < 1;
}

/* Rows no longer belong to one field each, so a player must not take them apart. */
static void end_fields(struct gf_yuv *yuv)
{
    if (!yuv->fields && gf_video_is_interlaced(yuv))
        yuv->interlace = 'p';
}

void gf_video_scale(struct gf_format *out, const struct gf_format *in)
{
    if (out->yuv.aspect[0] > 0 && !keeps_shape(out, in)) {
        multiply_ratio(out->yuv.aspect, in->width, out->width);
        if (out->yuv.aspect[0] > 0)
            multiply_ratio(out->yuv.aspect, out->units, in->units);
    }
    if (out->units != in->units)
        end_fields(&out->yuv);
}

static int refuse_fields(const struct gf_format *f, const char *stage, struct gf_error *err)
{
    return f->yuv.fields ? gf_fail(err, GF_FAILED, "%s: a field cannot be rotated, because its rows are "
                                                   "not adjacent;; deinterlace first, or use --interlaced "
                                                   "off if the video is progressive", stage) : 0;
}

int gf_video_turn(struct gf_format *out, const char *stage, struct gf_error *err)
{
    const int wide = out->yuv.aspect[0];

    if (refuse_fields(out, stage, err) != 0)
        return -1;
    out->yuv.aspect[0] = out->yuv.aspect[1];
    out->yuv.aspect[1] = wide;
    end_fields(&out->yuv);
    return 0;
}

int gf_video_rotate(struct gf_format *out, const char *stage, struct gf_error *err)
{
    if (refuse_fields(out, stage, err) != 0)
        return -1;
    end_fields(&out->yuv);
    return 0;
}

void gf_video_shift(struct gf_format *out, int64_t rows)
{
    struct gf_yuv *yuv = &out->yuv;

    if (yuv->fields || rows % 2 == 0 || (yuv->interlace != 't' && yuv->interlace != 'b'))
        return;
    yuv->interlace = yuv->interlace == 't' ? 'b' : 't';
}

void gf_video_flip(struct gf_format *out)
{
    gf_video_shift(out, out->units - 1);
}

struct gf_format gf_planes_format(const struct gf_format *frame, bool chroma)
{
    struct gf_format plane = *frame;

    plane.channels = 1;
    plane.alpha = false;
    plane.yuv = (struct gf_yuv) { 0 };
    if (chroma) {
        plane.width = gf_chroma_side(frame->width, frame->yuv.sub_x);
        plane.units = gf_chroma_side(frame->units, frame->yuv.sub_y);
    }
    return plane;
}

static bool has_chroma(const struct gf_format *frame)
{
    return !frame->yuv.mono && gf_colours(frame) == 3;
}

bool gf_planes_are_centered(const struct gf_format *frame)
{
    const struct gf_yuv *y = &frame->yuv;

    return !has_chroma(frame) || y->sub_x == 0
        || (y->sub_x == 1 && y->sub_y == 1 && y->siting != GF_SITED_MPEG2 && y->siting != GF_SITED_PALDV);
}

void gf_planes_grid(const struct gf_format *frame, int *columns, int *rows)
{
    const bool alternate = gf_video_is_interlaced(&frame->yuv) && !frame->yuv.fields;    /* so do the rows of chroma */

    *columns = has_chroma(frame) ? 1 << frame->yuv.sub_x : 1;
    *rows = has_chroma(frame) && frame->yuv.sub_y > 0 ? (alternate ? 2 : 1) << frame->yuv.sub_y : 1;
}

bool gf_planes_column_fits(const struct gf_format *frame, int64_t columns)
{
    int across, down;

    gf_planes_grid(frame, &across, &down);
    return columns % across == 0;
}

bool gf_planes_row_fits(const struct gf_format *frame, int64_t rows)
{
    int across, down;

    gf_planes_grid(frame, &across, &down);
    return rows % down == 0;
}

enum gf_planes gf_planes_if_square(const struct gf_format *frame)
{
    return has_chroma(frame) && frame->yuv.sub_x != frame->yuv.sub_y ? GF_PLANES_NONE : GF_PLANES_OTHER;
}

int64_t gf_plane_radius(const struct gf_plane *plane, int64_t radius)
{
    return gf_chroma_side(radius, plane->sub_x);
}

enum gf_planes gf_planes_equal(const void *config, const struct gf_format *frame)
{
    (void)config;
    (void)frame;
    return GF_PLANES_EQUAL;
}
