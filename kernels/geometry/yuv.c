/*
 * Converts luma and chroma on a CPU, row by row in both directions; each step is a loop over a row
 * in the first-level cache.
 */
#include "kernels/geometry/yuv.h"

#include "base/clones.h"
#include "kernels/base/block.h"

#include <math.h>

#define PAD 4                            /* samples beside a row, so that loops need not check borders */

/* ---- facts about a frame ---- */

static void make_matrix(struct gf_yuv_op *op, int matrix, double pixels)
{
    static const double weights[2][3] = { { GF_BT601(double) }, { GF_BT709(double) } };
    const double kr = weights[matrix == 709][0], kb = weights[matrix == 709][2], kg = 1 - kr - kb;
    const double u = 2 * (1 - kb), v = 2 * (1 - kr);
    const double from[3][3] = { { v, 0, 0 }, { -kb * u / kg, -kr * v / kg, 0 }, { u, 0, 0 } };
    const double to[3][3] = { { kr, kg, kb }, { -kr / u / pixels, -kg / u / pixels, (1 - kb) / u / pixels },
                              { (1 - kr) / v / pixels, -kg / v / pixels, -kb / v / pixels } };

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            op->m[i][j] = (float)(op->to ? to[i][j] : from[i][j]);
}

void gf_yuv_make(struct gf_yuv_op *op, const struct gf_format *f, bool to)
{
    const struct gf_yuv *y = &f->yuv;
    const double most = (double)(1 << y->bits) - 1, step = (double)(1 << (y->bits - 8));
    const double luma = y->full ? most : 219 * step, chroma = y->full ? most : 224 * step;
    double pixels;

    *op = (struct gf_yuv_op) { .to = to, .mono = y->mono != 0, .sub_x = y->sub_x, .sub_y = y->sub_y,
                               .width = f->width, .height = f->units, .most = (float)most };
    op->left = y->sub_x > 1 || y->sub_y == 0 || y->siting == GF_SITED_MPEG2 || y->siting == GF_SITED_PALDV;
    op->luma_zero = (float)(y->full ? 0 : 16 * step);
    op->chroma_zero = (float)(128 * step);
    op->luma_scale = (float)(to ? luma : 1 / luma);
    op->chroma_scale = (float)(to ? chroma : 1 / chroma);
    pixels = y->sub_x == 0 ? 1 : y->sub_x > 1 ? 16 : op->left ? 4 : 2;
    make_matrix(op, y->matrix, y->sub_y > 0 ? 2 * pixels : pixels);
}

struct gf_format gf_yuv_bands(const struct gf_format *f)
{
    struct gf_format bands = gf_stored_format(f);

    bands.width = f->width << f->yuv.sub_y;
    if (!f->yuv.mono)
        bands.width += 2 * gf_chroma_side(f->width, f->yuv.sub_x);
    bands.units = gf_chroma_side(f->units, f->yuv.sub_y);
    return bands;
}

/* A plane of a frame: its offset in samples, and its size. */
struct plane {
    int64_t base, width, height;
};

static struct plane plane_of(const struct gf_yuv_op *op, int p)
{
    const int64_t w = gf_chroma_side(op->width, op->sub_x), h = gf_chroma_side(op->height, op->sub_y);

    if (p == 0)
        return (struct plane) { 0, op->width, op->height };
    return (struct plane) { op->width * op->height + (p - 1) * w * h, w, h };
}

/* ---- from a frame ---- */

#define BLEND(name, ctype)                                                                                   \
    GF_CLONES                                                                                                \
    static void name(const ctype *restrict near, const ctype *restrict far, int64_t n, float *restrict d)    \
    {                                                                                                        \
        for (int64_t i = 0; i < n; i++)                                                                      \
            d[i] = (float)(3 * near[i] + far[i]) * 0.25f;                                                    \
    }
BLEND(blend_u8, uint8_t)
BLEND(blend_u16, uint16_t)
#undef BLEND

