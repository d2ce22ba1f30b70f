/* Cases of conversion between video frames of luma and chroma, and planes. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/geometry/yuv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns sample (x, y) of plane p of a frame, or the nearest one inside. *at is its index. */
static double frame_sample(const struct gf_block *frame, const struct gf_yuv_op *o, int p, int64_t x, int64_t y,
                           int64_t *at)
{
    const int64_t w = p ? (o->width + (1 << o->sub_x) - 1) >> o->sub_x : o->width;
    const int64_t h = p ? (o->height + (1 << o->sub_y) - 1) >> o->sub_y : o->height;
    const int64_t base = p ? o->width * o->height + (p - 1) * w * h : 0;

    x = x < 0 ? 0 : x < w ? x : w - 1;
    y = y < 0 ? 0 : y < h ? y : h - 1;
    *at = base + y * w + x;
    return frame->type == GF_U8 ? ((const uint8_t *)frame->data)[*at] : ((const uint16_t *)frame->data)[*at];
}

/* Returns the place of chroma sample 0, in pixels. */
static double chroma_start(const struct gf_yuv_op *o, bool across)
{
    return across ? (o->sub_x == 1 && !o->left ? 0.5 : 0) : o->sub_y ? 0.5 : 0;
}

/* Converts a pixel by the formulas of BT.601 and BT.709, from Kr and Kb only. */
static void slow_from_yuv(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x,
                          int64_t y, double *out)
{
    const struct gf_yuv_op *o = params;
    const bool full = o->luma_zero == 0, hd = o->m[0][0] > 1.5f;
    const double kr = hd ? 0.2126 : 0.299, kb = hd ? 0.0722 : 0.114,
                 one = full ? (double)o->most : (double)(o->luma_zero / 16) * 219;
    const double cx = ((double)x - chroma_start(o, true)) / (1 << o->sub_x),
                 cy = ((double)y - chroma_start(o, false)) / (1 << o->sub_y);
    double c[3] = { 0, 0, 0 };
    int64_t at;

    (void)check;
    out[0] = (frame_sample(&io->src, o, 0, x, y, &at) - (double)o->luma_zero) / one;
    for (int p = 1; p < 3 && !o->mono; p++) {
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 2; i++)
                c[p] += frame_sample(&io->src, o, p, (int64_t)floor(cx) + i, (int64_t)floor(cy) + j, &at)
                      * (1 - fabs(cx - floor(cx) - i)) * (1 - fabs(cy - floor(cy) - j));
        c[p] = (c[p] - (double)o->chroma_zero) / (full ? one : one / 219 * 224);
    }
    if (o->mono)
        return;
    out[2] = out[0] + 2 * (1 - kb) * c[1];
    c[0] = out[0];
    out[0] += 2 * (1 - kr) * c[2];
    out[1] = (c[0] - kr * out[0] - kb * out[2]) / (1 - kr - kb);
}

/* Returns luma (p = 0) or chroma of a sample of a frame, before rounding. */
static double slow_to_yuv(const struct gf_io *io, const struct gf_yuv_op *o, int p, int64_t x, int64_t y)
{
    const bool full = o->luma_zero == 0, hd = o->m[0][0] < 0.25f;
    const double kr = hd ? 0.2126 : 0.299, kb = hd ? 0.0722 : 0.114,
                 one = full ? (double)o->most : (double)(o->luma_zero / 16) * 219;
    const int reach = p == 0 || o->sub_x == 0 ? 0 : o->left ? (1 << o->sub_x) - 1 : 1, rows = p > 0 && o->sub_y ? 2 : 1;
    double v[3] = { 0, 0, 0 }, luma, weights = 0;

    for (int j = 0; j < rows; j++)
        for (int i = o->left ? -reach : 0; i <= reach; i++) {
            const int64_t sx = (p ? x << o->sub_x : x) + i, sy = (p ? y << o->sub_y : y) + j;
            const double w = o->left ? reach + 1 - abs(i) : 1;

            weights += w;
            for (int c = 0; c < io->src.channels; c++)
                v[c] += w * gf_slow_sample(&io->src, c, sx < 0 ? 0 : sx < o->width ? sx : o->width - 1,
                                   sy < o->height ? sy : o->height - 1);
        }
    for (int c = 0; c < 3; c++)
        v[c] /= weights;
    luma = o->mono ? v[0] : kr * v[0] + (1 - kr - kb) * v[1] + kb * v[2];
    if (p == 0)
        return luma * one + (double)o->luma_zero;
    return (p == 1 ? (v[2] - luma) / (2 * (1 - kb)) : (v[0] - luma) / (2 * (1 - kr))) * (full ? one : one / 219 * 224)
         + (double)o->chroma_zero;
}

