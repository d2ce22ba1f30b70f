/* Reads pixels of an image that a stage looks at. */
#include "chain/look.h"

#include "kernels/base/pack.h"
#include "kernels/geometry/yuv.h"

#include <stdlib.h>

int gf_look_rows_open(struct gf_look_rows *rows, const struct gf_look *image, struct gf_error *err)
{
    const int channels = image->format->channels;

    rows->row[0] = calloc((size_t)channels * GF_LOOK_PIXELS, sizeof(float));
    if (rows->row[0] == NULL)
        return gf_fail_memory(err, NULL);
    for (int c = 1; c < channels; c++)
        rows->row[c] = rows->row[c - 1] + GF_LOOK_PIXELS;
    return 0;
}

static float stored_at(const struct gf_look *image, int64_t i)
{
    return image->format->type == GF_U8 ? (float)((const uint8_t *)image->samples)[i]
        : (float)((const uint16_t *)image->samples)[i];
}

/* Converts luma and chroma. */
static void read_planes(const struct gf_look *image, int64_t x, int64_t y, int64_t n, const struct gf_look_rows *to)
{
    const struct gf_format *const f = image->format;
    const int64_t across = gf_chroma_side(f->width, f->yuv.sub_x), down = gf_chroma_side(f->units, f->yuv.sub_y);
    const int64_t chroma = f->width * f->units + (y >> f->yuv.sub_y) * across;
    struct gf_yuv_op op;

    gf_yuv_make(&op, f, false);
    for (int64_t i = 0; i < n; i++) {
        const float luma = (stored_at(image, y * f->width + x + i) - op.luma_zero) * op.luma_scale;
        float cb, cr;

        to->row[0][i] = luma;
        if (op.mono)
            continue;
        cb = (stored_at(image, chroma + ((x + i) >> f->yuv.sub_x)) - op.chroma_zero) * op.chroma_scale;
        cr = (stored_at(image, chroma + across * down + ((x + i) >> f->yuv.sub_x)) - op.chroma_zero)
            * op.chroma_scale;
        to->row[0][i] = fmaf(cr, op.m[0][0], luma);
        to->row[1][i] = fmaf(cb, op.m[1][0], fmaf(cr, op.m[1][1], luma));
        to->row[2][i] = fmaf(cb, op.m[2][0], luma);
    }
}

void gf_look_read(const struct gf_look *image, int64_t x, int64_t y, int64_t n, const struct gf_look_rows *to)
{
    const struct gf_format *const f = image->format;
    struct gf_block block;

    if (f->yuv.used) {
        read_planes(image, x, y, n, to);
        return;
    }
    block = gf_block_packed((void *)(uintptr_t)image->samples, f, (struct gf_span) { 0, f->units });
    gf_load_pixels(&block, y, x, n, to->row);
}
