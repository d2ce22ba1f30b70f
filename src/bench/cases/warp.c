/* Cases of maps by a matrix, a lens or a second image. */
#include "bench/bench_call.h"
#include "bench/cases/sample.h"
#include "bench/cases/second_image.h"
#include "bench/check/check_compare.h"
#include "bench/peers/npp.h"
#include "kernels/geometry/warp.h"

#include <math.h>
#include <string.h>

static double limited(double v)
{
    return isnan(v) ? -GF_WARP_FAR : nearbyint(gf_slow_clamp(v, -GF_WARP_FAR, GF_WARP_FAR) * 0x1p24) / 0x1p24;
}

static double level_of_map(const struct gf_block *map, int64_t x, int64_t y, int c)
{
    const int64_t at = (y - map->span.start) * map->pitch_samples + x * map->channels + c;

    switch (map->type) {
    case GF_U8: return ((const uint8_t *)map->data)[at];
    case GF_U16: return ((const uint16_t *)map->data)[at];
    case GF_F64: return ((const double *)map->data)[at];
    default: return (double)((const float *)map->data)[at];
    }
}

static void place_of(const struct gf_io *io, const struct gf_warp *w, int64_t column, int64_t row, double *sx,
                     double *sy)
{
    const double *m = w->m, x = (double)column, y = (double)row;

    if (w->kind == GF_WARP_MAP) {
        *sx = level_of_map(&io->beside, column, row, 0);
        *sy = level_of_map(&io->beside, column, row, 1);
    } else if (w->kind == GF_WARP_LENS) {
        const double dx = (x - m[0]) * m[2], dy = (y - m[1]) * m[2], r = hypot(dx, dy) * m[3];
        const double f = 1 + m[4] * pow(r, 2) + m[5] * pow(r, 4) + m[6] * pow(r, 6);

        *sx = m[0] + dx * f;
        *sy = m[1] + dy * f;
    } else {
        const double divisor = m[6] * x + m[7] * y + m[8];

        *sx = divisor > 0 ? (m[0] * x + m[1] * y + m[2]) / divisor : -GF_WARP_FAR;
        *sy = divisor > 0 ? (m[3] * x + m[4] * y + m[5]) / divisor : -GF_WARP_FAR;
    }
    *sx = limited(*sx);
    *sy = limited(*sy);
}

static void slow_warp(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                      double *out)
{
    const struct gf_sample s = gf_warp_sampling(params);
    double sx, sy;

    place_of(io, params, x, y, &sx, &sy);
    gf_slow_place(check, io, &s, sx, sy, out);
}

/* Draws a perspective, an affine map, or a lens. */
static void draw_map(struct gf_check *check, struct gf_warp *w, double width, double rows)
{
    const double a = gf_draw_unit(check) * 6.3, zoom = 0.5 + gf_draw_unit(check), middle_x = width / 2,
                 middle_y = rows / 2;
    const bool affine = gf_draw(check, 3) == 0;
    const double lens[] = { middle_x, middle_y, zoom, 1 / (1 + hypot(middle_x, middle_y)), gf_draw_unit(check) - 0.5,
                            gf_draw_unit(check) - 0.5, gf_draw_unit(check) - 0.5 };
    const double matrix[] = { cos(a) * zoom, sin(a), middle_x * gf_draw_unit(check), -sin(a), cos(a) * zoom,
                              middle_y * gf_draw_unit(check), affine ? 0 : (gf_draw_unit(check) - 0.5) / width,
                              affine ? 0 : (gf_draw_unit(check) - 0.5) / rows, 1 };

    memset(w->m, 0, sizeof w->m);
    if (w->kind == GF_WARP_LENS)
        memcpy(w->m, lens, sizeof lens);
    else
        memcpy(w->m, matrix, sizeof matrix);
}

/* Draws a second image of positions, inside and outside of the source. */
static void draw_positions(struct gf_check *check, struct gf_trial *t, int64_t width, struct gf_span rows)
{
    static const struct gf_form forms[] = {
        { .name = "positions f32", .type = GF_F32, .channels = 2, .bits = 32, .maxval = 1 },
        { .name = "positions f32 of three channels", .type = GF_F32, .channels = 3, .bits = 32, .maxval = 1 },
        { .name = "positions f64", .type = GF_F64, .channels = 2, .bits = 64, .maxval = 1 },
        { .name = "positions u8", .type = GF_U8, .channels = 2, .bits = 8, .maxval = 255 },
        { .name = "positions u16", .type = GF_U16, .channels = 3, .bits = 16, .maxval = 65535 },
    };
    const struct gf_form *f = &forms[gf_draw(check, 5)];
    struct gf_block *b = &t->io.beside;

    gf_second_image_rows(check, t, f, width, rows);
    t->io.beside_units = rows.end;
    t->io.beside_shift = 0;
    if (f->type != GF_F32 && f->type != GF_F64)
        return;
    for (int64_t y = 0; y < rows.end - rows.start; y++)
        for (int64_t i = 0; i < width * f->channels; i++) {
            const double v = (gf_draw_unit(check) * 1.4 - 0.2)
                             * (double)(i % f->channels == 0 ? t->width : t->units);

            if (f->type == GF_F32)
                ((float *)b->data)[y * b->pitch_samples + i] = gf_draw(check, 50) == 0 ? NAN : (float)v;
            else
                ((double *)b->data)[y * b->pitch_samples + i] = gf_draw(check, 50) == 0 ? -INFINITY : v;
        }
}

