/* Padding on a CPU: the part of a row inside the source is one copy, the rest is set item by item. */
#include "kernels/geometry/pad.h"

#include "kernels/base/block.h"
#include "kernels/base/pack.h"

#include <string.h>

void gf_pad_item(const struct gf_block *b, const struct gf_pad *p, int c, unsigned char item[GF_PAD_ITEM])
{
    _Alignas(16) unsigned char room[GF_PAD_ITEM] = { 0 };
    struct gf_block one = *b;
    const float *row[4] = { &p->background[0], &p->background[1], &p->background[2], &p->background[3] };
    static const float zero = 0;

    if (b->planar) {
        memcpy(room, p->use_background ? &p->background[c] : &zero, sizeof(float));
    } else if (p->use_background) {
        one.data = room;
        one.span = (struct gf_span) { 0, 1 };
        one.width = 1;
        gf_store_pixels(&one, 0, 0, 1, row);
    }
    memcpy(item, room, sizeof room);
}

/* Rows of items of one size: packed pixels, or the samples of one channel. */
struct pad_job {
    const struct gf_pad *p;
    const char *src;                     /* first item of source row `start` */
    int64_t start, width, units;         /* of the source */
    size_t src_pitch, bytes;
    enum gf_border border;
    unsigned char item[GF_PAD_ITEM];
};

/* Sets items [x, end) of a row of the result, which are beyond one side of source row `from`. */
static void pad_items(char *to, const char *from, int64_t x, int64_t end, const struct pad_job *j)
{
    const bool first = x < j->p->left;

    if (j->border == GF_ZERO || j->border == GF_CLAMP) {
        gf_repeat_item(to + (size_t)x * j->bytes, j->border == GF_ZERO ? (const char *)j->item
                       : from + (first ? 0 : (size_t)(j->width - 1) * j->bytes), j->bytes, end - x);
        return;
    }
    for (; x < end; x++)
        memcpy(to + (size_t)x * j->bytes,
               from + (size_t)gf_border_index(j->border, x - j->p->left, j->width) * j->bytes, j->bytes);
}

static void pad_row(char *to, int64_t y, int64_t width, const struct pad_job *j)
{
    const int64_t row = gf_border_index(j->border, y - j->p->top, j->units);
    const int64_t left = j->p->left < width ? j->p->left : width,
                         right = left + j->width < width ? left + j->width : width;
    const char *from = j->src + (row - j->start) * (int64_t)j->src_pitch;

    if (row < 0) {
        gf_repeat_item(to, j->item, j->bytes, width);
        return;
    }
    pad_items(to, from, 0, left, j);
    memcpy(to + (size_t)left * j->bytes, from, (size_t)(right - left) * j->bytes);
    pad_items(to, from, right, width, j);
}

int gf_pad_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_pad *p = params;
    const size_t sample = gf_type_bytes(io->src.type);

    (void)work;
    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || io->src.planar != io->dst.planar)
        return gf_fail(err, GF_FAILED, "internal error: pad cannot change samples");
    for (int c = 0; c < (io->src.planar ? io->src.channels : 1); c++) {
        struct pad_job j = { .p = p, .src = (const char *)io->src.data + (size_t)(c * io->src.plane_samples) * sample,
                             .start = io->src.span.start, .width = io->src.width, .units = io->src_units,
                             .src_pitch = (size_t)io->src.pitch_samples * sample,
                                          .bytes = (size_t)gf_pad_item_bytes(&io->src),
                             .border = p->use_background ? GF_ZERO : p->border };

        gf_pad_item(&io->dst, p, c, j.item);
        for (int64_t y = io->dst.span.start; y < io->dst.span.end; y++)
            pad_row((char *)io->dst.data
                    + (size_t)(c * io->dst.plane_samples + (y - io->dst.span.start) * io->dst.pitch_samples) * sample,
                    y, io->dst.width, &j);
    }
    return 0;
}

static void pad_map(const void *params, struct gf_affine *to_source)
{
    const struct gf_pad *p = params;

    *to_source = (struct gf_affine) { .xx = 1, .yy = 1, .cx = (double)-p->left, .cy = (double)-p->top };
}

const struct gf_operation gf_op_pad = {
    .word = "pad", .text = "Moves an image into a larger one.",
    .params_bytes = sizeof(struct gf_pad),
    .moves = true, .keeps_layout = true,
    .cpu = { .body = gf_pad_cpu, .reads = GF_READS_PACKED, .light = 0.7 },
    .cuda = { .body = GF_CUDA_BODY(gf_pad_cuda), .reads = GF_READS_PACKED },
    .map = pad_map,
};