/* Computes the row of chroma at the height of row y of luma, with its ends repeated. */
static void chroma_row(const struct gf_block *src, const struct gf_yuv_op *op, int p, int64_t y, float *d)
{
    const struct plane plane = plane_of(op, p);
    const int64_t near = y >> op->sub_y, beside = (y & 1) != 0 ? near + 1 : near - 1;
    int64_t far = op->sub_y == 0 ? near : beside < 0 ? 0 : beside >= plane.height ? plane.height - 1 : beside;
    const int64_t a = plane.base + near * plane.width - src->span.start,
                      b = plane.base + far * plane.width - src->span.start;

    if (src->type == GF_U8)
        blend_u8((const uint8_t *)src->data + a, (const uint8_t *)src->data + b, plane.width, d);
    else
        blend_u16((const uint16_t *)src->data + a, (const uint16_t *)src->data + b, plane.width, d);
    d[-1] = d[0];
    d[plane.width] = d[plane.width - 1];
}

/* Interpolates from every second (or fourth) column to all columns from n on; c[-1] and c[n] are valid. */
GF_CLONES
static void widen(const float *restrict c, int64_t n, int sub_x, bool left, float *restrict d)
{
    if (sub_x == 2)
        for (int64_t j = 0; j < n; j++) {
            d[4 * j] = c[j];
            d[4 * j + 1] = 0.75f * c[j] + 0.25f * c[j + 1];
            d[4 * j + 2] = 0.5f * c[j] + 0.5f * c[j + 1];
            d[4 * j + 3] = 0.25f * c[j] + 0.75f * c[j + 1];
        }
    else if (left)
        for (int64_t j = 0; j < n; j++) {
            d[2 * j] = c[j];
            d[2 * j + 1] = 0.5f * c[j] + 0.5f * c[j + 1];
        }
    else
        for (int64_t j = 0; j < n; j++) {
            d[2 * j] = 0.75f * c[j] + 0.25f * c[j - 1];
            d[2 * j + 1] = 0.75f * c[j] + 0.25f * c[j + 1];
        }
}

#define COLOUR(name, ctype)                                                                                  \
    GF_CLONES                                                                                                \
    static void name(const ctype *restrict luma, const float *restrict u, const float *restrict v, int64_t n, \
                     const struct gf_yuv_op *op, float *restrict r, float *restrict g, float *restrict b)    \
    {                                                                                                        \
        const float yz = op->luma_zero, ys = op->luma_scale, cz = op->chroma_zero, cs = op->chroma_scale;    \
        const float rv = op->m[0][0], gu = op->m[1][0], gv = op->m[1][1], bu = op->m[2][0];                  \
                                                                                                             \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            const float y = ((float)luma[i] - yz) * ys, cb = (u[i] - cz) * cs, cr = (v[i] - cz) * cs;        \
                                                                                                             \
            r[i] = fmaf(cr, rv, y);                                                                          \
            g[i] = fmaf(cb, gu, fmaf(cr, gv, y));                                                            \
            b[i] = fmaf(cb, bu, y);                                                                          \
        }                                                                                                    \
    }                                                                                                        \
    GF_CLONES                                                                                                \
    static void name##_gray(const ctype *restrict luma, int64_t n, float zero, float scale, float *restrict d) \
    {                                                                                                        \
        for (int64_t i = 0; i < n; i++)                                                                      \
            d[i] = ((float)luma[i] - zero) * scale;                                                          \
    }
COLOUR(colour_u8, uint8_t)
COLOUR(colour_u16, uint16_t)
#undef COLOUR

static void gray_row(const struct gf_io *io, const struct gf_yuv_op *op, int64_t y)
{
    const int64_t at = y * op->width - io->src.span.start;
    float *d = gf_plane_at(&io->dst, 0, y);

    if (io->src.type == GF_U8)
        colour_u8_gray((const uint8_t *)io->src.data + at, op->width, op->luma_zero, op->luma_scale, d);
    else
        colour_u16_gray((const uint16_t *)io->src.data + at, op->width, op->luma_zero, op->luma_scale, d);
}