static void try_warp(struct gf_check *check, const struct gf_form *f)
{
    struct gf_warp w = { .kind = (enum gf_warp_kind)gf_draw(check, 3),
                         .interpolation = (enum gf_interpolation)gf_draw(check, 3),
                         .use_background = gf_draw(check, 2), .border = (enum gf_border)gf_draw(check, 5),
                         .background = { .2f, .4f, .6f, 1.0f } };
    const int64_t *size = gf_draw_sizes[gf_draw(check, GF_DRAW_SIZES)];
    struct gf_trial t;
    struct gf_span out;

    if (f->channels > 4)
        f = &gf_forms[0];
    gf_draw_trial(check, &t, f, true);
    w.coarse = w.interpolation == GF_LINEAR && gf_draw(check, 3);
    if (w.coarse)                        /* for 8-bit results without a program */
        gf_point_init(&t.store, t.load.out);
    draw_map(check, &w, (double)t.width, (double)t.units);
    out = gf_draw_span(check, size[1]);
    if (w.kind == GF_WARP_MAP)
        draw_positions(check, &t, size[0], out);
    t.smooth = t.smooth && w.interpolation != GF_NEAREST;
    gf_check_trial(check, &t, &gf_op_warp, &w, (struct gf_span) { 0, t.units }, out, size[0],
                   w.coarse ? &gf_forms[0] : gf_draw_form(check, f), 1e-5);
    t.io.beside.data = NULL;
    check->second_bytes = 0;
}

static void set_common(struct gf_bench_call *m)
{
    struct gf_warp *w = m->params;

    w->interpolation = (enum gf_interpolation)m->number;
    w->coarse = m->dst.type == GF_U8 && m->number == GF_LINEAR;
    w->use_background = true;
}

/* Makes the page of a photo straight, which was seen from the left and below. */
static void set_perspective(struct gf_bench_call *m)
{
    const double x = (double)(m->src.width - 1), y = (double)(m->src_units - 1);

    *(struct gf_warp *)m->params = (struct gf_warp) {
        .kind = GF_WARP_MATRIX, .m = { 0.92, -0.05 * x / y, 0.075 * x, 0.0, 0.85, 0.07 * y, 0.0, 0.1 / y, 1 } };
    set_common(m);
}

static void set_shear(struct gf_bench_call *m)
{
    *(struct gf_warp *)m->params = (struct gf_warp) { .kind = GF_WARP_MATRIX, .m = { 1, 0.2, 0, 0.05, 1, 0, 0, 0, 1 } };
    set_common(m);
}

static void set_barrel(struct gf_bench_call *m)
{
    const double x = (double)(m->src.width - 1) / 2, y = (double)(m->src_units - 1) / 2;

    *(struct gf_warp *)m->params = (struct gf_warp) { .kind = GF_WARP_LENS,
                                                      .m = { x, y, 1, 1 / hypot(x, y), -0.1, 0.02, 0 } };
    set_common(m);
}

/* Stages find the map of this page from points, and so does OpenCV. */
#define PAGE "warp:from=[307,215;4074,215;3518,2568;93,2568]"
#define OPENCV_PAGE(flags)                                                                                      \
    "cv2.warpPerspective(a, cv2.getPerspectiveTransform(numpy.float32([[307, 215], [4074, 215], [3518, 2568], " \
    "[93, 2568]]), numpy.float32([[0, 0], [4095, 0], [4095, 3071], [0, 3071]])), (4096, 3072), b, " flags ")"

static const struct gf_bench_case cases[] = {
    { .name = "warp, perspective", .what = "a perspective, bytes",
      .forms = "u8, u8 gray and alpha, u8 rgb, u8 rgba, plane", .set = set_perspective, .number = GF_LINEAR,
      .peers = { { "NPP WarpPerspective", NULL, gf_npp_warp } }, .stages = PAGE,
      .opencv = OPENCV_PAGE("cv2.INTER_LINEAR") },
    { .name = "warp, perspective, cubic", .forms = "plane, u8 rgb", .set = set_perspective, .number = GF_CUBIC,
      .peers = { { "NPP WarpPerspective", NULL, gf_npp_warp } }, .stages = PAGE ",filter=cubic",
      .opencv = OPENCV_PAGE("cv2.INTER_CUBIC") },
    { .name = "warp, perspective, nearest", .forms = "u8, u8 rgb", .set = set_perspective, .number = GF_NEAREST,
      .peers = { { "NPP WarpPerspective", NULL, gf_npp_warp } } },
    { .name = "warp, shear", .forms = "u8, u8 rgb, plane", .set = set_shear, .number = GF_LINEAR,
      .peers = { { "NPP WarpAffine", NULL, gf_npp_warp } }, .stages = "warp:[1,0.2,-300;0.05,1,-100]",
      .opencv = "cv2.warpAffine(a, numpy.float64([[1, .2, -300], [.05, 1, -100]]), (4096, 3072), b)" },
    { .name = "lens", .forms = "u8, u8 rgb, plane", .set = set_barrel, .number = GF_LINEAR },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_warp = { .name = "warp", .op = &gf_op_warp, .cases = cases,
                                                    .slow = slow_warp, .try = try_warp, .slack = 1e-5 };