/* Draws a format of luma and chroma. */
static struct gf_format draw_yuv(struct gf_check *check)
{
    static const int subs[][2] = { { 1, 1 }, { 1, 1 }, { 1, 0 }, { 0, 0 }, { 2, 0 } },
        depths[] = { 8, 8, 8, 9, 10, 12, 16 };
    const int64_t *size = gf_draw_sizes[gf_draw(check, GF_DRAW_SIZES)];
    const int *sub = subs[gf_draw(check, 5)];
    struct gf_format f = { .kind = GF_IMAGE, .channels = 3, .width = size[0], .units = size[1] };

    f.yuv = (struct gf_yuv) { .used = 1, .sub_x = sub[0], .sub_y = sub[1], .bits = depths[gf_draw(check, 7)],
                              .full = (int)gf_draw(check, 2), .matrix = gf_draw(check, 2) ? 601 : 709,
                              .siting = (int)gf_draw(check, 4) };
    if (gf_draw(check, 5) == 0) {
        f.yuv.mono = f.channels = 1;
        f.yuv.sub_x = f.yuv.sub_y = 0;
    }
    f.bits = f.yuv.bits;
    f.type = f.bits > 8 ? GF_U16 : GF_U8;
    f.maxval = (1u << f.bits) - 1;
    return f;
}

static const struct gf_form *find_planes(int channels)
{
    for (int i = 0; i < GF_FORMS; i++)
        if (gf_forms[i].planar && gf_forms[i].channels == channels)
            return &gf_forms[i];
    return NULL;
}

static void try_from_yuv(struct gf_check *check, const struct gf_form *none)
{
    const struct gf_format f = draw_yuv(check), stored = gf_stored_format(&f);
    struct gf_io io = { .src_units = stored.units };
    struct gf_yuv_op op;
    size_t size;

    (void)none;
    gf_yuv_make(&op, &f, false);
    io.src = gf_block_packed(check->src + 512, &stored, (struct gf_span) { 0, stored.units });
    io.dst = gf_draw_block(check, find_planes(f.channels), f.channels, check->cpu, f.width,
                           gf_draw_span(check, f.units));
    size = 2048 + (size_t)stored.units * gf_type_bytes(stored.type);
    gf_draw_samples(check, &io.src, size, (enum gf_fill)gf_draw(check, GF_FILL_FLAT + 1));
    gf_check_call(check, &gf_op_yuv, &io, &op, size, gf_check_block_bytes(&io.dst), 2e-6);
}

/* Compares the bands of dst, and checks that nothing else was written. */
static void check_bands(struct gf_check *check, const struct gf_io *io, const struct gf_yuv_op *o,
                        struct gf_block frame, size_t size)
{
    unsigned char *seen = calloc(size, 1);
    const size_t first = (size_t)((unsigned char *)frame.data - check->cpu), sample = gf_type_bytes(frame.type);

