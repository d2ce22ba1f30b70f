/* Cases of convolutions: full and separable masks on images, and masks along audio. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/npp.h"
#include "kernels/lessons/stencil.h"
#include "kernels/neighbourhood/conv.h"

#include <math.h>
#include <string.h>

#define TAPS (2 * GF_LESSON_RADIUS + 1)

static void slow_conv(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                      double *out)
{
    const struct gf_conv *m = params;
    const int nx = m->nx > 0 ? m->nx : 1, ny = m->ny > 0 ? m->ny : 1, channels = gf_slow_channels(io);
    double v[GF_SLOW_CHANNELS], other[GF_SLOW_CHANNELS] = { 0 };

    memset(out, 0, sizeof v);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const int64_t sx = m->nx > 0 ? gf_border_index(m->border, x + i - m->cx, io->src.width) : x;
            const int64_t sy = m->ny > 0 ? gf_border_index(m->border, y + j - m->cy, io->src_units) : y;

            gf_slow_load(check, io, sx, sy, v);
            for (int c = 0; c < channels; c++) {
                const int k = m->mask_channels > 1 ? c : 0;
                double w = m->nx > 0 ? (double)check->masks[m->x_at + k * m->nx + i] : 1;

                w *= m->ny > 0 ? (double)check->masks[m->y_at + k * m->ny + j] : 1;
                out[c] += v[c] * (m->full ? (double)check->masks[m->full_at + k * nx * ny + j * nx + i] : w);
                if (m->combine == GF_CONV_HYPOT)
                    other[c] += v[c] * (double)check->masks[m->also_at + j * nx + i];
            }
        }
    gf_slow_load(check, io, x, y, v);
    for (int c = 0; c < channels && m->combine != GF_CONV_PLAIN; c++)
        if (c >= m->combined)
            out[c] = v[c];
        else if (m->combine == GF_CONV_HYPOT)
            out[c] = sqrt(out[c] * out[c] + other[c] * other[c]);
        else
            out[c] = fabs(v[c] - out[c]) > (double)m->threshold ? v[c] + (double)m->amount * (v[c] - out[c]) : v[c];
}

static void try_conv(struct gf_check *check, const struct gf_form *f)
{
    static const int lengths[] = { 1, 2, 3, 5, 9, 15, 31, 64, 65, 130 };
    struct gf_trial t;
    struct gf_span out;
    struct gf_conv m = { .border = (enum gf_border)gf_draw(check, 5), .mask_channels = 1 };
    const int kind = (int)gf_draw(check, 4);
    int reach;

    gf_draw_trial(check, &t, f, true);
    out = gf_draw_span(check, t.units);
    m.full = kind == 3 && t.width > 1;
    m.nx = kind == 1 || t.width == 1 ? 0 : lengths[gf_draw(check, m.full ? 6 : kind == 0 ? 8 : 10)];
    m.ny = kind == 2 && m.nx > 0 ? 0 : lengths[gf_draw(check, m.full ? 6 : kind == 0 ? 8 : 10)];
    m.cx = m.nx / 2, m.cy = gf_draw(check, 4) == 0 ? 0 : m.ny / 2;
    if (f->channels > 1 && t.load.out == f->channels && gf_draw(check, 4) == 0)
        m.mask_channels = f->channels;
    m.x_at = gf_draw(check, 2) ? gf_draw(check, 2000) : 20000 + gf_draw(check, 1000);
    m.y_at = gf_draw(check, 3000);
    m.full_at = gf_draw(check, 3) ? gf_draw(check, 2000) : 17000;
    if ((m.border == GF_REFLECT || m.border == GF_MIRROR) && m.ny > 0)
        m.ny |= 1, m.cy = m.ny / 2;
    if (m.full ? gf_draw(check, 3) == 0 : m.nx > 0 && m.ny > 0 && gf_draw(check, 3) == 0) {
        m.combine = m.full ? GF_CONV_HYPOT : GF_CONV_SHARPEN;
        m.combined = 1 + (int)gf_draw(check, (uint32_t)t.load.out);
        m.mask_channels = 1;
        m.also_at = gf_draw(check, 3) ? gf_draw(check, 2000) : 18000;
        m.amount = 0.5f + (float)gf_draw_unit(check);
        m.threshold = gf_draw(check, 2) ? 0 : 0.05f;
        /* the result jumps at a threshold, and either side is right */
        t.smooth = t.smooth && (m.full || m.threshold == 0);
    }
    /* the same on both sides, so that reflected units are within the span */
    reach = m.ny - 1 - m.cy > m.cy ? m.ny - 1 - m.cy : m.cy;
    gf_check_trial(check, &t, &gf_op_conv, &m,
                    m.border == GF_WRAP ? (struct gf_span) { 0, t.units } : gf_check_grow(out, reach, reach, t.units),
                    out, t.width, gf_draw_form(check, f), 3e-6);
}