static void colour_row(const struct gf_io *io, const struct gf_yuv_op *op, int64_t y, float *scratch)
{
    const int64_t n = gf_chroma_side(op->width, op->sub_x), at = y * op->width - io->src.span.start;
    float *r = gf_plane_at(&io->dst, 0, y), *g = gf_plane_at(&io->dst, 1, y), *b = gf_plane_at(&io->dst, 2, y);
    float *wide[2] = { scratch + 2 * (n + 2 * PAD), scratch + 2 * (n + 2 * PAD) + (n << op->sub_x) };

    for (int p = 0; p < 2; p++) {
        float *c = scratch + p * (n + 2 * PAD) + PAD;

        chroma_row(&io->src, op, p + 1, y, c);
        if (op->sub_x > 0)
            widen(c, n, op->sub_x, op->left, wide[p]);
        else
            wide[p] = c;
    }
    if (io->src.type == GF_U8)
        colour_u8((const uint8_t *)io->src.data + at, wide[0], wide[1], op->width, op, r, g, b);
    else
        colour_u16((const uint16_t *)io->src.data + at, wide[0], wide[1], op->width, op, r, g, b);
}

/* ---- to a frame ---- */

GF_INLINE float level(float value, float scale, float zero, float most)
{
    const float t = fmaf(value, scale, zero), above = t > 0.0f ? t : 0.0f;

    return rintf(above < most ? above : most);
}

#define SAMPLES(name, ctype)                                                                                 \
    GF_CLONES                                                                                                \
    static void name(const float *restrict r, const float *restrict g, const float *restrict b, int64_t n,   \
                     const float *m, float scale, float zero, float most, ctype *restrict d)                 \
    {                                                                                                        \
        const float mr = m[0], mg = m[1], mb = m[2];                                                         \
                                                                                                             \
        for (int64_t i = 0; i < n; i++)                                                                      \
            d[i] = (ctype)(int32_t)level(fmaf(mr, r[i], fmaf(mg, g[i], mb * b[i])), scale, zero, most);      \
    }                                                                                                        \
    GF_CLONES                                                                                                \
    static void name##_gray(const float *restrict s, int64_t n, float scale, float zero, float most,         \
                            ctype *restrict d)                                                               \
    {                                                                                                        \
        for (int64_t i = 0; i < n; i++)                                                                      \
            d[i] = (ctype)(int32_t)level(s[i], scale, zero, most);                                           \
    }
SAMPLES(samples_u8, uint8_t)
SAMPLES(samples_u16, uint16_t)
#undef SAMPLES

/* Stores row y of plane p from the pixels in row[]. */
static void store_row(const struct gf_block *dst, const struct gf_yuv_op *op, int p, int64_t y, const float *const *row)
{
    const float scale = p == 0 ? op->luma_scale : op->chroma_scale, zero = p == 0 ? op->luma_zero : op->chroma_zero;
    const struct plane plane = plane_of(op, p);
    const int64_t n = plane.width, at = plane.base + y * n - dst->span.start * dst->pitch_samples;
    uint8_t *small = (uint8_t *)dst->data + at;
    uint16_t *wide = (uint16_t *)dst->data + at;

    if (op->mono && dst->type == GF_U8)
        samples_u8_gray(row[0], n, scale, zero, op->most, small);
    else if (op->mono)
        samples_u16_gray(row[0], n, scale, zero, op->most, wide);
    else if (dst->type == GF_U8)
        samples_u8(row[0], row[1], row[2], n, op->m[p], scale, zero, op->most, small);
    else
        samples_u16(row[0], row[1], row[2], n, op->m[p], scale, zero, op->most, wide);
}

GF_CLONES
static void add_rows(const float *restrict a, const float *restrict b, int64_t n, float *restrict d)
{
    for (int64_t i = 0; i < n; i++)
        d[i] = a[i] + b[i];
}

/* Sums the pixels around every second (or fourth) column; s has PAD values on each side. */
GF_CLONES
static void narrow(const float *restrict s, int64_t n, int sub_x, bool left, float *restrict d)
{
    if (sub_x == 2)
        for (int64_t j = 0; j < n; j++) {
            const float *c = s + 4 * j;

            d[j] = fmaf(4, c[0], fmaf(3, c[-1] + c[1], fmaf(2, c[-2] + c[2], c[-3] + c[3])));
        }
    else if (left)
        for (int64_t j = 0; j < n; j++)
            d[j] = fmaf(2, s[2 * j], s[2 * j - 1] + s[2 * j + 1]);
    else
        for (int64_t j = 0; j < n; j++)
            d[j] = s[2 * j] + s[2 * j + 1];
}

