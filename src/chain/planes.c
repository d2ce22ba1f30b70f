/* Tells stages about the planes of a frame: their sizes, and the positions of chroma. */
#include "chain/planes.h"

#include "chain/video.h"

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