/* ---- cases ---- */

static void set_triangle(struct gf_bench_call *m)
{
    float *weights = gf_bench_call_masks(m, TAPS);

    for (int i = 0; weights != NULL && i < TAPS; i++)
        weights[i] = gf_lesson_weight(i);
}

static void set_conv(struct gf_bench_call *m)
{
    set_triangle(m);
    *(struct gf_conv *)m->params = (struct gf_conv) { .nx = TAPS, .ny = TAPS, .cx = TAPS / 2, .cy = TAPS / 2,
                                                      .mask_channels = 1, .border = GF_CLAMP };
}

static void set_stencil(struct gf_bench_call *m)
{
    set_triangle(m);
    *(struct gf_conv *)m->params = (struct gf_conv) { .ny = TAPS, .cy = TAPS / 2, .mask_channels = 1,
                                                      .border = GF_CLAMP };
}

static struct gf_conv *set_mask(struct gf_bench_call *m, int nx, int ny, bool full)
{
    const int64_t count = full ? nx * ny : nx + ny;
    float *weights = gf_bench_call_masks(m, count);

    for (int64_t i = 0; weights != NULL && i < count; i++)
        weights[i] = full ? 1.0f / (float)count : 1.0f / (float)(i < nx ? nx : ny);
    *(struct gf_conv *)m->params = (struct gf_conv) { .nx = nx, .ny = ny, .cx = nx / 2, .cy = ny / 2,
                                                      .y_at = full ? 0 : nx, .full = full,
                                         .mask_channels = 1, .border = GF_CLAMP };
    return m->params;
}

/* A Sobel mask along the columns, with integer weights. */
static void set_slope(struct gf_bench_call *m)
{
    static const float slope[] = { -1, 0, 1, -2, 0, 2, -1, 0, 1 };

    set_mask(m, 3, 3, true);
    if (m->masks != NULL)
        memcpy(m->masks, slope, sizeof slope);
}

/* Sets a square mask of equal weights, as two lines. */
static void set_mean(struct gf_bench_call *m)
{
    set_mask(m, m->number, m->number, false);
}

static void set_full(struct gf_bench_call *m)
{
    set_mask(m, m->number, m->number, true);
}

static void set_column(struct gf_bench_call *m)
{
    set_mask(m, 0, m->number, false);
}

/* Sets the length of the gradient. */
static void set_slopes(struct gf_bench_call *m)
{
    static const float down[] = { -1, -2, -1, 0, 0, 0, 1, 2, 1 };
    struct gf_conv *c;
    float *also;

    set_slope(m);
    c = m->params;
    c->combine = GF_CONV_HYPOT;
    c->combined = m->src.channels;
    c->also_at = m->mask_count;
    also = gf_bench_call_masks(m, 9);
    if (also != NULL)
        memcpy(also, down, sizeof down);
}

static void set_sharpen(struct gf_bench_call *m)
{
    struct gf_conv *c = set_mask(m, m->number, m->number, false);

    c->combine = GF_CONV_SHARPEN;
    c->combined = m->src.channels;
    c->amount = 1;
}