/* Returns the pixels of channel c summed for row y of chroma: in `scratch`, or in place. */
static const float *chroma_pixels(const struct gf_block *src, const struct gf_yuv_op *op, int c, int64_t y,
                                  float *scratch)
{
    const int64_t w = op->width, n = gf_chroma_side(w, op->sub_x);
    const int64_t upper = y << op->sub_y, lower = upper + 1 < op->height ? upper + 1 : upper;
    const float *a = gf_plane_at(src, c, upper), *b = gf_plane_at(src, c, lower);
    float *sums = scratch + PAD, *narrowed = scratch + w + 4 * PAD;

    if (op->sub_y == 0 && op->sub_x == 0)
        return a;
    if (op->sub_y > 0)
        add_rows(a, b, w, sums);
    else
        for (int64_t x = 0; x < w; x++)
            sums[x] = a[x];
    if (op->sub_x == 0)
        return sums;
    for (int i = 0; i < PAD; i++)
        sums[-1 - i] = sums[0], sums[w + i] = sums[w - 1];
    narrow(sums, n, op->sub_x, op->left, narrowed);
    return narrowed;
}

static void make_band(const struct gf_io *io, const struct gf_yuv_op *op, int64_t y, float *scratch)
{
    const int64_t each = 2 * op->width + 8 * PAD;
    const float *row[3] = { NULL, NULL, NULL };

    for (int64_t k = y << op->sub_y; k < (y + 1) << op->sub_y && k < op->height; k++) {
        for (int c = 0; c < io->src.channels; c++)
            row[c] = gf_plane_at(&io->src, c, k);
        store_row(&io->dst, op, 0, k, row);
    }
    if (op->mono)
        return;
    for (int c = 0; c < 3; c++)
        row[c] = chroma_pixels(&io->src, op, c, y, scratch + c * each);
    store_row(&io->dst, op, 1, y, row);
    store_row(&io->dst, op, 2, y, row);
}

/* ---- both directions ---- */

static size_t yuv_scratch(const struct gf_io *shape, const void *params)
{
    const struct gf_yuv_op *op = params;

    (void)shape;
    return (size_t)(3 * (2 * op->width + 8 * PAD)) * sizeof(float);
}

int gf_yuv_check(const struct gf_io *io, const struct gf_yuv_op *op, struct gf_error *err)
{
    const struct gf_block *planes = op->to ? &io->src : &io->dst, *frame = op->to ? &io->dst : &io->src;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !planes->planar || frame->planar
        || planes->channels != (op->mono ? 1 : 3) || (frame->type != GF_U8 && frame->type != GF_U16))
        return gf_fail(err, GF_FAILED, "internal error: yuv needs planes of color and no programs");
    return 0;
}

int gf_yuv_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_yuv_op *op = params;

    if (gf_yuv_check(io, op, err) != 0)
        return -1;
    for (int64_t y = io->dst.span.start; y < io->dst.span.end; y++)
        if (op->to)
            make_band(io, op, y, work->scratch);
        else if (op->mono)
            gray_row(io, op, y);
        else
            colour_row(io, op, y, work->scratch);
    return 0;
}

_Static_assert(sizeof(struct gf_yuv_op) <= GF_OP_CHANGED_BYTES, "the plan makes them");

const struct gf_operation gf_op_yuv = {
    .word = "yuv",
    .text = "Converts planes of luma and chroma to RGB, and back, if Y4M is read or written and "
            "the stages cannot work on the planes.",
    .params_bytes = sizeof(struct gf_yuv_op),
    .cpu = { .body = gf_yuv_cpu, .scratch_bytes = yuv_scratch },
    .cuda = { .body = GF_CUDA_BODY(gf_yuv_cuda) },
};