    if (seen == NULL) {
        snprintf(check->problem, sizeof check->problem, "yuv: no memory to compare");
        return;
    }
    for (int64_t band = io->dst.span.start; band < io->dst.span.end; band++)
        for (int p = 0; p < (o->mono ? 1 : 3); p++)
            for (int64_t y = p ? band : band << o->sub_y; y < (p ? band + 1 : (band + 1) << o->sub_y)
                 && (p > 0 || y < o->height);
                 y++)
                for (int64_t x = 0; x < (p ? gf_chroma_side(o->width, o->sub_x) : o->width); x++) {
                    int64_t at;
                    const double got = frame_sample(&frame, o, p, x, y, &at);
                    const double wanted = gf_slow_clamp(slow_to_yuv(io, o, p, x, y), 0, (double)o->most);

                    check->compared++;
                    memset(seen + first + (size_t)at * sample, 1, sample);
                    if (fabs(got - wanted) > 0.51)
                        gf_check_report(check, "to a frame", &gf_op_yuv, io, p, x, y, got, wanted);
                }
    for (size_t i = 0; i < size; i++)
        if (!seen[i] && check->cpu[i] != GF_CHECK_POISON && check->problem[0] == '\0')
            snprintf(check->problem, sizeof check->problem, "yuv: byte %zu beyond the bands was written", i);
    free(seen);
}

static void try_to_yuv(struct gf_check *check, const struct gf_form *none)
{
    const struct gf_format f = draw_yuv(check), bands = gf_yuv_bands(&f);
    const struct gf_span out = gf_draw_span(check, bands.units);
    struct gf_io io = { .src_units = f.units }, there;
    const enum gf_fill fill = (enum gf_fill)gf_draw(check, GF_FILLS);
    struct gf_block frame;
    struct gf_yuv_op op;
    size_t size, src_size;
    int64_t start, end;

    (void)none;
    gf_yuv_make(&op, &f, true);
    start = out.start << op.sub_y, end = out.end << op.sub_y;
    io.src = gf_draw_block(check, find_planes(f.channels), f.channels, check->src, f.width,
                           gf_check_grow((struct gf_span) { start, end }, gf_draw(check, 3), gf_draw(check, 3),
                                         f.units));
    frame = gf_block_packed(check->cpu + 512, &bands, (struct gf_span) { 0, bands.units });
    io.dst = gf_block_part(&frame, out);
    src_size = gf_check_block_bytes(&io.src), size = gf_check_block_bytes(&frame);
    gf_draw_samples(check, &io.src, src_size, fill);
    memset(check->cpu, GF_CHECK_POISON, size);
    memset(check->gpu, GF_CHECK_POISON, size);
    there = io;
    if (gf_check_run_cpu(check, &gf_op_yuv, &io, &op) != 0
        || (check->on_gpu && gf_check_run_gpu(check, &gf_op_yuv, &there, &op, src_size, size) != 0))
        snprintf(check->problem, sizeof check->problem, "yuv: %.300s", check->failure.text);
    else if (check->on_gpu && memcmp(check->cpu, check->gpu, size) != 0)
        gf_check_report(check, "on a GPU: samples differ", &gf_op_yuv, &io, 0, 0, 0, 0, 0);
    else if (fill != GF_FILL_WILD)
        check_bands(check, &io, &op, frame, size);
}

/* Converts a frame of 4:2:0 to planes. */
static void set_yuv(struct gf_bench_call *m)
{
    const int64_t width = m->src.width, rows = m->src_units;
    const struct gf_format f = { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 3,
                                 .width = width, .units = rows, .yuv = { .used = 1, .sub_x = 1, .sub_y = 1, .bits = 8,
                                                                         .matrix = 709 } };

    gf_yuv_make(m->params, &f, false);
    m->src_units = width * rows + 2 * gf_chroma_side(width, 1) * gf_chroma_side(rows, 1);
    gf_bench_block_type(&m->src, GF_U8, 1, false);
    m->src_bytes = gf_bench_block_shape(&m->src, 1, m->src_units);
    gf_bench_block_type(&m->dst, GF_F32, 3, true);
    m->dst_bytes = gf_bench_block_shape(&m->dst, width, rows);
}

static const struct gf_bench_case cases[] = {
    { .name = "yuv", .what = "4:2:0 frame to RGB planes", .forms = "u8", .one_form = true, .set = set_yuv },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_from_yuv = { .name = "yuv", .op = &gf_op_yuv, .cases = cases,
                                                        .slow = slow_from_yuv,
                                                        .try = try_from_yuv, .once = true };
const struct gf_bench_group gf_bench_group_to_yuv = { .name = "to yuv", .op = &gf_op_yuv, .try = try_to_yuv,
                                                      .once = true };