/* Sets Gaussian weights, so that neighboring weights differ. */
static void set_blur(struct gf_bench_call *m)
{
    const int n = m->number;
    float *weights;
    double sum = 0;

    set_mask(m, n, n, false);
    weights = m->masks;
    for (int i = 0; i < n; i++)
        sum += exp(-18.0 * (i - n / 2) * (i - n / 2) / (n * n));
    for (int i = 0; weights != NULL && i < n; i++)
        weights[i] = weights[n + i] = (float)(exp(-18.0 * (i - n / 2) * (i - n / 2) / (n * n)) / sum);
}

/* A multiplication and an addition for each tap; lines of a separable mask are added up one after the other. */
static double count_flop(const struct gf_bench_call *m)
{
    const struct gf_conv *c = m->params;

    return 2.0 * (c->full ? c->nx * c->ny : c->nx + c->ny) * (double)(m->src_units * m->src.width * m->src.channels);
}

static const struct gf_bench_case cases[] = {
    { .name = "triangle 17x17", .what = "separable 17x17 mask, bytes", .forms = "u8", .set = set_conv },
    { .name = "blur 5x5", .forms = "u8, u8 rgb", .set = set_blur, .number = 5, .flop = count_flop,
      .peers = { { "NPP FilterGauss", "u8", gf_npp_gauss } }, .stages = "blur:0.66",
      .opencv = "cv2.GaussianBlur(a, (5, 5), .66, b)" },
    { .name = "blur 13x13", .forms = "u8, u8 rgb", .set = set_blur, .number = 13, .stages = "blur:2",
      .opencv = "cv2.GaussianBlur(a, (13, 13), 2, b)" },
    { .name = "blur 15x15", .forms = "u8, u8 rgb, plane", .set = set_blur, .number = 15, .flop = count_flop,
      .peers = { { "NPP FilterGauss", "u8", gf_npp_gauss } },
      .stages = "blur:2.33", .opencv = "cv2.GaussianBlur(a, (15, 15), 2.33, b)" },
    { .name = "blur 61x61", .forms = "u8, u8 rgb", .set = set_blur, .number = 61, .flop = count_flop,
      .stages = "blur:10", .opencv = "cv2.GaussianBlur(a, (61, 61), 10, b)" },
    { .name = "mask 3x3", .forms = "u8, u8 rgb", .set = set_full, .number = 3 },
    { .name = "mask 5x5", .forms = "plane", .set = set_full, .number = 5, .flop = count_flop,
      .peers = { { "NPP Filter", NULL, gf_npp_filter } } },
    { .name = "mask 15x15", .forms = "plane, u8", .set = set_full, .number = 15, .flop = count_flop,
      .peers = { { "NPP Filter", "plane", gf_npp_filter } } },
    { .name = "column 301", .forms = "u8", .set = set_column, .number = 301 },
    { .name = "slope", .forms = "u8", .set = set_slope, .peers = { { "NPP FilterSobelVert", NULL, gf_npp_sobel } } },
    { .name = "sobel", .forms = "u8", .set = set_slopes,
      .peers = { { "NPP GradientVectorSobel", NULL, gf_npp_sobel_size } } },
    { .name = "sharpen 7x7", .forms = "u8, u8 rgb", .set = set_sharpen, .number = 7,
      .peers = { { "NPP FilterUnsharp", "u8", gf_npp_unsharp } }, .stages = "sharpen",
      .opencv = "cv2.addWeighted(a, 2, cv2.GaussianBlur(a, (7, 7), 1), -1, 0, b)" },
    { .name = "mean 5x5", .forms = "u8, u8 rgb", .set = set_mean, .number = 5,
      .peers = { { "NPP FilterBox", "u8", gf_npp_box } }, .stages = "box:2", .opencv = "cv2.blur(a, (5, 5), b)" },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_conv = { .name = "conv", .cancels = true, .op = &gf_op_conv, .cases = cases,
                                                    .slow = slow_conv, .try = try_conv };

static const struct gf_bench_case stencil_cases[] = {
    { .name = "stencil", .what = "17-tap filter along a line, floats", .forms = "f32", .set = set_stencil,
      .flop = count_flop },
    { .name = "fir 255", .forms = "f32 stereo", .set = set_column, .number = 255, .flop = count_flop },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_stencil = { .name = "stencil", .op = &gf_op_conv, .cases = stencil_cases,
                                                       .sound = true };
